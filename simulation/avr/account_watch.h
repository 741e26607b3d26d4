// Measures the kernel's time for loops in the terms of its account
// (arduino/cores/avr8/kernel_costs.h, docs/decisions/who-pays.md). The time of handlers is
// excluded.
//
//   a loop   │ an interrupt    the clock is read         switched │  another loop
//   ─────────┼──────────────────────────┼──────────────────────────┼────▶
//            ╰ E, interrupt_entry ──────╯ S, context_switch ───────╯
//            ╰ I, timer_interrupt ─────────────────────────────────╯  where nothing is switched
//
// If several interrupts come in one section, each counts separately: the interrupted loop is spared
// I for each. An interrupt that wakes loops without switching to one of them takes up to I for
// each, and each of them pays I (kernel.cpp). Where no handler can wake loops, they are woken by
// the running loop itself: after a section in which it called v(), an interrupt acts upon that, and
// the loop pays for it as for its own call.
//
// An interrupt in which alarm handlers are called takes a fixed amount more, which their budget
// pays (arduino/cores/avr8/alarm_costs.h).
//
// Between two readings of the clock the kernel's own interrupts wait (M, longest_masked). A loop
// that is switched to may be interrupted before its first instruction; then the next E begins
// there.
//
// What a loop does with interrupts masked is its own work. Between noInterrupts() and interrupts()
// the kernel works only from a loop's call to its return.
#pragma once

#include <algorithm>
#include <optional>

#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/image/firmware.h"
#include "simulation/avr/mcu.h"
#include "simulation/avr/section_watch.h"

namespace hocket::avr {

class AccountWatch {
 public:
  /// What the kernel cannot end: handlers, and what a loop does with interrupts masked. Since loops
  /// ran last with interrupts on: together, and the longest of them.
  struct Held {
    Cycles together = 0, longest = 0;
    unsigned interrupt = 0;  // whose handler the longest was; 0: a loop had masked interrupts
  };

  /// The longest of each, in cycles.
  struct Longest {
    Cycles interrupt_entry = 0, context_switch = 0, timer_interrupt = 0, masked = 0;
    /// What had kept the kernel from acting before that.
    Held switch_held, masked_held;
  };

  explicit AccountWatch(const uno::Firmware& firmware)
      : read_clock_(firmware.address("_ZN6hocket4avr85ClockILj8EE10now_maskedEv")),
        switch_(firmware.address("hocket_switch")),
        close_(firmware.address("hocket_close")),
        read_behind_handlers_(firmware.address("hocket_now_in_section")),
        taken_(firmware.address("hocket_taken_in_section")),
        acts_(firmware.address("hocket_pending")),
        woken_pays_(firmware.address("hocket_pay_for_wake_up")),
        reschedule_(firmware.chip().reschedule) {}

  /// After each step, from `code` to `next`. `current`: the loop that runs, as the kernel has it;
  /// `head()`: that loop's refill; `decided()`: another one is to run from the section's end on;
  /// `outside`: the processor does what is none of the kernel's, `handler`: in a handler whose time
  /// is not given back (0: in none); `for_alarms`: it has called handlers of alarms in this
  /// section.
  template <class Head, class Decided>
  void update(const Mcu& mcu, uint32_t code, uint32_t next, uint16_t current, Head head,
              Decided decided, bool outside, unsigned handler, bool for_alarms) {
    const bool open = works(mcu, code);
    const Cycles now = mcu.cycle(), slept = mcu.asleep() - asleep_;
    asleep_ = mcu.asleep();
    if (open && !open_) {
      begin(mcu.entered(), current);
      head_ = head();
    }
    if (open_ && !outside) own_ += now - last_ - slept;
    hold(handler, open, now - last_ - slept);
    if (for_alarms) paid_by_alarms_ = kAlarmCycles;
    const bool taken_up = takes_up(mcu, open);
    if (taken_up || (open && next == acts_)) {
      if (looked_ && current == from_ && head() == head_ && !decided()) came_again();
    }
    if (open && reads_clock(mcu, next) && !outside) looked(current);
    if (open && next == woken_pays_) ++woken_;
    if (within(switch_, code) && !within(switch_, next)) switched_at_ = own_;
    if (open_ && !open) end(current, head());
    open_ = open;
    last_ = now;
  }
  const Longest& longest() const { return longest_; }
  /// A loop has masked interrupts, or code that it calls has; no section of the kernel is open.
  bool masked_by_loop() const { return !open_ && masked_by_loop_; }
  /// Discards what was measured so far.
  void forget() { longest_ = {}; }

 private:
  static constexpr uint32_t kFunction = 200;  // bytes, at most
  static constexpr uint32_t kClosing = 20;    // within which a section's last instructions are
  static constexpr Cycles kFree = 16;         // a pending interrupt comes within one instruction
  static constexpr Cycles kAlarmCycles = Cycles{uno::kAlarmFrame} * 8;
  static bool within(const std::optional<uint32_t>& function, uint32_t code) {
    return function && code - *function < kFunction;
  }
  static void keep(Cycles& most, Cycles found) { most = std::max(most, found); }

