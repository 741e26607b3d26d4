// A core's SysTick (Armv6-M ARM, B3.3): counts down to 0 and begins anew at RELOAD, so that a
// period is RELOAD + 1 counts.
//
// The count is not stepped: it follows from the instant at which it will be 0.
#pragma once

#include <cstdint>

#include "simulation/rp2040/core/cycles.h"

namespace hocket::rp2040 {

class SysTick {
 public:
  static constexpr uint32_t kEnable = 1, kInterrupt = 2, kProcessorClock = 4;
  static constexpr uint32_t kCountFlag = 1u << 16;
  static constexpr uint32_t kMask = 0xff'ffff;

  uint32_t control(Cycles now);
  void set_control(uint32_t value, Cycles now);
  uint32_t reload() const { return reload_; }
  void set_reload(uint32_t value, Cycles now);
  uint32_t count(Cycles now) const;
  /// Any write clears count and flag, and asks for no exception.
  void clear(Cycles now);

  /// When it next asks for its exception.
  Cycles next() const { return asks() ? zero_at_ : kNever; }
  /// Returns whether it has asked for its exception since the last call.
  bool advance(Cycles now);

 private:
  bool enabled() const { return (control_ & kEnable) != 0; }
  bool asks() const { return enabled() && (control_ & kInterrupt) != 0; }
  /// Cycles of one count. The reference clock is the microsecond's tick (datasheet, 2.3.1.6).
  Cycles unit() const { return (control_ & kProcessorClock) != 0 ? 1 : kCyclesPerMicrosecond; }
  void run_from(uint32_t count, Cycles now);

  uint32_t control_ = 0;
  uint32_t reload_ = 0;
  uint32_t held_ = 0;  // the count while it stands
  bool flag_ = false;
  Cycles zero_at_ = kNever;  // while it runs: when the count next becomes 0
  Cycles loads_at_ = 0;      // up to here the count is the 0 that RELOAD follows
};

}  // namespace hocket::rp2040
