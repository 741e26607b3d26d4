// The gate between a sketch's pin handlers and its sections. A section lies between noInterrupts()
// and interrupts(), in a loop or in a handler.
//
//   No handler begins while a section waits or has begun.
//   A loop's section begins when no handler is running.
//   A handler that wants a section is at rest until it gets it. It does not count as running then.
//
// So data that a single-core sketch protects from its handlers stays protected on any number of
// cores, and two handlers that want a section at once cannot deadlock. Sections of two loops may
// overlap, because noInterrupts() does not protect loops from each other.
//
// Neither side can starve the other. Sections come in phases:
//
//   A handler that finds the gate closed has the next turn. Sections that are asked for after that
//   wait until the present ones have ended and the handler has been called once.
//   A handler that comes during that turn waits for the sections that already wait.
//   Sections that last too long are revoked: their phase ends, and they protect nothing any more.
//
// The longest time that a handler waits, where b is the largest bound of a section and W the
// instant from which the handler waits:
//
//   No further section joins the phase. Sections that have begun have until W + b.
//   A section that has not begun waits for a call of another handler, or for its loop's core.
//   Where there is no other handler, it was woken before W, so it counts from W on: W + b.
//   Where there are others, it counts from its begin, which is before W + b: W + 2 b.
//   A section that has not begun by W + b begins in the next phase, after the waiting handlers.
//
// Pure: the caller holds a lock and measures the time.
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

class HandlerGate {
 public:
  /// A thread's section. Must be zero at first.
  struct Section {
    enum class State : uint8_t { None, Wants, Inside };
    State state = State::None;
    bool later = false;  // handlers have their turn before it
    uint32_t phase = 0;  // Wants: the phase in which it was asked for. Inside: the number of
                         // revocations before it
  };
  /// What the gate knows of a handler that is not running. Must be zero at first.
  struct Turn {
    bool waits = false;
    uint32_t phase = 0;  // the phase in which it found the gate closed
  };

  /// No section waits or has begun.
  bool is_open() const { return closing_ == 0; }
  bool may_begin(const Turn& turn) const { return is_open() || has_turn(turn); }
  /// A handler begins. Only if may_begin().
  void begin(Turn& turn) {
    HOCKET_CHECK(may_begin(turn));
    forget(turn);
    ++active_;
  }
  /// Like begin(), for a handler that waits for no turn. Only if the gate is open.
  void begin_at_once() {
    HOCKET_CHECK(is_open());
    ++active_;
  }
  void end() {
    HOCKET_CHECK(active_ > 0);
    --active_;
  }
  /// A handler has found the gate closed: it gets the next turn.
  void wait(Turn& turn) {
    if (turn.waits) return;
    turn = {.waits = true, .phase = phase_};
    ++next_turns_;
  }
  /// The handler no longer waits for a turn.
  void forget(Turn& turn) {
    if (!turn.waits) return;
    --(has_turn(turn) ? turns_ : next_turns_);
    turn.waits = false;
  }
  /// A handler waits for the end of the present phase.
  bool is_awaited() const { return next_turns_ > 0; }
  /// The phase in which the handler found the gate closed has ended, so it may begin.
  bool has_turn(const Turn& turn) const { return turn.waits && turn.phase != phase_; }

