// round(): a whole number, as in Arduino's core for the Uno, so that `round(x) % 2` compiles and
// println(round(2.5)) prints 3. <math.h> has one of that name: a sketch's becomes another by a
// macro, and `std::round()` remains what it is. For sketches and libraries alone.
#pragma once

#include <math.h>

#ifdef __cplusplus

#if __has_include(<chrono>)
#include <chrono>  // has templates called round(), which the macro must not meet
#endif

template <class T>
constexpr long hocket_round(T x) {
  return static_cast<long>(x < 0 ? x - 0.5 : x + 0.5);
}
#if __has_include(<cmath>)
namespace std {  // NOLINT(cert-dcl58-cpp): what the macro makes of std::round()
inline float hocket_round(float x) {
  return __builtin_roundf(x);
}
inline double hocket_round(double x) {
  return __builtin_round(x);
}
inline long double hocket_round(long double x) {
  return __builtin_roundl(x);
}
template <class T>
inline double hocket_round(T x) {
  return __builtin_round(static_cast<double>(x));
}
}  // namespace std
#endif

#define round(x) hocket_round(x)

#else

#define round(x) ((long)((x) < 0 ? (x) - 0.5 : (x) + 0.5))

#endif
