// For how long interrupts are masked, and who did it.
#pragma once

#include "boards/uno/simulator/mcu.h"

namespace hocket::uno {

/// A stretch with interrupts masked.
struct MaskedSection {
  Cycles length = 0;
  int loop = -1;           // that ran; -1: none
  uint32_t code = 0;       // the instruction that masked them
  unsigned interrupt = 0;  // …or the interrupt that came; 0: none
};

class MaskWatch {
 public:
  /// After each step. `loop` ran it, the instruction was at `pc`. True: they are unmasked again.
  bool update(const Mcu& mcu, int loop, uint32_t pc) {
    const Cycles now = mcu.cycle();
    if (mcu.asleep() != asleep_) {  // time passes asleep, and a handler may begin in the same step
      asleep_ = mcu.asleep();
      present_ = {};
      since_ = now;
    }
    const bool was_masked = masked_;
    masked_ = mcu.masked();
    if (masked_ && (!was_masked || mcu.entered() != 0)) {
      if (was_masked) end(now);  // one handler after the other
      present_ = {0, loop, pc, mcu.entered()};
    }
    if (was_masked && !masked_) end(now);
    if (!masked_) since_ = now;
    return was_masked && !masked_;
  }
  /// When the present stretch, or the one that has just ended, began.
  Cycles entered() const { return masked_ ? since_ : entered_; }
  /// Nothing comes after this: a stretch that lasts counts.
  void finish(Cycles now) {
    if (masked_) end(now);
  }
  /// What was before does not count.
  void forget() { longest_ = {}; }
  const MaskedSection& longest() const { return longest_; }

 private:
  void end(Cycles now) {
    present_.length = now - since_;
    if (present_.length > longest_.length) longest_ = present_;
    entered_ = since_;
    since_ = now;
  }

  MaskedSection present_, longest_;
  Cycles since_ = 0;
  Cycles entered_ = 0;
  Cycles asleep_ = 0;
  bool masked_ = true;
};

}  // namespace hocket::uno
