// Which interrupt handlers run, and when.
//
// A handler ends with its `reti`, or when it has switched to another thread. The rest of it runs
// when its thread does, as part of that thread.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "simulation/avr/event_log.h"
#include "simulation/avr/section_watch.h"

namespace hocket::avr {

class InterruptWatch {
 public:
  static constexpr unsigned kMost = 64;  // interrupts of a chip

  /// Of Serial and Wire (device_time.h).
  bool given_back(unsigned number) const {
    if (number == chip_.wire) return true;
    for (const UartModel& uart : chip_.uarts) {
      if (number == uart.receives || number == uart.empty) return true;
    }
    return false;
  }

  InterruptWatch(const ChipModel& chip, EventLog& log) : chip_(chip), log_(log) {}

  /// Writes the meaning of the numbers to the log.
  void name_them();
  const char* name(unsigned number) const;

  /// Call after each step. `thread`: the interrupted one.
  void update(const Mcu& mcu, uint16_t thread) {
    if (mcu.returned() && !running_.empty()) end(mcu.cycle(), thread);
    if (mcu.entered() != 0) begin(mcu, thread);
    if (kernel_works_at_end(mcu)) done(running_.back(), mcu.cycle());
  }
  /// Another thread has run since the last step. A handler that came in that step has interrupted
  /// the kernel, which continues after it, so it has not ended.
  void switched(const Mcu& mcu, uint16_t from) {
    const bool entered = mcu.entered() != 0 && !running_.empty();
    const Running last = entered ? running_.back() : Running{};
    if (entered) running_.pop_back();
    while (!running_.empty()) end(mcu.cycle(), from);
    if (entered) running_.push_back(last);
  }

  /// The handler that runs; 0: none.
  unsigned running() const { return running_.empty() ? 0 : running_.back().number; }
  /// Whether a handler other than the kernel's runs: it must not let another thread run.
  bool runs_sketch() const { return running() != 0 && !of_kernel(running()); }
  /// The handler's own work is done, and the kernel decides at its end, in a section (switch.S).
  bool kernel_works_at_end(const Mcu& mcu) const {
    return running() != 0 && !running_.back().in_section &&
           SectionWatch::flag(mcu, avr8::kKernel) && SectionWatch::flag(mcu, avr8::kInIrq);
  }
  uint64_t count(unsigned number) const { return count_[number]; }
  /// Cycles of handlers, excluding the kernel's own.
  Cycles handlers() const { return handlers_; }
  /// Call after each step of an attached handler: it has not ended.
  void attached_runs(Cycles now) {
    const Running& last = running_.back();
    if (last.done || now - last.since <= longest_of_pins_.length) return;
    longest_of_pins_ = {last.number, now - last.since};
  }
  /// Of handlers of attachInterrupt(): the longest one, with its way in and out.
  struct Longest {
    unsigned number = 0;
    Cycles length = 0;
  };
  Longest longest_of_pins() const { return longest_of_pins_; }
  /// Of the matches at which storm control gives the handlers' budget back.
  Cycles longest_refill() const { return longest_refill_; }

 private:
  struct Running {
    unsigned number = 0;
    Cycles since = 0;
    bool in_section = false;  // it has interrupted a section of the kernel
    bool done = false;        // its own work is done, and the kernel has decided
  };
  bool of_kernel(unsigned number) const {
    return number == chip_.alarm || number == chip_.reschedule || number == chip_.overflow;
  }
  void done(Running& handler, Cycles now) {
    if (handler.done) return;
    handler.done = true;
    if (handler.number == chip_.refill) {
      longest_refill_ = std::max(longest_refill_, now - handler.since);
    }
  }
  void begin(const Mcu& mcu, uint16_t thread);
  void end(Cycles now, uint16_t thread);

  const ChipModel& chip_;
  EventLog& log_;
  std::vector<Running> running_;  // the innermost is the last
  std::array<uint64_t, kMost> count_{};
  Cycles handlers_ = 0;
  Longest longest_of_pins_;
  Cycles longest_refill_ = 0;
};

}  // namespace hocket::avr
