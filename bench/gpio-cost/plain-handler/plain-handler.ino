// Counts the rising edges of pin 2, as any sketch does (experiment.py).
volatile unsigned long rises = 0;
void count() { ++rises; }
void setup() { attachInterrupt(digitalPinToInterrupt(2), count, RISING); }
void loop(1, 1, 100) { delay(50); }
