// Who may be in the middle of what: handlers of pins, and sections between noInterrupts() and
// interrupts(), of loops and of handlers themselves.
//
//   no handler begins while anybody wants a section or is inside of one;
//   a loop's section begins when no handler is in the middle;
//   a handler that wants a section is at rest until it has it: it is not in the middle meanwhile.
//
// So what a sketch for one core protects from its handlers is protected on any number of cores, and
// two that want a section at once cannot wait for each other. Sections of two loops may overlap:
// between loops other things protect. Pure; whoever uses it has a lock.
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

class HandlerGate {
 public:
  /// What a thread has of the gate; zero at first.
  enum class Hold : uint8_t { None, Wants, Inside };

  bool may_begin() const { return wanted_ == 0; }
  /// A handler begins; only if it may.
  void begin() {
    HOCKET_CHECK(may_begin());
    ++active_;
  }
  void end() {
    HOCKET_CHECK(active_ > 0);
    --active_;
  }

  /// It wants a section, and is at rest until enter() says yes.
  void want(Hold& hold, bool handler) {
    HOCKET_CHECK(hold == Hold::None && (!handler || active_ > 0));
    hold = Hold::Wants;
    ++wanted_;
    if (handler) --active_;
  }
  /// False: not yet; to be asked again when anything has changed.
  bool enter(Hold& hold, bool handler) {
    HOCKET_CHECK(hold == Hold::Wants);
    if (active_ > 0 || (handler && inside_ > 0)) return false;
    hold = Hold::Inside;
    ++inside_;
    if (handler) ++active_;
    return true;
  }
  /// The end of its section, or it will never want one again.
  void leave(Hold& hold, bool handler) {
    if (hold == Hold::None) return;
    --wanted_;
    if (hold == Hold::Inside) {
      --inside_;
    } else if (handler) {
      ++active_;  // it was at rest
    }
    hold = Hold::None;
  }

 private:
  unsigned active_ = 0;  // handlers in the middle, not at rest
  unsigned wanted_ = 0;  // sections, those that have begun too
  unsigned inside_ = 0;
};

/// What noInterrupts() has done, of one sketch.
template <class Duration>
struct Sections {
  uint64_t count = 0;
  Duration longest;         // no handler could begin
  Duration longest_wait;    // for handlers in the middle
  uint64_t given_up = 0;    // handlers that had not ended by the longest one waits
  uint64_t remembered = 0;  // edges that came meanwhile
};

/// One sketch's gate, and what is known of it. Changed with the lock of interrupts.cpp.
template <class System>
struct HandlerSections {
  HandlerGate gate;
  unsigned waiting = 0;  // for a section
  typename System::Instant closed_since;
  typename System::Instant opened_at;
  Sections<typename System::Duration> seen;

  /// With what has not ended by then.
  Sections<typename System::Duration> seen_until(typename System::Instant end) const {
    Sections<typename System::Duration> all = seen;
    if (!gate.may_begin()) all.longest = larger(all.longest, end - closed_since);
    return all;
  }
};

}  // namespace hocket::runtime