  /// (If handlers have come in the section, the clock is read after the correction for them.)
  bool reads_clock(const Mcu& mcu, uint32_t next) const {
    if (next == read_behind_handlers_) return true;
    if (next != read_clock_) return false;
    return !read_behind_handlers_ || !taken_ || mcu.data16(static_cast<uint16_t>(*taken_)) == 0;
  }
  /// A section of the kernel is open, or an interrupt is on its way into one or out of it.
  bool works(const Mcu& mcu, uint32_t code) {
    const bool section = SectionWatch::flag(mcu, avr8::kKernel);
    const bool masked = mcu.masked();
    if (section || !masked || mcu.entered() != 0) {
      masked_by_loop_ = false;
    } else if (!open_ || (close_ && code - *close_ < kClosing)) {
      masked_by_loop_ = true;
    }
    return section || (masked && !masked_by_loop_);
  }
  /// Whether the kernel begins to act on a clock interrupt that came in this section. Each may be
  /// one that changes nothing.
  bool takes_up(const Mcu& mcu, bool open) {
    constexpr uint8_t kDue = 1 << avr8::kTimerDue | 1 << avr8::kRescheduleDue;
    const uint8_t due = mcu.data(avr8::kFlagsAddress) & kDue;
    const bool taken = (due_ & ~due) != 0;
    due_ = due;
    return open && taken;
  }
  void hold(unsigned handler, bool open, Cycles took) {
    const bool by_loop = !open && masked_by_loop_;
    if (handler == 0 && !by_loop) {
      held_now_ = 0;
      free_ = open ? 0 : free_ + took;
      if (free_ > kFree) held_ = {};
      return;
    }
    free_ = 0;
    held_.together += took;
    held_now_ += took;
    if (held_now_ < held_.longest) return;
    held_.longest = held_now_;
    held_.interrupt = handler;
  }
  void keep_switch(Cycles found) {
    if (found <= longest_.context_switch) return;
    longest_.context_switch = found;
    longest_.switch_held = held_;
  }
  void keep_masked(Cycles found) {
    if (found <= longest_.masked) return;
    longest_.masked = found;
    longest_.masked_held = held_;
  }
  void begin(unsigned interrupt, uint16_t current) {
    own_ = begun_ = paid_by_alarms_ = woken_ = 0;
    looked_.reset();
    switched_at_.reset();
    by_interrupt_ = interrupt != 0;
    acts_for_loop_ = interrupt == reschedule_;
    from_ = current;
  }
  /// The kernel acts on another interrupt that came in this section; the one before has not
  /// switched.
  void came_again() {
    if (by_interrupt_) keep_interrupt();
    begun_ = own_;
    by_interrupt_ = true;
    acts_for_loop_ = false;
  }
  void keep_interrupt() {
    if (acts_for_loop_ && woken_ == 0) return;
    const Cycles took = own_ - begun_;
    const Cycles own = took - std::min(paid_by_alarms_, took);
    keep(longest_.timer_interrupt, own / std::max<Cycles>(woken_, 1));
    paid_by_alarms_ = woken_ = 0;
  }
  void looked(uint16_t current) {
    if (looked_ && current != from_ && switched_at_) {
      keep_switch(*switched_at_ - *looked_);
      begun_ = *switched_at_;
      by_interrupt_ = true;
    }
    if (by_interrupt_ && !looked_) keep(longest_.interrupt_entry, own_ - begun_);
    if (by_interrupt_ && looked_ && begun_ >= *looked_) {
      keep(longest_.interrupt_entry, own_ - begun_);
    }
    keep_masked(own_ - looked_.value_or(0));
    looked_ = own_;
    switched_at_.reset();
    from_ = current;
  }
  /// (A loop that has used up a refill and continues with the next one has paid as for a switch.)
  void end(uint16_t current, uint32_t head) {
    if (looked_ && (current != from_ || head != head_)) {
      keep_switch(own_ - *looked_);
    } else if (by_interrupt_) {
      keep_interrupt();
    }
    keep_masked(own_ - looked_.value_or(0));
  }

  std::optional<uint32_t> read_clock_, switch_, close_, read_behind_handlers_, taken_, acts_,
      woken_pays_;
  unsigned reschedule_;  // number of the interrupt
  Longest longest_;
  bool open_ = true;
  bool masked_by_loop_ = false;
  bool by_interrupt_ = false;
  bool acts_for_loop_ = false;  // by the interrupt that acts upon what was recorded
  uint8_t due_ = 0;
  uint16_t from_ = 0;
  uint32_t head_ = 0;
  Cycles own_ = 0, begun_ = 0, last_ = 0, asleep_ = 0, paid_by_alarms_ = 0, woken_ = 0;
  std::optional<Cycles> looked_, switched_at_;
  Held held_;
  Cycles held_now_ = 0;  // by the handler that runs, or since the loop has masked interrupts
  Cycles free_ = 0;      // for so long a loop has run with interrupts on
};

}  // namespace hocket::avr
