// A rotary encoder, counted by interrupts, beside a loop that takes all the time it is given.
//
// The handler looks at B when A changes, so it must come before B changes as well: a quarter of a turn's step
// later, 5 ms here. `hocket check` says how late it may come: delay bound. A section of noInterrupts() holds the
// handler back, so the sketch says how long its section takes at most.
//
// Parts: two signals in quadrature, A on pin 2, B on pin 3; 50 steps a second.
const int A = 2;
const int B = 3;

HOCKET_LONGEST_SECTION(200us);

volatile long position = 0;

void turned() {
  position += digitalRead(A) == digitalRead(B) ? -1 : 1;
}

void setup() {
  Serial.begin(115200);
  attachInterruptVcpu(A, turned, CHANGE, 100us, 1ms);
}

void loop(1, 1ms, 100ms) {
  noInterrupts();
  long now = position;
  interrupts();
  Serial.println(now);
  delay(100);
}

void loop(2, 70ms, 100ms) {
  volatile unsigned work = 0;
  for (int i = 0; i < 1000; ++i) work += i;
}
