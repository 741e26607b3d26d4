// The kernel of the image as it is in memory, through the places that the image names
// (arduino/cores/avr8/layout.h). Nothing else of the simulator knows what is where.
//
// What the kernel is about to change looks inconsistent: to be read when interrupts are not masked,
// or when the running thread has just changed (all decisions have been made then).
#pragma once

#include "simulation/uno/declared.h"
#include "simulation/uno/mcu.h"

namespace hocket::uno {

enum class Waits : uint8_t { No, ForTime, ForSomething, ForEver };

/// One loop, as the kernel sees it.
struct LoopNow {
  Waits waits = Waits::ForEver;
  bool ready = false;  // its virtual CPU wants the processor
  Cycles wake_at = 0;  // while it waits for time
  bool has_budget = false;
  Cycles head = 0;        // from when on its first refill can be used
  uint32_t head_end = 0;  // …and its amount later, in ticks: stays the same while it is used
};

class KernelView {
 public:
  KernelView(const Layout& layout, const Mcu& mcu) : layout_(layout), mcu_(mcu) {}

  /// After each step, until it says true: whether the kernel's clock has been started.
  bool clock_started();

  /// Who runs: the address of a loop's memory; 0 before the kernel, and when nobody does.
  uint16_t current() const {
    const auto thread = static_cast<uint16_t>(word(layout_.current));
    return thread == layout_.idle ? 0 : thread;
  }
  /// Whether the kernel has decided that another one runs from the end of its section on.
  bool has_decided() const {
    const uint32_t both = word(layout_.current);
    return both >> 16 != (both & 0xffff);
  }
  /// After each step: whether both bytes of that are of the same thread. They are written one after
  /// the other, and a handler may come in between.
  bool current_is_whole() {
    const unsigned byte = mcu_.written() - unsigned{layout_.current};
    if (written_ == kBoth) written_ = 0;
    if (byte < 2) written_ |= 1U << byte;
    return written_ == 0 || written_ == kBoth;
  }
  /// A section of the kernel has ended: no byte is still to come.
  void section_ended() { written_ = 0; }
  /// The loop whose memory is there.
  LoopNow loop(uint16_t memory) const;

  unsigned state_bytes() const { return layout_.state_bytes; }
  unsigned plain_stack() const { return layout_.plain_stack; }

 private:
  /// A sketch may have overwritten everything: an address that no memory has reads as 0.
  uint8_t byte(unsigned address) const {
    return address < Firmware::kDataEnd ? mcu_.data(static_cast<uint16_t>(address)) : 0;
  }
  uint32_t word(unsigned address) const {
    return byte(address) | uint32_t{byte(address + 1)} << 8 | uint32_t{byte(address + 2)} << 16 |
           uint32_t{byte(address + 3)} << 24;
  }
  /// The cycle of an instant of the kernel's clock, which wraps: the one nearest to now.
  Cycles cycle_of(uint32_t instant) const;

  Layout layout_;
  static constexpr unsigned kBoth = 3;

  const Mcu& mcu_;
  Cycles clock_start_ = 0;
  unsigned written_ = 0;  // a bit for each byte
};

}  // namespace hocket::uno
