// Compares 32-bit instants in five instructions. clang turns such a comparison into a byte and
// tests that byte again (7 instructions more each time); it cannot do so with a jump out of
// assembler code.
#pragma once

#include "kernel/base/time.h"

namespace hocket::detail {

template <>
struct CircularOrder<int32_t> {
  static constexpr bool before(int32_t a, int32_t b) {
    return __builtin_is_constant_evaluated() ? tick_difference(a, b) < 0
                                             : difference_is_negative(a, b);
  }

 private:
  [[gnu::always_inline]] static bool difference_is_negative(int32_t a, int32_t b) {
    // SAFETY: only flags change. This is a branch over a jump, because a branch alone reaches at
    // most 64 instructions.
    asm goto("cp %A0, %A2\n cpc %B0, %B2\n cpc %A1, %A3\n cpc %B1, %B3\n brpl .+2\n rjmp %l[yes]"
             :
             : "r"(low(a)), "r"(high(a)), "r"(low(b)), "r"(high(b))
             :
             : yes);
    return false;
  yes:
    return true;
  }
  static uint16_t low(int32_t a) { return static_cast<uint16_t>(a); }
  static uint16_t high(int32_t a) { return static_cast<uint16_t>(static_cast<uint32_t>(a) >> 16); }
};

}  // namespace hocket::detail
