// The clock's alarm, where it is for the limit of who runs and handlers of devices move that limit
// (Policy::pass_over): they move the alarm along, without a decision of the kernel's.
//
//   limit            │──── by ───▶│
//   alarm            │──────▶│        not beyond the instant that others wait for
//   others                   ^
//
// Handlers have no time for 32 bits: how far a near alarm may go is subtracted once, when it is
// set.
#pragma once

#include "ports/avr8/clock.h"

namespace hocket::avr8 {

template <unsigned kPrescaler>
class MovableAlarm : public Clock<kPrescaler> {
  using Base = Clock<kPrescaler>;

 public:
  /// In a section of the kernel, before alarm_set(): that alarm may be moved up to here.
  static void alarm_moves_until(uint32_t instant) { moves_until_ = instant; }
  /// In a section of the kernel, where handlers of devices move nothing.
  static void alarm_set(uint32_t instant) {
    const uint32_t room = moves_until_ - instant;
    room_ = room >> 16 != 0 ? 0xffff : static_cast<uint16_t>(room);
    Base::alarm_set(instant);
  }
  /// The counter has come round, and a far alarm waits. (A handler.)
  static void alarm_nearer() { alarm_set(in_time(alarm_)); }

  // --- Masked, outside of a section ---

  /// The alarm that is set for `from` is for an instant later by so much, if nobody waits for one
  /// before; any other stays. (It may come early, once, where there is too little room to be sure.
  /// A far one is cut when it becomes near: that comes before.)
  [[gnu::always_inline]] static void alarm_later(uint32_t from, uint16_t by) {
    if (flag<kFarAlarm>()) return far_alarm_later(static_cast<uint16_t>(from), by);
    const uint16_t room = room_;
    if (room < by) [[unlikely]] {
      if (room < Base::kNear) return;
      by = room;
    }
    if (OCR1A != static_cast<uint16_t>(from - 1) || io_bit(_SFR_IO_ADDR(TIFR1), OCF1A)) return;
    OCR1A = static_cast<uint16_t>(from - 1 + by);
    room_ = room - by;
  }
  /// The alarm that is set is for `instant`, which is `left` away, at the latest.
  static void alarm_by(uint32_t instant, uint32_t left) {
    if (flag<kFarAlarm>()) {
      if (static_cast<int32_t>(instant - alarm_) >= 0) return;
    } else if (left >> 16 != 0) {
      return;  // it is near
    } else if (static_cast<uint16_t>(OCR1A - TCNT1) < static_cast<uint16_t>(left)) {
      return;
    } else if (io_bit(_SFR_IO_ADDR(TIFR1), OCF1A)) {
      // It has come. (The flag after the counter: else it may come in between, would look as if it
      // were a turn away, and be lost by being set anew.)
      return;
    }
    alarm_set(in_time(instant));
  }

 private:
  using Base::alarm_;

  /// (Somebody else's with the same lower half is cut to what it was.)
  [[gnu::noinline]] static void far_alarm_later(uint16_t from, uint16_t by) {
    if (static_cast<uint16_t>(alarm_) == from) alarm_ += by;
  }
  static uint32_t in_time(uint32_t instant) {
    const bool beyond = static_cast<int32_t>(instant - moves_until_) > 0;
    return beyond ? moves_until_ : instant;
  }

  inline static uint32_t moves_until_ = 0;
  inline static uint16_t room_ = 0;  // from a near alarm up to there; 0xffff: so far at least
};

}  // namespace hocket::avr8
