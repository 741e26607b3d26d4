// The state of the image's kernel in memory, found through the addresses that the image provides
// (arduino/cores/avr8/layout.h). No other part of the simulator knows these addresses.
//
// State that the kernel is changing is inconsistent. Read it only when interrupts are not masked,
// or when the running thread has just changed (all decisions have been made then).
#pragma once

#include "arduino/cores/avr8/image/declared.h"
#include "simulation/avr/mcu.h"

namespace hocket::avr {

enum class Waits : uint8_t { No, ForTime, ForSomething, ForEver };

/// One loop, as the kernel sees it.
struct LoopNow {
  Waits waits = Waits::ForEver;
  bool ready = false;  // its virtual CPU is ready
  Cycles wake_at = 0;  // while it waits for time
  bool has_budget = false;
  Cycles head = 0;        // from when on its first refill can be used
  uint32_t head_end = 0;  // that plus its amount, in ticks; constant while it is used
};

class KernelView {
 public:
  KernelView(const uno::Layout& layout, const Mcu& mcu) : layout_(layout), mcu_(mcu) {}

  /// After each step, until it says true: whether the kernel's clock has been started.
  bool clock_started();

  /// The running loop: the address of its memory; 0 before the kernel starts and while no loop
  /// runs.
  uint16_t current() const {
    const auto thread = static_cast<uint16_t>(word(layout_.current));
    return thread == layout_.idle ? 0 : thread;
  }
  /// Whether the kernel has decided that another loop runs after the end of its section.
  bool has_decided() const {
    const uint32_t both = word(layout_.current);
    return both >> 16 != (both & 0xffff);
  }
  /// Call after each step: whether both bytes of `current` belong to the same thread. They are
  /// written one after the other, and a handler may come in between.
  bool current_is_whole() {
    const unsigned byte = mcu_.written() - unsigned{layout_.current};
    if (written_ == kBoth) written_ = 0;
    if (byte < 2) written_ |= 1U << byte;
    return written_ == 0 || written_ == kBoth;
  }
  /// A section of the kernel has ended: both bytes have been written.
  void section_ended() { written_ = 0; }
  /// The loop with this memory.
  LoopNow loop(uint16_t memory) const;

  unsigned state_bytes() const { return layout_.state_bytes; }
  unsigned plain_stack() const { return layout_.plain_stack; }

 private:
  /// A sketch may have overwritten everything: an address outside of memory reads as 0.
  uint8_t byte(unsigned address) const {
    return address < mcu_.chip().data_end ? mcu_.data(static_cast<uint16_t>(address)) : 0;
  }
  uint32_t word(unsigned address) const {
    return byte(address) | uint32_t{byte(address + 1)} << 8 | uint32_t{byte(address + 2)} << 16 |
           uint32_t{byte(address + 3)} << 24;
  }
  /// The cycle of an instant of the kernel's clock, which wraps: the one nearest to now.
  Cycles cycle_of(uint32_t instant) const;

  uno::Layout layout_;
  static constexpr unsigned kBoth = 3;

  const Mcu& mcu_;
  Cycles clock_start_ = 0;
  unsigned written_ = 0;  // a bit for each byte
};

}  // namespace hocket::avr
