// random().
//
// random() is the minimal standard generator (Park and Miller, Communications of the ACM 31:10,
// 1988) with the arithmetic of avr-libc, so that a seed gives the same numbers as on an Arduino
// Uno.
#include "arduino/api/Common.h"
#include "arduino/runtime/system.h"

namespace sys = hocket::sys;

namespace {

constexpr int32_t kMultiplier = 16807;
constexpr int32_t kModulus = 0x7fffffff;
constexpr int32_t kQuotient = kModulus / kMultiplier;
constexpr int32_t kInsteadOfZero = 123459876;  // a state of 0 would stay 0

// One sequence for the whole sketch. Loops on several cores draw from it under this lock.
uint32_t lock;
int32_t state;
bool seeded;

void seed_locked(uint32_t seed) {
  state = static_cast<int32_t>(seed);
  seeded = true;
}

/// The next number, 1 to 0x7ffffffe. Schrage's decomposition gives a * x - m * (x / q) + m, or
/// without the last term. That fits 32 bits, so the products may wrap. One division, which is what
/// takes time on 8 bits.
int32_t next() {
  sys::spin_lock(&lock);
  if (!seeded) seed_locked(sys::entropy());
  const int32_t x = state == 0 ? kInsteadOfZero : state;
  const auto quotient = static_cast<uint32_t>(x / kQuotient);
  auto product = static_cast<int32_t>(uint32_t{kMultiplier} * static_cast<uint32_t>(x) + quotient -
                                      (quotient << 31));
  if (product < 0) product += kModulus;
  state = product;
  sys::spin_unlock(&lock);
  return product;
}
static_assert(kModulus == 0x7fffffff, "m * q is computed as (q << 31) - q");

}  // namespace

void randomSeed(unsigned long seed) {
  if (seed == 0) return;
  sys::spin_lock(&lock);
  seed_locked(static_cast<uint32_t>(seed));
  sys::spin_unlock(&lock);
}

long random(long end) {
  return end == 0 ? 0 : next() % end;
}

long random(long begin, long end) {
  if (begin >= end) return begin;
  return static_cast<long>(
      static_cast<unsigned long>(begin) +
      static_cast<unsigned long>(next()) %
          (static_cast<unsigned long>(end) - static_cast<unsigned long>(begin)));
}