  /// Asks for a section. A handler that asks (`handler`) is at rest until enter() returns true.
  void want(Section& section, bool handler) {
    HOCKET_CHECK(section.state == Section::State::None && (!handler || active_ > 0));
    section = {.state = Section::State::Wants, .later = next_turns_ > 0, .phase = phase_};
    ++(section.later ? later_ : closing_);
    if (handler) --active_;
  }
  /// Tries to begin the section. Returns false if it cannot begin yet; try again after any change.
  bool enter(Section& section, bool handler) {
    HOCKET_CHECK(section.state == Section::State::Wants);
    if (is_later(section) || turns_ > 0) return false;
    if (active_ > 0 || (handler && inside_ > 0)) return false;
    section.state = Section::State::Inside;
    section.phase = revocations_;
    ++inside_;
    if (handler) ++active_;
    return true;
  }
  /// The section has ended, or the thread no longer wants it. Returns true if handlers that waited
  /// went on before its end.
  bool leave(Section& section, bool handler) {
    bool revoked = false;
    if (section.state == Section::State::Wants) {
      if (handler) ++active_;  // it was at rest
      if (is_later(section)) {
        --later_;
      } else {
        end_one();
      }
    } else if (is_inside(section)) {
      --inside_;
      end_one();
    } else {
      revoked = section.state == Section::State::Inside;
    }
    section.state = Section::State::None;
    return revoked;
  }
  /// Changes whenever waiting handlers get their turn.
  uint32_t phase() const { return phase_; }
  bool is_inside(const Section& section) const {
    return section.state == Section::State::Inside && section.phase == revocations_;
  }
  /// The section has begun and not ended, but protects nothing any more.
  bool is_revoked(const Section& section) const {
    return section.state == Section::State::Inside && section.phase != revocations_;
  }

  /// Ends the phase. Sections that have begun protect nothing any more; those that wait come after
  /// the waiting handlers. Returns true if a section had begun.
  [[nodiscard]] bool revoke() {
    const bool had_begun = inside_ > 0;
    ++revocations_;
    closing_ -= inside_;
    inside_ = 0;
    end_phase();
    return had_begun;
  }

 private:
  bool is_later(const Section& section) const { return section.later && section.phase == phase_; }
  void end_one() {
    if (--closing_ == 0) end_phase();
  }
  void end_phase() {
    ++phase_;
    turns_ += next_turns_;
    next_turns_ = 0;
    closing_ += later_;
    later_ = 0;
  }

  unsigned active_ = 0;      // running handlers, without those at rest
  unsigned closing_ = 0;     // sections of the present phase, including those that have begun
  unsigned inside_ = 0;      // sections of the present phase that have begun
  unsigned later_ = 0;       // sections of the next phase
  unsigned turns_ = 0;       // handlers that come before any section begins
  unsigned next_turns_ = 0;  // handlers that have their turn after the present phase
  uint32_t phase_ = 0;
  uint32_t revocations_ = 0;
};

struct Loop;

/// Statistics of one sketch's noInterrupts().
template <class Duration>
struct Sections {
  uint64_t count = 0;
  Duration longest;         // the longest time that no handler could begin
  Duration longest_wait;    // the longest wait for running handlers
  uint64_t given_up = 0;    // handlers that ran beyond the longest wait, so noInterrupts() did not
                            // protect from them
  uint64_t remembered = 0;  // edges that came while the gate was closed
  uint64_t revoked = 0;     // how often handlers went on before all sections had ended
};

/// The gate of one sketch and its timing. Protected by the lock of interrupts.cpp.
template <class System>
struct HandlerSections {
  HandlerGate gate;
  // Loops that wait for a section, in the order in which they asked (linked through Handlers), and
  // the loop among them that must wake the next one.
  Loop* first_waiter = nullptr;
  Loop* last_waiter = nullptr;
  Loop* told = nullptr;
  typename System::Instant closed_since;
  /// A handler's delay counts from here if its edge came earlier: sections without a bound ended
  /// then.
  typename System::Instant counts_from;
  /// Waiting handlers go on at this instant at the latest, unless a section is `unbounded`.
  typename System::Instant latest_end;
  bool unbounded = false;
  /// A section may wait for one handler while another handler waits for the section. (Direct
  /// handlers count as several, because waiters for a direct handler's end are woken one by one.)
  bool several = false;
  /// Handlers have waited for the end of the present phase since then.
  typename System::Instant first_wait;
  typename System::Duration next_bound;   // largest bound of the sections of the next phase
  typename System::Duration asked_bound;  // largest bound of the sections asked for since the gate
                                          // was open
  Sections<typename System::Duration> seen;

  /// The statistics at `end`, including a section that has not ended by then.
  Sections<typename System::Duration> seen_until(typename System::Instant end) const {
    Sections<typename System::Duration> all = seen;
    if (!gate.is_open()) all.longest = larger(all.longest, end - closed_since);
    return all;
  }
};

}  // namespace hocket::runtime
