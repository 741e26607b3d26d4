// Two flow meters. The contact of one goes bad and storms, a hundred thousand edges a second; the other meter and the
// control loop do not notice.
//
// Each handler has 500 us in every 20 ms and gets no more, whatever its pin does; the interrupts themselves follow the
// I/O virtual CPU's budget. Every edge is in the report: delivered, pending or lost.
//
// Parts: the good meter on pin 3 (40 pulses a second), the bad one on pin 2.
volatile unsigned long good = 0;
volatile unsigned long bad = 0;

void goodPulse() {
  ++good;
}
void badPulse() {
  ++bad;
}

void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(3, goodPulse, RISING, 500us, 20ms);
  attachInterruptVcpu(2, badPulse, RISING, 500us, 20ms);
  interruptsVcpu(500us, 20ms);
}

// Control: most of the processor, and each call done by its deadline.
void periodic(1, 14ms, 20ms) {
  volatile unsigned work = 0;
  for (unsigned i = 0; i < 150000; ++i) work += i;
}

void loop(2, 1ms, 250ms) {
  static unsigned long before = 0;
  unsigned long now = good;
  Serial.print("pulses ");
  Serial.println(now - before);
  before = now;
  delay(250);
}
