// What the parts of interrupts.h share: all that is known of pins and of their handlers' loops on
// this machine, changed with one lock.
//
//   interrupts.cpp      from the lines to the handlers' loops; attaching and detaching
//   handler_calls.cpp   the loops' side: one call after another, noInterrupts()
//   direct_pins.cpp     handlers in the top half
//   complaints.cpp      calls that could not be done
#pragma once

#include "arduino/runtime/interrupts.h"

namespace hocket::runtime::interrupts {

using Port = Board::Port;
using sys::EdgeMode;
using Lines = PinLines<BoardPins>;
static_assert(BoardPins::kPins <= UINT8_MAX + 1, "a pin's number is a byte");
constexpr unsigned kThreads = SystemConfig::kMaxSlots;

/// Pins that have edges for a loop: few.
class Row {
 public:
  bool empty() const { return first_ == nullptr; }
  void push_back(Pin& pin) {
    pin.next_queued = nullptr;
    (last_ == nullptr ? first_ : last_->next_queued) = &pin;
    last_ = &pin;
  }
  Pin& pop_front() {
    Pin& pin = *first_;
    first_ = pin.next_queued;
    if (first_ == nullptr) last_ = nullptr;
    return pin;
  }
  void remove(Pin& pin) {
    Pin* before = nullptr;
    for (Pin* at = first_; at != &pin; at = at->next_queued) before = at;
    (before == nullptr ? first_ : before->next_queued) = pin.next_queued;
    if (last_ == &pin) last_ = before;
  }

 private:
  Pin* first_ = nullptr;
  Pin* last_ = nullptr;
};

/// What is known of a thread that may have handlers, or hold them back.
struct Handlers {
  Row row;       // pins that have edges for it
  Pin* calling;  // whose handler is in the middle
  // That one's, where its call has begun in the interrupt (handler_edge()); else null.
  sys::PinCall begun;
  bool given_up;  // that one has lasted for too long
  bool stopped;   // for good: its pins are nobody's, and are let go when they ask
  bool idle;      // no handler is, and none waits
  HandlerGate::Section section;
  Loop* previous_waiter;  // while it waits for a section
  Loop* next_waiter;
  HandlerGate::Turn turn;
  System::Instant idle_since;
  System::Instant in_the_middle_since;
  System::Instant ended_at;  // its last call that sections waited for
  System::Instant section_began;
  System::Duration longest_section;
};

/// A line of pins for a bottom half.
struct Line {
  Loop* bottom_half;  // null: it has not begun
  // What its budget was changed to, from when it has used up what it is at, or waits.
  bool changed;
  bool off;             // to 0: nothing is delivered
  bool kept;            // masked for that
  unsigned next_pin;    // whose turn is next
  uint64_t top_halves;  // the line's core counts them
  Ticks budget, period;
};

/// A machine's. It has one System, so it has one of this.
struct State {
  Port::Lock lock;
  Pin pins[BoardPins::kPins];
  Handlers handlers[kThreads];  // by the threads' numbers
  Line lines[Lines::kIo];
  // Handlers in the top half.
  Direct directs[kMostDirect];
  unsigned directs_used;
  Direct* running;  // whose handler is in the middle, on core 0
  unsigned next_direct_pin;
  uint64_t direct_top_halves;  // core 0's
  unsigned attached;
  unsigned most_attached;
};
extern State state;

/// All of it is changed with this. The lock of a core comes after it.
///
/// Any number of cores may ask for it at once, all the time. So a thread waits masked only as the
/// next one, and before that unmasked: a thread that comes before it on its core runs meanwhile. A
/// top half, which cannot be interrupted in any case, stands in line, behind those two.
class Locked {
 public:
  Locked() : irq_(Port::irq_save()) { take(state.lock); }
  ~Locked() {
    if (held_) Port::unlock(state.lock);
    Port::irq_restore(irq_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  /// The last thing that is done with it: the calling thread gives it back and waits, until
  /// System::wake_early() or that instant.
  void give_back_until(System::Instant until) {
    held_ = false;
    System::wait_until(until, [](System::Thread&) { Port::unlock(state.lock); });
  }

 private:
  template <class Lock>
  void take(Lock& lock) {
    if constexpr (requires { lock.lock_as_next(); }) {
      if (!Port::in_irq()) {
        while (!lock.lock_as_next()) wait_unmasked();
        return;
      }
    }
    Port::lock(lock);
  }
  void wait_unmasked() {
    Port::irq_restore(irq_);
    Port::relax();
    irq_ = Port::irq_save();
  }

  Port::IrqState irq_;
  bool held_ = true;
};

/// As Port::line_attach, for the calling core.
template <class AnyPins = BoardPins>
[[nodiscard]] bool attach_line(unsigned line, port::LineHandler handler, void* argument) {
  if constexpr (Lines::kOneInterrupt) {
    return AnyPins::attach_line(line, handler, argument);
  } else {
    const port::LineUse use{
        .trigger = port::Trigger::Level, .level = port::Level::RealTime, .core = Port::core_id()};
    return Port::line_attach(static_cast<Port::Line>(line), handler, argument, use);
  }
}

inline Handlers& handlers(const Loop& loop) {
  return state.handlers[loop.thread.id];
}
/// Of one that something was attached to. (A division by its size otherwise.)
inline unsigned number_of(const Pin& pin) {
  return pin.number;
}
constexpr bool is_level(EdgeMode mode) {
  return mode == EdgeMode::Low || mode == EdgeMode::High;
}

/// What a board that knows lone edges keeps for a pin; null: its edges go another way. (The usual
/// way knows of no events, and of no level.)
inline void* known_of([[maybe_unused]] Pin& pin) {
  if constexpr (!Lines::kKnowsEdges) return nullptr;
  const bool usual = !is_level(pin.mode) && !System::wants_events();
  return usual ? &pin : nullptr;
}

/// What the detector has counted joins the account. How many of them wait from now on.
inline uint32_t note(Pin& pin, const Edges& edges) {
  pin.account.may_stand_for_several(edges.merged);
  return pin.account.arrive(edges.count);
}

/// Tries to give I/O virtual CPUs the budgets that they were changed to. With the lock.
void change_budgets();

/// The pin's loop was stopped: no handler is ever called for it.
inline bool is_orphan(const Pin& pin) {
  return pin.loop != nullptr && handlers(*pin.loop).stopped;
}

/// Nothing of the pin is anywhere any more; what waits is lost. With the lock.
void let_go(Pin& pin, LostEdge why);

/// A handler has found the gate closed: it has the next turn, and the turn begins when sections
/// have lasted as long as is counted for them, and not before `from`. True: it has begun so. With
/// the lock.
bool wait_or_revoke(Sketch& sketch, HandlerGate::Turn& turn, System::Instant from);

/// Others of the sketch may go on now: whoever wants a section, or all that had to wait for its
/// end. Without the lock.
void tell_others(Sketch& sketch);
/// In an interrupt, in a time that does not grow with the number of loops: those that want a
/// section may ask for it again, one after the other. The first one is told here, each tells the
/// next one, on its own budget. Without the lock.
void tell_waiters(Sketch& sketch);

// --- Handlers in the top half (direct_pins.cpp) ---

/// The pin is the declared handler's from now on; false: it is kept why not. With the lock, and
/// the rest of what was asked for has been looked at.
bool attach_direct(Pin& pin, const sys::PinInterrupt& wanted);
/// The pin is none's any more. With the lock.
void let_go_direct(Pin& pin);
/// Sections have ended: what waits for that goes on. With the lock.
void section_ends(Sketch& sketch);

}  // namespace hocket::runtime::interrupts
