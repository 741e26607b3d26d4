// When alarm handlers are called in the timer interrupt (arduino/cores/avr8/alarm_calls.h), and how
// long such an interrupt takes.
//
//   a loop │ the interrupt │ handlers │ what the kernel decides │ the loop, or another one
//          ╰ began         ╰ calls ───╯                          ╰ section ended
#pragma once

#include <algorithm>

#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/section_watch.h"

namespace hocket::avr {

class AlarmWatch {
 public:
  explicit AlarmWatch(const uno::Firmware& firmware)
      : in_alarm_(firmware.address("hocket_in_alarm")),
        account_(firmware.address("hocket_alarm_account")) {}

  /// Whether the image has such alarms.
  bool any() const { return in_alarm_.has_value(); }
  /// Call after each step, and after the section watch.
  void update(const Mcu& mcu, const SectionWatch& sections) {
    if (!in_alarm_) return;
    const bool calls = mcu.data(static_cast<uint16_t>(*in_alarm_)) != 0;
    if (calls && !calls_) {
      if (!serves_) began_ = sections.entered();
      serves_ = true;
      ++count_;
    }
    calls_ = calls;
    if (serves_ && !sections.open()) {
      longest_ = std::max(longest_, mcu.cycle() - began_);
      serves_ = false;
    }
  }
  /// Whether a handler or its caller is running.
  bool calls() const { return calls_; }
  /// The interrupt has called handlers and has not ended.
  bool serves() const { return serves_; }
  /// When that interrupt began.
  Cycles began() const { return began_; }
  uint64_t count() const { return count_; }
  Cycles longest() const { return longest_; }
  /// How often an alarm was due while the budget was used up.
  unsigned times_held(const Mcu& mcu) const {
    return account_ ? mcu.data(static_cast<uint16_t>(*account_)) : 0;
  }

 private:
  std::optional<uint32_t> in_alarm_, account_;
  bool calls_ = false, serves_ = false;
  Cycles began_ = 0, longest_ = 0;
  uint64_t count_ = 0;
};

}  // namespace hocket::avr
