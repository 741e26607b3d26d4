// What the neighbours' programs ask of their processor, at EL1 of the non-secure state.
#pragma once

#include <stdint.h>

namespace hocket::neighbour {

template <class Word = uint32_t>
volatile Word& at(uint64_t address) {
  return *reinterpret_cast<volatile Word*>(address);
}

inline uint64_t this_core() {
  uint64_t value;
  asm volatile("mrs %0, mpidr_el1" : "=r"(value));
  return value & 0xff;
}

/// A call of SMCCC, with its answer.
inline int64_t smc(uint64_t function, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0) {
  register uint64_t x0 asm("x0") = function;
  register uint64_t x1 asm("x1") = a;
  register uint64_t x2 asm("x2") = b;
  register uint64_t x3 asm("x3") = c;
  asm volatile("smc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3) : "memory");
  return static_cast<int64_t>(x0);
}

}  // namespace hocket::neighbour
