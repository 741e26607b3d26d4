// The clock's alarm, if device handlers may move the limit of the running thread
// (Policy::pass_over) for which it is set. They then move the alarm too, without a decision of the
// kernel.
//
//   limit            │──── by ───▶│
//   alarm            │──────▶│        not beyond the instant for which others wait
//   others                   ^
//
// Handlers have no time for 32-bit arithmetic, so the distance that a near alarm may move is
// computed once, when it is set.
#pragma once

#include "ports/avr8/clock.h"

namespace hocket::avr8 {

template <unsigned kPrescaler>
class MovableAlarm : public Clock<kPrescaler> {
  using Base = Clock<kPrescaler>;

 public:
  /// In a section of the kernel, before alarm_set(): the limit up to which that alarm may be moved.
  static void alarm_moves_until(uint32_t instant) { moves_until_ = instant; }
  /// In a section of the kernel, where device handlers move nothing.
  static void alarm_set(uint32_t instant) {
    const uint32_t room = moves_until_ - instant;
    room_ = room >> 16 != 0 ? 0xffff : static_cast<uint16_t>(room);
    Base::alarm_set(instant);
  }
  /// The counter has wrapped while a far alarm waits. Called in a handler.
  [[gnu::always_inline]] static void alarm_nearer() {
    uint32_t instant = alarm_;
    const uint32_t room = moves_until_ - instant;
    auto most = static_cast<uint16_t>(room);
    if (const uint16_t turns = Base::upper_half(room); turns != 0) {
      most = 0xffff;
      if ((turns & 0x8000) != 0) {
        instant = moves_until_;
        most = 0;
      }
    }
    room_ = most;
    Base::nearer(instant);
  }

  // --- Masked, outside of a section ---

  /// If the alarm is set for `from`, moves it later by `by`, but not beyond the limit; any other
  /// alarm stays. (If there is too little room to be sure, it may come early, once. A far alarm is
  /// cut to the limit when it becomes near, which happens first.)
  [[gnu::always_inline]] static void alarm_later(uint32_t from, uint16_t by) {
    if (flag<kFarAlarm>()) return far_alarm_later(static_cast<uint16_t>(from), by);
    const uint16_t room = room_;
    if (room < by) [[unlikely]] {
      if (room < Base::kNear) return;
      by = room;
    }
    if (CLOCK_COMPARE_A != static_cast<uint16_t>(from - 1) ||
        io_bit(_SFR_IO_ADDR(CLOCK_FLAGS), OCF1A))
      return;
    CLOCK_COMPARE_A = static_cast<uint16_t>(from - 1 + by);
    room_ = room - by;
  }
  /// Moves the alarm to `instant`, which is `left` ticks away, if it is set for a later one.
  static void alarm_by(uint32_t instant, uint32_t left) {
    if (flag<kFarAlarm>()) {
      if (static_cast<int32_t>(instant - alarm_) >= 0) return;
    } else if (left >> 16 != 0) {
      return;  // the alarm is near, so it is earlier
    } else if (static_cast<uint16_t>(CLOCK_COMPARE_A - CLOCK_COUNT) < static_cast<uint16_t>(left)) {
      return;
    } else if (io_bit(_SFR_IO_ADDR(CLOCK_FLAGS), OCF1A)) {
      // It has come. The flag must be read after the counter: otherwise the alarm could come in
      // between, look as if it were 2^16 ticks away, and be lost when it is set again.
      return;
    }
    alarm_set(in_time(instant));
  }

 private:
  using Base::alarm_;

  /// An alarm of another owner with the same lower half is cut to its limit later.
  [[gnu::noinline]] static void far_alarm_later(uint16_t from, uint16_t by) {
    if (static_cast<uint16_t>(alarm_) == from) alarm_ += by;
  }
  static uint32_t in_time(uint32_t instant) {
    const bool beyond = static_cast<int32_t>(instant - moves_until_) > 0;
    return beyond ? moves_until_ : instant;
  }

  inline static uint32_t moves_until_ = 0;
  inline static uint16_t room_ = 0;  // how far a near alarm may be moved; 0xffff: at least so far
};

}  // namespace hocket::avr8
