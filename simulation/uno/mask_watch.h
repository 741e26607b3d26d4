// How long interrupts are masked, and by what.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "simulation/uno/mcu.h"

namespace hocket::uno {

/// A time span with interrupts masked.
struct MaskedSection {
  Cycles length = 0;
  int loop = -1;           // the loop that ran; -1: none
  unsigned interrupt = 0;  // the interrupt that began it; 0: an instruction
  // Addresses meanwhile: the instruction that masked, then at 32, 64, 128 … cycles. The masking
  // function is often the library's, while the sketch takes the time.
  static constexpr size_t kMostPlaces = 24;
  std::array<uint32_t, kMostPlaces> places{};
  size_t place_count = 0;
};

class MaskWatch {
 public:
  /// `spin_lock`: the address of that function, in an image that has it.
  explicit MaskWatch(std::optional<uint32_t> spin_lock) : spin_lock_(spin_lock) {}

  /// Call after each step. `loop` ran, the instruction was at `pc`.
  void update(const Mcu& mcu, int loop, uint32_t pc) {
    const Cycles now = mcu.cycle();
    if (mcu.asleep() != asleep_) {  // time passes asleep, and a handler may begin in the same step
      asleep_ = mcu.asleep();
      present_ = {};
      since_ = now;
    }
    const bool was_masked = masked_;
    masked_ = mcu.masked();
    if (masked_ && (!was_masked || mcu.entered() != 0)) {
      if (was_masked) end(now);  // one handler directly after the other
      present_ = {.loop = loop, .interrupt = mcu.entered()};
      next_place_ = 0;
    }
    if (masked_ && now - since_ >= next_place_ && present_.place_count < present_.kMostPlaces) {
      present_.places[present_.place_count++] = pc;
      next_place_ = next_place_ == 0 ? kFirstPlace : 2 * next_place_;
    }
    if (was_masked && !masked_) end(now);
    if (!masked_) since_ = now;
  }
  /// The run has ended: a span that has not ended counts.
  void finish(Cycles now) {
    if (masked_) end(now);
  }
  /// Discards what was measured so far.
  void forget() {
    longest_ = {};
    longest_spin_ = 0;
  }
  const MaskedSection& longest() const { return longest_; }
  /// The longest span for which a spinlock was held.
  Cycles longest_spin() const { return longest_spin_; }

 private:
  void end(Cycles now) {
    present_.length = now - since_;
    if (present_.length > longest_.length) longest_ = present_;
    if (spin_lock_ && present_.place_count > 0 && present_.places[0] - *spin_lock_ < kOfSpinLock) {
      longest_spin_ = std::max(longest_spin_, present_.length);
    }
    since_ = now;
  }

  static constexpr Cycles kFirstPlace = 32;
  static constexpr uint32_t kOfSpinLock = 16;  // bytes from its begin within which it masks

  std::optional<uint32_t> spin_lock_;
  MaskedSection present_, longest_;
  Cycles longest_spin_ = 0;
  Cycles next_place_ = 0;
  Cycles since_ = 0;
  Cycles asleep_ = 0;
  bool masked_ = true;
};

}  // namespace hocket::uno
