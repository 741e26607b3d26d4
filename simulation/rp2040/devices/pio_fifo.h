// The two FIFOs of a state machine, which can be joined into one (datasheet, 3.5.6).
#pragma once

#include <array>
#include <cstdint>

namespace hocket::rp2040 {

class PioFifo {
 public:
  /// 4 words; 8 with those of the other direction, 0 without its own.
  void set_depth(unsigned depth) {
    depth_ = depth;
    clear();
  }
  void clear() { first_ = count_ = 0; }
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ >= depth_; }
  unsigned level() const { return count_; }
  bool push(uint32_t word) {
    if (full()) return false;
    words_[(first_ + count_++) % words_.size()] = word;
    return true;
  }
  bool pop(uint32_t& word) {
    if (empty()) return false;
    word = words_[first_];
    first_ = (first_ + 1) % words_.size();
    --count_;
    return true;
  }

 private:
  std::array<uint32_t, 8> words_{};
  unsigned depth_ = 4, first_ = 0, count_ = 0;
};

}  // namespace hocket::rp2040
