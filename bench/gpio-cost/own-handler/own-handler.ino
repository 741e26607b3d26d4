// Counts the rising edges of pin 2, with most of the core for it (experiment.py).
volatile unsigned long rises = 0;
void count() { ++rises; }
void setup() {
  interruptsVcpu(4, 10);
  attachInterruptVcpu(2, count, RISING, 4, 10);
}
void loop(1, 1, 100) { delay(50); }
