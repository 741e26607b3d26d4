// A handler in the interrupt itself: where a trace of the processor ends (experiment.py).
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { attachInterruptDirect(2, seen, RISING, 20us, 1ms); }
void loop(1, 50, 100) { for (volatile int i = 0; i < 1000; ++i) { } }
