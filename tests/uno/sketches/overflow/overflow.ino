// Loop 2 needs more stack than it has.
volatile uint8_t sum;
__attribute__((noinline)) void deep(uint8_t n) {
  volatile uint8_t room[16];
  room[n % 16] = n;
  if (n > 0) deep(n - 1);
  sum += room[n % 16];
}
void setup() {}
void loop(1, 5, 20) { delay(5); }
void loop(2, 5, 50, stackBytes(128)) {
  deep(12);
  delay(5);
}
