// Case 4 of the paper's Table III: one loop finds the primes, the other writes to the pin. While a
// write waits, the primes go on.
#include <Workload.h>

const int OUT = 13;
const int WRITING = 11;    // high from the first write to the end of the last one
const int COMPUTING = 12;  // high while findPrime runs

uint32_t below;
uint32_t writes;
uint32_t waitMs;
bool computed = false;
bool written = false;

void setup() {
  Serial.begin(115200);
  pinMode(OUT, OUTPUT);
  pinMode(WRITING, OUTPUT);
  pinMode(COMPUTING, OUTPUT);
  below = ask("below?", 80000);
  writes = ask("writes?", 2000);
  waitMs = ask("wait?", 2);
}

void loop(1, 495, 500) {
  if (computed) {
    delay(1000);
    return;
  }
  digitalWrite(COMPUTING, HIGH);
  uint32_t primes = findPrime(below);
  digitalWrite(COMPUTING, LOW);
  Serial.print(primes);
  Serial.println(" primes");
  computed = true;
}

// The paper gives the writes 3/500 of an I/O virtual CPU; here they have a loop's.
void loop(2, 3, 500) {
  if (written) {
    delay(1000);
    return;
  }
  digitalWrite(WRITING, HIGH);
  writePin(OUT, writes, waitMs);
  digitalWrite(WRITING, LOW);
  written = true;
}
