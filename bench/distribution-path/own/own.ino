// A handler on a virtual CPU of its own: where a trace of the processor ends (experiment.py).
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { attachInterruptVcpu(2, seen, RISING, 1, 20); }
void loop(1, 50, 100) { for (volatile int i = 0; i < 1000; ++i) { } }
