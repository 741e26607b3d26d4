// round() on the Uno returns a whole number, as in Arduino's core for AVR, so that `round(x) % 2`
// compiles and println(round(2.5)) prints 3. A macro renames it, because <math.h> has a function of
// that name. On boards with the C++ library round() is that of <math.h>: a macro would break the
// library's other overloads.
#pragma once

#include <math.h>

#ifdef __AVR__
#ifdef __cplusplus
template <class T>
constexpr long hocket_round(T x) {
  return static_cast<long>(x < 0 ? x - 0.5 : x + 0.5);
}
#define round(x) hocket_round(x)
#else
#define round(x) ((long)((x) < 0 ? (x) - 0.5 : (x) + 0.5))
#endif
#endif
