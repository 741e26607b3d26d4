// Wall time: what the kernel's clock showed when somebody knew the time, and what has passed since.
//
// Who knows it is a real-time clock device, or a program that was told (a network, a user). Without
// either the clock says so; it never invents a date. It runs as exactly as the kernel's own clock
// between two settings.
#pragma once

#include "kernel/time/microseconds.h"
#include "kernel/time/wide_time.h"

namespace hocket {

/// A system without a real-time clock device.
struct NoRtc {
  static constexpr bool kPresent = false;
  static bool read(Microseconds&) { return false; }
};

/// A device that goes on counting while the board is off. `read` gives the time since the epoch
/// that the application has chosen (usually 1970-01-01 00:00 UTC); false: the device does not know
/// either (its battery was empty).
template <class Rtc>
concept RealTimeClock = requires(Microseconds& since_epoch) {
  { Rtc::kPresent } -> Same<const bool&>;
  { Rtc::read(since_epoch) } -> Same<bool>;
};

/// Where wall time comes from.
enum class TimeSource : uint8_t {
  None,    // nobody has said: now() counts from the start of the board
  Told,    // set()
  Device,  // read from the real-time clock
};

template <class K, class Rtc = NoRtc>
class Clock {
  static_assert(RealTimeClock<Rtc>, "an Rtc has kPresent and read(Microseconds&)");
  using Port = typename K::Processor;

 public:
  /// Whether the system has a device that knows the time by itself.
  static constexpr bool has_rtc() { return Rtc::kPresent; }

  /// The time is `since_epoch` now. Any context; O(1).
  void set(Microseconds since_epoch) { set(since_epoch, TimeSource::Told); }

  /// Takes the time from the device. False, and nothing is changed, when there is none or it does
  /// not know. As long as the device takes.
  bool set_from_rtc() {
    Microseconds since_epoch;
    if (!Rtc::read(since_epoch)) return false;
    set(since_epoch, TimeSource::Device);
    return true;
  }

  TimeSource source() const { return source_; }

  /// Time since the epoch; since the start of the board when source() is None. Any context, any
  /// core; O(1).
  Microseconds now() {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    const uint64_t passed = wide_now<Port>() - set_at_;
    const Microseconds base = base_;
    Port::unlock(lock_);
    Port::irq_restore(state);
    return base + TickScale<Port::kTickHz>::microseconds(passed);
  }

 private:
  void set(Microseconds since_epoch, TimeSource source) {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    base_ = since_epoch;
    set_at_ = wide_now<Port>();
    source_ = source;
    Port::unlock(lock_);
    Port::irq_restore(state);
  }

  Microseconds base_;
  uint64_t set_at_ = 0;
  TimeSource source_ = TimeSource::None;
  [[no_unique_address]] typename Port::Lock lock_{};
};

}  // namespace hocket
