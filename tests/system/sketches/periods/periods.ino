// A periodic loop that is always done in time, one that now and then takes 25 ms of its 10, and company.
volatile unsigned calls = 0;

void setup() {
}

void periodic(1, 1ms, 10ms) {
  calls++;
}

void periodic(2, 2ms, 10ms, 5ms) {
  static int n = 0;
  if (++n % 10 == 0) delay(25);
}

void loop(3, 30, 100) {
  delayMicroseconds(777);
}
