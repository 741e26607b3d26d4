// A set of small numbers that finds the lowest one in a few instructions.
//
//   up to 16 numbers   one word, searched bit by bit: counting zeros is a loop there anyway
//   more               words of 64 bits, and a word that says which of them are not empty
//   more, up to 128, on a processor of 8 or 16 bits: bytes, searched byte by byte and bit by bit
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

enum class SlotWords : uint8_t { One, Bytes, Wide };
constexpr SlotWords slot_words(unsigned numbers) {
  if (numbers <= 16) return SlotWords::One;
  return sizeof(int) == 2 && numbers <= 128 ? SlotWords::Bytes : SlotWords::Wide;
}

template <unsigned kNumbers, SlotWords kKind = slot_words(kNumbers)>
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

/// Numbers are spread over bytes, which a small processor finds without shifting further ones.
template <unsigned kNumbers>
class SlotSet<kNumbers, SlotWords::Bytes> {
 public:
  static constexpr uint8_t kNone = 0xff;
  static constexpr uint8_t kBytes = (kNumbers + 7) / 8;

  void clear() {
    for (uint8_t& byte : byte_) byte = 0;
  }
  bool empty() const {
    for (const uint8_t byte : byte_) {
      if (byte != 0) return false;
    }
    return true;
  }
  bool contains(uint8_t number) const { return (byte_[number >> 3] & flag_of(number)) != 0; }
  HOCKET_APART void insert(uint8_t number) { byte_[number >> 3] |= flag_of(number); }
  HOCKET_APART void remove(uint8_t number) {
    byte_[number >> 3] &= static_cast<uint8_t>(~flag_of(number));
  }
  HOCKET_APART uint8_t first() const {
    for (uint8_t place = 0; place != kBytes; ++place) {
      uint8_t left = byte_[place];
      if (left == 0) continue;
      auto number = static_cast<uint8_t>(place << 3);
      for (; (left & 1) == 0; left >>= 1) ++number;
      return number;
    }
    return kNone;
  }
  /// Calls visit(number) for each number, in order, until that returns false.
  template <class Visit>
  [[gnu::always_inline]] void each(Visit visit) const {
    for (uint8_t place = 0; place != kBytes; ++place) {
      auto number = static_cast<uint8_t>(place << 3);
      for (uint8_t left = byte_[place]; left != 0; left >>= 1, ++number) {
        if ((left & 1) != 0 && !visit(number)) return;
      }
    }
  }

 private:
  static constexpr uint8_t flag_of(uint8_t number) { return set_of<uint8_t>(number & 7); }

  uint8_t byte_[kBytes] = {};
};

template <unsigned kNumbers>
class SlotSet<kNumbers, SlotWords::One> {
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
