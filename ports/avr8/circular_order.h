// Compares 32-bit instants and durations in five instructions. clang turns such a comparison into a
// byte and tests that byte again (7 instructions more each time); it cannot do so with a jump out
// of assembler code.
#pragma once

#include "kernel/base/time.h"

namespace hocket::detail {

inline uint16_t low_half(int32_t a) {
  return static_cast<uint16_t>(a);
}
inline uint16_t high_half(int32_t a) {
  return static_cast<uint16_t>(static_cast<uint32_t>(a) >> 16);
}
// SAFETY: only flags change. These are branches over a jump, because a branch alone reaches at most
// 64 instructions.
#define HOCKET_AVR8_COMPARE(a, b, branch)                                             \
  asm goto("cp %A0, %A2\n cpc %B0, %B2\n cpc %A1, %A3\n cpc %B1, %B3\n " branch       \
           " .+2\n rjmp %l[yes]"                                                      \
           :                                                                          \
           : "r"(low_half(a)), "r"(high_half(a)), "r"(low_half(b)), "r"(high_half(b)) \
           :                                                                          \
           : yes);                                                                    \
  return false;                                                                       \
  yes:                                                                                \
  return true

template <>
struct CircularOrder<int32_t> {
  static constexpr bool before(int32_t a, int32_t b) {
    return __builtin_is_constant_evaluated() ? tick_difference(a, b) < 0
                                             : difference_is_negative(a, b);
  }

 private:
  [[gnu::always_inline]] static bool difference_is_negative(int32_t a, int32_t b) {
    HOCKET_AVR8_COMPARE(a, b, "brpl");
  }
};

template <>
struct DurationOrder<int32_t> {
  [[gnu::always_inline]] static constexpr bool less(int32_t a, int32_t b) {
    if (__builtin_is_constant_evaluated()) return a < b;
    if (__builtin_constant_p(b) && b == 0) return is_negative(a);
    if (__builtin_constant_p(a) && a == 0) return is_positive(b);
    if (__builtin_constant_p(a) || __builtin_constant_p(b)) return a < b;
    return is_less(a, b);
  }

 private:
  [[gnu::always_inline]] static bool is_less(int32_t a, int32_t b) {
    HOCKET_AVR8_COMPARE(a, b, "brge");
  }
  // SAFETY: as above; r1 is 0.
  [[gnu::always_inline]] static bool is_positive(int32_t a) {
    asm goto("cp r1, %A0\n cpc r1, %B0\n cpc r1, %A1\n cpc r1, %B1\n brge .+2\n rjmp %l[yes]"
             :
             : "r"(low_half(a)), "r"(high_half(a))
             :
             : yes);
    return false;
  yes:
    return true;
  }
  [[gnu::always_inline]] static bool is_negative(int32_t a) {
    asm goto("sbrc %B0, 7\n rjmp %l[yes]" : : "r"(high_half(a)) : : yes);
    return false;
  yes:
    return true;
  }
};
#undef HOCKET_AVR8_COMPARE

}  // namespace hocket::detail
