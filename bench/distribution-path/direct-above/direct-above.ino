// A handler in the interrupt itself, whose edges find another system at work: the loop sleeps (on_linux.py).
volatile unsigned long calls;
void seen() { ++calls; }
void setup() { attachInterruptDirect(2, seen, RISING, 20us, 1ms); }
void loop(1, 1, 100) { delay(1000); }
