// Case 2 of the paper's Table III: one loop that finds all primes below 80,000.
#include <Workload.h>

const int COMPUTING = 12;  // high while findPrime runs

uint32_t below;
bool finished = false;

void setup() {
  Serial.begin(115200);
  pinMode(COMPUTING, OUTPUT);
  below = ask("below?", 80000);
}

void loop(1, 498, 500) {
  if (finished) {
    delay(1000);
    return;
  }
  digitalWrite(COMPUTING, HIGH);
  uint32_t primes = findPrime(below);
  digitalWrite(COMPUTING, LOW);
  Serial.print(primes);
  Serial.println(" primes");
  finished = true;
}
