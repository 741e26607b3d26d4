// min, max, abs, constrain, sq, radians, degrees: functions in C++, macros in C.
//
// Functions evaluate their arguments once and do not change the standard headers. They take
// arguments by value, so that a `static const int` member without a definition can be passed.
#pragma once

#include <math.h>
#include <stdlib.h>

#ifdef __cplusplus

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"

template <class A, class B>
constexpr auto min(A a, B b) {
  return b < a ? b : a;
}

template <class A, class B>
constexpr auto max(A a, B b) {
  return a < b ? b : a;
}

template <class A, class L, class H>
constexpr auto constrain(A amount, L low, H high) {
  return amount < low ? low : (amount > high ? high : amount);
}

#pragma GCC diagnostic pop

template <class T>
constexpr auto sq(T x) {
  return x * x;
}

template <class T>
constexpr auto radians(T deg) {
  return deg * DEG_TO_RAD;
}

template <class T>
constexpr auto degrees(T rad) {
  return rad * RAD_TO_DEG;
}

#undef abs  // avr-libc defines a macro of this name.
// The standard abs() has no unsigned form, but many sketches write `abs(millis() - start)`.
constexpr unsigned int abs(unsigned int x) {
  return x;
}
constexpr unsigned long abs(unsigned long x) {
  return x;
}
constexpr unsigned long long abs(unsigned long long x) {
  return x;
}

// Without a C++ library, <stdlib.h> has abs(int) only.
#if !__has_include(<cstdlib>)
constexpr long abs(long x) {
  return x < 0 ? -x : x;
}
constexpr long long abs(long long x) {
  return x < 0 ? -x : x;
}
constexpr float abs(float x) {
  return __builtin_fabsf(x);
}
constexpr double abs(double x) {
  return __builtin_fabs(x);
}
constexpr long double abs(long double x) {
  return __builtin_fabsl(x);
}
#endif

#else

#ifndef min
#define min(a, b) ((b) < (a) ? (b) : (a))
#endif
#ifndef max
#define max(a, b) ((a) < (b) ? (b) : (a))
#endif
#define constrain(amount, low, high) \
  ((amount) < (low) ? (low) : ((amount) > (high) ? (high) : (amount)))
#define sq(x) ((x) * (x))
#define radians(deg) ((deg) * DEG_TO_RAD)
#define degrees(rad) ((rad) * RAD_TO_DEG)

#endif
