// The gate between handlers of pins and sections, which stand between noInterrupts() and
// interrupts(), of loops and of handlers themselves.
//
//   no handler begins while a section waits or has begun;
//   a loop's section begins when no handler is in the middle;
//   a handler that wants a section is at rest until it has it: it is not in the middle meanwhile.
//
// So what a sketch for one core protects from its handlers is protected on any number of cores, and
// two that want a section at once cannot wait for each other. Sections of two loops may overlap:
// between loops other things protect.
//
// Neither side can keep the other one out for ever. Sections come in phases:
//
//   a handler that finds the gate closed has the next turn: sections that are asked for from then
//   on wait until the present ones have ended and the handler has been called once;
//   a handler that comes during that turn waits for the sections that wait already;
//   sections that have lasted too long are revoked: their phase ends, and they protect no more.
//
// How long a handler waits at most, b being the largest bound of a section, and W the instant from
// which on it waits:
//
//   No section joins the phase any more. Those that have begun have until W + b.
//   One that has not begun waits for a call of another handler, or for its loop's turn on the core.
//   Where there is no other handler, it has been told by W, so it is counted from W on: W + b.
//   Where there are others, it is counted from its begin, which is before W + b: W + 2 b.
//   One that has not begun by W + b begins in the next phase: handlers are about to go on.
//
// Pure; its user has a lock, and knows the time.
#pragma once

#include "kernel/base/types.h"

namespace hocket::runtime {

class HandlerGate {
 public:
  /// A thread's section; zero at first.
  struct Section {
    enum class State : uint8_t { None, Wants, Inside };
    State state = State::None;
    bool later = false;  // handlers have the turn before it
    uint32_t phase = 0;  // in which it was asked for; inside: how many revocations came before
  };
  /// What a handler's loop has of the gate while it is not in the middle; zero at first.
  struct Turn {
    bool waits = false;
    uint32_t phase = 0;  // in which it found the gate closed
  };

  /// No section waits or has begun.
  bool is_open() const { return closing_ == 0; }
  bool may_begin(const Turn& turn) const { return is_open() || has_turn(turn); }
  /// A handler begins; only if it may.
  void begin(Turn& turn) {
    HOCKET_CHECK(may_begin(turn));
    forget(turn);
    ++active_;
  }
  /// The same where the gate is open, and it waits for no turn.
  void begin_at_once() {
    HOCKET_CHECK(is_open());
    ++active_;
  }
  void end() {
    HOCKET_CHECK(active_ > 0);
    --active_;
  }
  /// A handler has found the gate closed: the next turn is its own.
  void wait(Turn& turn) {
    if (turn.waits) return;
    turn = {.waits = true, .phase = phase_};
    ++next_turns_;
  }
  /// A handler does not wait any more.
  void forget(Turn& turn) {
    if (!turn.waits) return;
    --(has_turn(turn) ? turns_ : next_turns_);
    turn.waits = false;
  }
  /// A handler waits for the end of the present phase.
  bool is_awaited() const { return next_turns_ > 0; }
  /// The phase in which it found the gate closed has ended.
  bool has_turn(const Turn& turn) const { return turn.waits && turn.phase != phase_; }

  /// It wants a section, and is at rest until enter() says yes.
  void want(Section& section, bool handler) {
    HOCKET_CHECK(section.state == Section::State::None && (!handler || active_ > 0));
    section = {.state = Section::State::Wants, .later = next_turns_ > 0, .phase = phase_};
    ++(section.later ? later_ : closing_);
    if (handler) --active_;
  }
  /// False: not yet; to be asked again when anything has changed.
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
  /// The end of its section, or it will never want one again.
  void leave(Section& section, bool handler) {
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
    }
    section.state = Section::State::None;
  }
  /// Changes whenever handlers that have waited get their turn.
  uint32_t phase() const { return phase_; }
  bool is_inside(const Section& section) const {
    return section.state == Section::State::Inside && section.phase == revocations_;
  }
  /// It has begun and not ended, and protects from nothing any more.
  bool is_revoked(const Section& section) const {
    return section.state == Section::State::Inside && section.phase != revocations_;
  }

  /// Ends the phase: sections that have begun protect no more, and those that wait come after the
  /// handlers that wait.
  void revoke() {
    ++revocations_;
    closing_ -= inside_;
    inside_ = 0;
    end_phase();
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

  unsigned active_ = 0;      // handlers in the middle, not at rest
  unsigned closing_ = 0;     // sections of the present phase, those that have begun too
  unsigned inside_ = 0;      // of these, the ones that have begun
  unsigned later_ = 0;       // sections of the next phase
  unsigned turns_ = 0;       // handlers that come before sections begin
  unsigned next_turns_ = 0;  // handlers that have the turn behind the present phase
  uint32_t phase_ = 0;
  uint32_t revocations_ = 0;
};

struct Loop;

/// What noInterrupts() has done, of one sketch.
template <class Duration>
struct Sections {
  uint64_t count = 0;
  Duration longest;         // no handler could begin
  Duration longest_wait;    // for handlers in the middle
  uint64_t given_up = 0;    // handlers that had not ended by the longest one waits
  uint64_t remembered = 0;  // edges that came meanwhile
  uint64_t revoked = 0;     // times that handlers went on before sections had ended
};

/// One sketch's gate, and what is known of it. Changed with the lock of interrupts.cpp.
template <class System>
struct HandlerSections {
  HandlerGate gate;
  // Loops that wait for a section, in the order in which they asked (Handlers has the links), and
  // the one of them that is to tell the next one that it may ask again.
  Loop* first_waiter = nullptr;
  Loop* last_waiter = nullptr;
  Loop* told = nullptr;
  typename System::Instant closed_since;
  /// Delays count from then on, where an edge came earlier: sections that nothing bounds had ended.
  typename System::Instant counts_from;
  /// When handlers that wait go on at the latest, unless a section is `unbounded`.
  typename System::Instant latest_end;
  bool unbounded = false;
  /// A section may wait for one handler while another one waits for the section. (What waits for a
  /// direct handler's end is told by what waited before it, so it may not know yet.)
  bool several = false;
  /// From when on handlers wait for the present phase.
  typename System::Instant first_wait;
  typename System::Duration next_bound;   // of sections of the next phase, the largest
  typename System::Duration asked_bound;  // of those that were asked for since the gate was open
  Sections<typename System::Duration> seen;

  /// With what has not ended by then.
  Sections<typename System::Duration> seen_until(typename System::Instant end) const {
    Sections<typename System::Duration> all = seen;
    if (!gate.is_open()) all.longest = larger(all.longest, end - closed_since);
    return all;
  }
};

}  // namespace hocket::runtime
