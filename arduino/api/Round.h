// round() on the Uno: a whole number, as in Arduino's core for it, so that `round(x) % 2` compiles
// and println(round(2.5)) prints 3. <math.h> has one of that name: a sketch's becomes another by a
// macro. On boards that have the C++ library it is <math.h>'s: the library's headers have further
// ones, which a macro would spoil.
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
