// A foreground loop with 10 ms in every 100 ms, beside four background loops that compute in all the rest
// (2 % stay free for the switches).
#include <PeriodCounter.h>
#include <Workload.h>

PeriodCounter counter;
volatile uint32_t primes;  // a result that nobody used would not be computed

void setup() {
  Serial.begin(115200);
  counter.begin(100, ask("periods?", 100));
}

void loop(1, 10, 100) {
  counter.run();
}

void loop(2, 11, 50) {
  primes = findPrime(20000);
}

void loop(3, 11, 50) {
  primes = findPrime(20000);
}

void loop(4, 11, 50) {
  primes = findPrime(20000);
}

void loop(5, 11, 50) {
  primes = findPrime(20000);
}
