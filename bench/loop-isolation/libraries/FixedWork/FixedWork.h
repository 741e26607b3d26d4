// A fixed piece of work that a loop does once: findPrime, with a pin high from its beginning to its
// end.
#pragma once

#include <Workload.h>

namespace FixedWork {

/// The pin of the loop with this id; setup() makes it an output.
constexpr uint8_t pinOf(uint8_t loopId) {
  return 20 + loopId;
}

/// Finds the primes below `below`, prints how many, and from the second call on only rests.
inline void doOnce(uint8_t loopId, uint32_t below) {
  static bool finished[4] = {};
  if (finished[loopId]) {
    delay(1000);
    return;
  }
  digitalWrite(pinOf(loopId), HIGH);
  uint32_t primes = findPrime(below);
  digitalWrite(pinOf(loopId), LOW);
  Serial.print(primes);
  Serial.println(" primes");
  finished[loopId] = true;
}

}  // namespace FixedWork
