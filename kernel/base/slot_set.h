// A set of small numbers that finds the lowest one in a few instructions.
//
//   up to 16 numbers   one word, searched bit by bit: counting zeros is a loop there anyway
//   more               words of 64 bits, and a word that says which of them are not empty
//
//     number     0 … 63    64 … 127   128 …            lowest: the lowest word that is not empty,
//     words    [ 0 0 0 ]  [ 0 1 0 1 ]  [ 0 0 ]         and its lowest bit
//     filled       0          1          0
//
// No locks: the user makes sure that calls do not overlap. Nothing blocks.
#pragma once

#include "kernel/base/types.h"

namespace hocket {

/// The set with this one number. Three conditional shifts replace a variable shift, which is a loop
/// on small processors.
template <class Word>
constexpr Word set_of(uint8_t number) {
  Word word = (number & 1) != 0 ? 2 : 1;
  if ((number & 2) != 0) word = static_cast<Word>(word << 2);
  if ((number & 4) != 0) word = static_cast<Word>(word << 4);
  if constexpr (sizeof(Word) > 1) {
    if ((number & 8) != 0) word = static_cast<Word>(word << 8);
  }
  return word;
}

template <unsigned kNumbers, bool kFew = (kNumbers <= 16)>
class SlotSet {
  static constexpr unsigned kWords = (kNumbers + 63) / 64;
  static_assert(kWords <= 64);

 public:
  static constexpr unsigned kNone = ~0u;

  void clear() { *this = SlotSet(); }
  bool empty() const { return filled_ == 0; }
  bool contains(unsigned number) const { return (word_[number / 64] >> (number % 64) & 1) != 0; }
  void insert(unsigned number) {
    word_[number / 64] |= uint64_t{1} << (number % 64);
    filled_ |= uint64_t{1} << (number / 64 % 64);
  }
  void remove(unsigned number) {
    uint64_t& word = word_[number / 64];
    word &= ~(uint64_t{1} << (number % 64));
    if (word == 0) filled_ &= ~(uint64_t{1} << (number / 64 % 64));
  }
  /// The lowest number in the set, or kNone.
  unsigned first() const {
    if (filled_ == 0) return kNone;
    const auto word = static_cast<unsigned>(__builtin_ctzll(filled_));
    return word * 64 + static_cast<unsigned>(__builtin_ctzll(word_[word]));
  }

 private:
  uint64_t filled_ = 0;
  uint64_t word_[kWords] = {};
};

template <unsigned kNumbers>
class SlotSet<kNumbers, true> {
  using Word = ChosenType<(kNumbers <= 8), uint8_t, uint16_t>;

 public:
  static constexpr uint8_t kNone = 0xff;

  void clear() { word_ = 0; }
  bool empty() const { return word_ == 0; }
  HOCKET_APART void insert(uint8_t number) { word_ |= set_of<Word>(number); }
  HOCKET_APART void remove(uint8_t number) { word_ &= static_cast<Word>(~set_of<Word>(number)); }
  HOCKET_APART uint8_t first() const {
    Word left = word_;
    if (left == 0) return kNone;
    uint8_t number = 0;
    for (; (left & 1) == 0; left >>= 1) ++number;
    return number;
  }

 private:
  Word word_ = 0;
};

}  // namespace hocket
