// The FIFO from one core to the other (datasheet, 2.3.1.4).
#pragma once

#include <array>
#include <cstdint>

namespace hocket::rp2040 {

class CoreFifo {
 public:
  static constexpr unsigned kDepth = 8;

  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == kDepth; }
  /// Returns false if the word was lost.
  bool push(uint32_t word) {
    if (full()) return false;
    words_[(first_ + count_++) % kDepth] = word;
    return true;
  }
  /// Returns false if there is none.
  bool pop(uint32_t& word) {
    if (empty()) return false;
    word = words_[first_];
    first_ = (first_ + 1) % kDepth;
    --count_;
    return true;
  }

 private:
  std::array<uint32_t, kDepth> words_{};
  unsigned first_ = 0, count_ = 0;
};

}  // namespace hocket::rp2040
