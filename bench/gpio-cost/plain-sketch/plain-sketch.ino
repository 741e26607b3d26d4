// The same without a declared loop: nothing limits the handler on the Uno (experiment.py).
volatile unsigned long rises = 0;
void count() { ++rises; }
void setup() { attachInterrupt(digitalPinToInterrupt(2), count, RISING); }
void loop() { delay(50); }
