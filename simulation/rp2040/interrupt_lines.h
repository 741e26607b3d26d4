// The lines from devices to the interrupt controllers of both cores (datasheet, 2.3.2).
#pragma once

#include "simulation/rp2040/core/core.h"

namespace hocket::rp2040 {

namespace irq {
inline constexpr unsigned kTimer0 = 0, kPwmWrap = 4, kPio0 = 7, kPio1 = 9, kIoBank0 = 13,
                          kSioProc0 = 15, kSpi0 = 18, kUart0 = 20, kAdcFifo = 22, kI2c0 = 23;
}  // namespace irq

class InterruptLines {
 public:
  InterruptLines(Core& first, Core& second) : cores_{&first, &second} {}

  /// A line that leads to both cores, as most do.
  void set(unsigned line, bool high) {
    set_of(0, line, high);
    set_of(1, line, high);
  }
  /// One of which each core has its own.
  void set_of(unsigned core, unsigned line, bool high) {
    if ((cores_[core]->nvic().lines() >> line & 1) != (high ? 1u : 0u)) {
      cores_[core]->set_line(line, high);
    }
  }

 private:
  Core* cores_[2];
};

}  // namespace hocket::rp2040
