// Case 3 of the paper's Table III: one loop that writes to the pin and then finds the primes. While a
// write waits, nothing is computed.
#include <Workload.h>

const int OUT = 13;
const int WRITING = 11;    // high from the first write to the end of the last one
const int COMPUTING = 12;  // high while findPrime runs

uint32_t below;
uint32_t writes;
uint32_t waitMs;
bool finished = false;

void setup() {
  Serial.begin(115200);
  pinMode(OUT, OUTPUT);
  pinMode(WRITING, OUTPUT);
  pinMode(COMPUTING, OUTPUT);
  below = ask("below?", 80000);
  writes = ask("writes?", 2000);
  waitMs = ask("wait?", 2);
}

void loop(1, 498, 500) {
  if (finished) {
    delay(1000);
    return;
  }
  digitalWrite(WRITING, HIGH);
  writePin(OUT, writes, waitMs);
  digitalWrite(WRITING, LOW);

  digitalWrite(COMPUTING, HIGH);
  uint32_t primes = findPrime(below);
  digitalWrite(COMPUTING, LOW);
  Serial.print(primes);
  Serial.println(" primes");
  finished = true;
}
