// The experiments' computation, in C and in C++: the sketches and the programs for Linux have the
// same.
#pragma once

#include <stdint.h>

/// How many primes there are below `limit`. Divides each odd number by the odd numbers below it,
/// until one divides: much computation, hardly any memory, no input or output.
static inline uint32_t findPrime(uint32_t limit) {
  uint32_t found = limit > 2 ? 1 : 0;  // 2
  for (uint32_t number = 3; number < limit; number += 2) {
    uint32_t divisor = 3;
    while (number % divisor != 0) {
      divisor += 2;
    }
    if (divisor == number) {
      found++;
    }
  }
  return found;
}
