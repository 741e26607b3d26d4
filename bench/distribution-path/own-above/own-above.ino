// A handler on a virtual CPU of its own, whose edges find another system at work: the loop sleeps (on_linux.py).
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { attachInterruptVcpu(2, seen, RISING, 1, 20); }
void loop(1, 1, 100) { delay(1000); }
