// When the kernel is working: in one of its sections (ports/avr8/port.h), or with interrupts
// masked. Its state is consistent at all other times.
#pragma once

#include <algorithm>

#include "ports/avr8/flags.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

class SectionWatch {
 public:
  static bool flag(const Mcu& mcu, uint8_t flag) {
    return (mcu.data(avr8::kFlagsAddress) >> flag & 1) != 0;
  }

  /// Call after each step. Returns true if a section has just ended.
  bool update(const Mcu& mcu) {
    const Cycles now = mcu.cycle();
    if (mcu.asleep() != asleep_) {  // time passes asleep, and a handler may begin in the same step
      asleep_ = mcu.asleep();
      since_ = now;
    }
    const bool was_open = open_;
    open_ = mcu.masked() || flag(mcu, avr8::kKernel);
    if (was_open && !open_) {
      entered_ = since_;
      longest_ = std::max(longest_, now - since_);
    }
    if (!open_) since_ = now;
    return was_open && !open_;
  }
  bool open() const { return open_; }
  /// The begin of the present section, or of the one that has just ended.
  Cycles entered() const { return open_ ? since_ : entered_; }
  Cycles longest() const { return longest_; }
  /// Discards what was measured so far.
  void forget() { longest_ = 0; }

 private:
  bool open_ = true;
  Cycles since_ = 0;
  Cycles entered_ = 0;
  Cycles asleep_ = 0;
  Cycles longest_ = 0;
};

}  // namespace hocket::avr
