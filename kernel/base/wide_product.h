// The product of two numbers in a type of twice the width. A port may specialise it if its
// processor can multiply in fewer instructions than the compiler emits.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

template <class Wide, class Half>
constexpr Wide wide_product(Half a, Half b) {
  return Wide{a} * b;
}

/// The upper word of a · b. Without a wider type it takes long multiplication of half words.
template <class Word>
constexpr Word high_product(Word a, Word b) {
#ifdef __SIZEOF_INT128__  // then the processor has an instruction for it
  if constexpr (sizeof(Word) == sizeof(uint64_t)) {
    return static_cast<Word>(static_cast<unsigned __int128>(a) * b >> 64);
  }
#endif
  using Half = ChosenType<sizeof(Word) == sizeof(uint64_t), uint32_t, uint16_t>;
  constexpr unsigned kHalf = 8 * sizeof(Half);
  const auto a_low = static_cast<Half>(a), b_low = static_cast<Half>(b);
  const auto a_high = static_cast<Half>(a >> kHalf), b_high = static_cast<Half>(b >> kHalf);
  const Word first = wide_product<Word>(a_high, b_low), second = wide_product<Word>(a_low, b_high);
  const Word carried = Word{static_cast<Half>(first)} + static_cast<Half>(second) +
                       (wide_product<Word>(a_low, b_low) >> kHalf);
  return wide_product<Word>(a_high, b_high) + (first >> kHalf) + (second >> kHalf) +
         (carried >> kHalf);
}

}  // namespace hocket
