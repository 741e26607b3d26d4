// A loop that is woken every 20 ms and one that is every second, so that the clock comes round while
// the kernel works in every possible way.
void setup() {}
void loop(1, 10, 100) { delay(1000); }
void loop(2, 1, 10) {
  delay(20);
  delayMicroseconds(200);
}
