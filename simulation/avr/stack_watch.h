// How deep the running thread's stack gets, and whether it leaves its bounds.
//
// At a switch the stack pointer still belongs to the other thread for a while. Its halves are
// written one after the other, so in between it belongs to no stack. It therefore counts only once
// it has been inside the new stack, and only if it has stayed or moved as push and call move it.
#pragma once

#include "simulation/avr/mcu.h"

namespace hocket::avr {

class StackWatch {
 public:
  /// From now on the stack from `bottom` to `top` is used. `painted`: its lowest byte is to stay as
  /// it is, the kernel looks at it.
  void run(unsigned bottom, unsigned top, bool painted) {
    bottom_ = bottom;
    lowest_ = painted ? bottom : bottom - 1;  // the pointer is one below what is used
    top_ = top;
    inside_ = false;
    deepest_ = top;
  }
  /// It is used again, after another one has been. The flag that says so changes some instructions
  /// before or behind the pointer, which is the other stack's until then.
  void go_on() {
    inside_ = false;
    stayed_ = 0;
    last_ = 0;
  }
  /// After each step; true when the stack has just left its place.
  bool update(const Mcu& mcu) {
    const uint16_t pointer = mcu.stack_pointer();
    const auto down = static_cast<uint16_t>(last_ - pointer);  // up: a large number
    const bool was_below = last_ < lowest_;
    stayed_ = down == 0 ? stayed_ + 1 : 0;
    last_ = pointer;
    if (stayed_ < kLongEnough && (down == 0 || down > mcu.chip().return_bytes)) return false;
    if (pointer >= lowest_ && pointer <= top_) {
      inside_ = true;
      deepest_ = pointer < deepest_ ? pointer : deepest_;
      return false;
    }
    // (Halves of two stacks' pointers may look like a push that comes from below.)
    return inside_ && pointer < lowest_ && (down == 0 || !was_below);
  }
  unsigned size() const { return top_ - bottom_ + 1; }
  uint16_t used() const { return static_cast<uint16_t>(top_ - deepest_); }

 private:
  static constexpr unsigned kLongEnough = 2;  // steps: longer than it takes to write both halves

  unsigned bottom_ = 0, lowest_ = 0, top_ = 0, deepest_ = 0;
  uint16_t last_ = 0;
  unsigned stayed_ = 0;
  bool inside_ = false;
};

}  // namespace hocket::avr
