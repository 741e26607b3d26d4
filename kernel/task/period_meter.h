// Measures the processor time used in each period: the least and the most. Times are in ticks.
//
// The periods are windows [start + kT, start + (k+1)T). Time is added as it is consumed, with one
// comparison in the common case. Several empty or full windows are counted with one division, and
// not one by one.
#pragma once

#include "kernel/base/time.h"

namespace hocket {

template <class Rep>
class PeriodMeter {
 public:
  using Instant = BasicInstant<Rep>;
  using Duration = BasicDuration<Rep>;

  /// A period of 0 measures nothing.
  void start(Instant at, Duration period) {
    window_end_ = period > Duration(0) ? at + period : no_end();
    period_ = period;
    window_base_ = total_;
    windows_ = 0;
  }

  /// The thread ran from `from` until `to`. Calls must be in order of time.
  void add(Instant from, Instant to) {
    if (measures() && to > window_end_) from = add_over_windows(from, to);
    total_ += to - from;
  }

  /// Closes the windows that have ended by `now`, without use since the last add().
  void advance(Instant now) {
    if (period_ == Duration(0)) return;
    if (now > window_end_) add_over_windows(now, now);
    if (window_end_ == now) close_window();
  }

  /// All time that was added.
  Duration total() const { return total_; }

  /// Number of whole windows seen, and the least and most use in one of them (0 when none was
  /// seen).
  Rep windows() const { return windows_; }
  Duration least() const { return windows_ == 0 ? Duration(0) : least_; }
  Duration most() const { return windows_ == 0 ? Duration(0) : most_; }

 private:
  /// The end of a window that does not end. A circular clock has no such instant; measures() tests
  /// the period instead.
  static constexpr Instant no_end() {
    if constexpr (Instant::kCircular) {
      return Instant();
    } else {
      return Instant::never();
    }
  }
  bool measures() const { return !Instant::kCircular || period_ > Duration(0); }

  /// Adds the time that lies in windows that have ended by `to`. Returns where the last one begins.
  HOCKET_ASIDE Instant add_over_windows(Instant from, Instant to) {
    while (to > window_end_) {
      if (from < window_end_) {
        total_ += window_end_ - from;
        from = window_end_;
      }
      close_window();
      if (from > window_end_) skip_to(from);
      if (to - from > period_) from = fill_until(from, to);
    }
    return from;
  }

  /// A window begins at `from`. All windows that end before `to` were used whole.
  HOCKET_RARE Instant fill_until(Instant from, Instant to) {
    if (window_end_ != from + period_) return from;
    const Rep whole = (to - from - Duration(1)).ticks() / period_.ticks();
    const Duration used = period_ * whole;
    least_ = smaller(least_, period_);
    most_ = larger(most_, period_);
    windows_ += whole;
    total_ += used;
    window_base_ += used;
    window_end_ += used;
    return from + used;
  }

  void close_window() {
    const Duration in_window = total_ - window_base_;
    least_ = windows_ == 0 ? in_window : smaller(least_, in_window);
    most_ = windows_ == 0 ? in_window : larger(most_, in_window);
    window_base_ = total_;
    window_end_ += period_;
    ++windows_;
  }

  /// All windows that end by `from` were empty.
  void skip_to(Instant from) {
    const Rep empty = (from - window_end_).ticks() / period_.ticks();
    if (empty > 0) {
      windows_ += empty;
      window_end_ += period_ * empty;
      least_ = Duration(0);
    }
  }

  Instant window_end_ = no_end();
  Duration period_;
  Duration total_;
  Duration window_base_;  // the total when the present window began
  Duration least_;
  Duration most_;
  Rep windows_ = 0;
};

}  // namespace hocket
