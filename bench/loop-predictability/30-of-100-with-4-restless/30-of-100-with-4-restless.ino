// A foreground loop with 30 ms in every 100 ms, beside four background loops that compute for a while and
// rest for a while, at random: what they leave to others is different in each period.
#include <PeriodCounter.h>
#include <Workload.h>

PeriodCounter counter;
volatile uint32_t primes;  // a result that nobody used would not be computed

void setup() {
  Serial.begin(115200);
  randomSeed(analogRead(A0));  // nothing is wired to A0: noise, which depends on the run's seed
  counter.begin(100, ask("periods?", 100));
}

void computeAndRest() {
  primes = findPrime(random(1000, 8000));
  delay(random(1, 40));
}

void loop(1, 30, 100) {
  counter.run();
}

void loop(2, 8500us, 50) {
  computeAndRest();
}

void loop(3, 8500us, 50) {
  computeAndRest();
}

void loop(4, 8500us, 50) {
  computeAndRest();
}

void loop(5, 8500us, 50) {
  computeAndRest();
}
