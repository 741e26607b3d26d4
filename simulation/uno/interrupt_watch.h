// Which interrupts' handlers run, from when until when.
//
// A handler ends with its `reti`, or when it has switched to another thread: what is left of it
// runs when its thread does, as a part of that.
#pragma once

#include <array>
#include <vector>

#include "simulation/uno/event_log.h"
#include "simulation/uno/section_watch.h"

namespace hocket::uno {

class InterruptWatch {
 public:
  // Numbers of interrupts (data sheet, table 12-6; counted from 0).
  static constexpr unsigned kCount = 26;
  static constexpr unsigned kAlarm = 11, kReschedule = 12, kOverflow = 13;
  /// Of the handlers' budget, in images that have one (storm.h).
  static constexpr unsigned kRefill = 14;

  /// Of Serial and Wire (device_time.h).
  static bool given_back(unsigned number) { return number == 18 || number == 19 || number == 24; }

  explicit InterruptWatch(EventLog& log) : log_(log) {}

  /// Tells the log what the numbers mean.
  void name_them();
  static const char* name(unsigned number);

  /// After each step. `thread`: who is interrupted.
  void update(const Mcu& mcu, uint16_t thread) {
    if (mcu.returned() && !running_.empty()) end(mcu.cycle(), thread);
    if (mcu.entered() != 0) begin(mcu, thread);
  }
  /// Another thread runs since the last step. A handler that has come in that step has interrupted
  /// the kernel, which goes on behind it: it has not ended.
  void switched(const Mcu& mcu, uint16_t from) {
    const bool entered = mcu.entered() != 0 && !running_.empty();
    const Running last = entered ? running_.back() : Running{};
    if (entered) running_.pop_back();
    while (!running_.empty()) end(mcu.cycle(), from);
    if (entered) running_.push_back(last);
  }

  /// Whose handler runs; 0: none.
  unsigned running() const { return running_.empty() ? 0 : running_.back().number; }
  /// A handler that is not the kernel's: it must not let another thread run.
  bool runs_sketch() const { return running() != 0 && !of_kernel(running()); }
  /// Its own work is done, and the kernel decides at its end, which is a section (switch.S).
  bool kernel_works_at_end(const Mcu& mcu) const {
    return running() != 0 && !running_.back().in_section &&
           SectionWatch::flag(mcu, avr8::kKernel) && SectionWatch::flag(mcu, avr8::kInIrq);
  }
  uint64_t count(unsigned number) const { return count_[number]; }
  /// Cycles that handlers took, the kernel's own left out.
  Cycles handlers() const { return handlers_; }

 private:
  struct Running {
    unsigned number = 0;
    Cycles since = 0;
    bool in_section = false;  // it has interrupted one of the kernel's
  };
  static bool of_kernel(unsigned number) { return number >= kAlarm && number <= kOverflow; }
  void begin(const Mcu& mcu, uint16_t thread);
  void end(Cycles now, uint16_t thread);

  EventLog& log_;
  std::vector<Running> running_;  // the innermost is the last
  std::array<uint64_t, kCount> count_{};
  Cycles handlers_ = 0;
};

}  // namespace hocket::uno
