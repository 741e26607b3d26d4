// How long interrupts are masked, and by what.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "simulation/avr/mcu.h"

namespace hocket::avr {

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

  /// Call after each step: the section has lasted for so long, the instruction was at `pc`.
  void look(Cycles lasted, uint32_t pc) {
    const Cycles next = place_count == 0 ? 0 : Cycles{16} << place_count;
    if (lasted >= next && place_count < kMostPlaces) places[place_count++] = pc;
  }
};

class MaskWatch {
 public:
  /// `spin_lock`: the address of that function, in an image that has it.
  explicit MaskWatch(std::optional<uint32_t> spin_lock) : spin_lock_(spin_lock) {}

  /// Call after each step. `loop` ran, the instruction was at `pc`. (Where an interrupt comes in
  /// that step, the instruction is still the interrupted code's.)
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
    }
    if (masked_ && mcu.entered() == 0) present_.look(now - since_, pc);
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

  static bool holds_spinlock(std::optional<uint32_t> spin_lock, const MaskedSection& section) {
    return spin_lock && section.place_count > 0 && section.places[0] - *spin_lock < kOfSpinLock;
  }

 private:
  void end(Cycles now) {
    present_.length = now - since_;
    if (present_.length > longest_.length) longest_ = present_;
    if (holds_spinlock(spin_lock_, present_)) {
      longest_spin_ = std::max(longest_spin_, present_.length);
    }
    since_ = now;
  }

  static constexpr uint32_t kOfSpinLock = 16;  // bytes from its begin within which it masks

  std::optional<uint32_t> spin_lock_;
  MaskedSection present_, longest_;
  Cycles longest_spin_ = 0;
  Cycles since_ = 0;
  Cycles asleep_ = 0;
  bool masked_ = true;
};

/// The longest stretch that code outside of the kernel masked: a loop, or a handler that no budget
/// ends (an ISR() of the sketch or of a library). The guarantees count neither. A hold of a
/// spinlock is counted, up to the longest that a loop may have.
///
///   a loop's section │ the kernel, which switches │ the loop that it has switched to, masked still
///   ─────────────────┴────────────────────────────┴──────────────────────────────────▶
///   one stretch of MaskWatch; here two, without the kernel's part
class OutsideMaskWatch {
 public:
  OutsideMaskWatch(std::optional<uint32_t> spin_lock, Cycles longest_spin)
      : spin_lock_(spin_lock), longest_spin_(longest_spin) {}

  /// Call after each step of `loop` (-1: none runs); the instruction was at `pc`. `handler`: such a
  /// one runs; 0: none. `by_loop`: the processor is masked, and not for the kernel.
  void update(const Mcu& mcu, int loop, uint32_t pc, unsigned handler, bool by_loop) {
    const Cycles now = mcu.cycle();
    if (mcu.asleep() != asleep_) {  // time passes asleep, and a handler may begin in the same step
      asleep_ = mcu.asleep();
      last_ = now;
      active_ = false;
    }
    const bool outside = mcu.masked() && (handler != 0 || (by_loop && loop >= 0));
    const bool another = handler != present_.interrupt || mcu.entered() != 0;
    if (active_ && (!outside || another)) end(outside ? last_ : now);
    if (outside && !active_) begin(loop, handler);
    if (active_ && mcu.entered() == 0) present_.look(now - since_, pc);
    last_ = now;
  }
  /// The run has ended: a stretch that has not ended counts.
  void finish() {
    if (active_) end(last_);
  }
  /// Discards what was measured so far.
  void forget() {
    longest_ = {};
    active_ = false;
  }
  const MaskedSection& longest() const { return longest_; }

 private:
  void begin(int loop, unsigned handler) {
    active_ = true;
    present_ = {.loop = loop, .interrupt = handler};
    since_ = last_;
  }
  void end(Cycles at) {
    active_ = false;
    present_.length = at - since_;
    const bool spins = MaskWatch::holds_spinlock(spin_lock_, present_);
    if (spins && present_.length <= longest_spin_) return;
    if (present_.length > longest_.length) longest_ = present_;
  }

  std::optional<uint32_t> spin_lock_;
  Cycles longest_spin_;
  MaskedSection present_, longest_;
  bool active_ = false;
  Cycles since_ = 0, last_ = 0, asleep_ = 0;
};

}  // namespace hocket::avr
