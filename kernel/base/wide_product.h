// The product of two numbers in a type of twice the width. A port may specialise it if its
// processor can multiply in fewer instructions than the compiler emits.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class Wide, class Half>
constexpr Wide wide_product(Half a, Half b) {
  return Wide{a} * b;
}

#ifdef __SIZEOF_INT128__
/// The upper 64 bits of a · b, on processors with an instruction for that.
inline constexpr bool kHasHighProduct = true;
constexpr uint64_t high_product(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}
#else
inline constexpr bool kHasHighProduct = false;
constexpr uint64_t high_product(uint64_t, uint64_t) {
  return 0;  // never called
}
#endif

}  // namespace hocket
