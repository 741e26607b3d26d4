// State that the parts of interrupts.h share: the pins of this machine and the loops of their
// handlers. One lock protects all of it.
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

/// A FIFO of pins that have edges for one loop. It is short, so remove() may search.
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

/// The state of a thread that may have handlers or call noInterrupts().
struct Handlers {
  Row row;       // pins that have edges for it
  Pin* calling;  // the pin whose handler is running; null: none
  // The call, if it began in the interrupt (handler_edge()); otherwise its handler is null.
  sys::PinCall begun;
  bool given_up;  // the call has run too long: sections no longer wait for it
  bool stopped;   // stopped for good: its pins have no owner and are released when they next ask
  bool idle;      // no handler is running and none waits
  bool revoked;   // handlers that waited have gone on before a section of it ended
  HandlerGate::Section section;
  Loop* previous_waiter;  // both links are valid while it waits for a section
  Loop* next_waiter;
  HandlerGate::Turn turn;
  System::Instant idle_since;
  System::Instant in_the_middle_since;
  System::Instant ended_at;  // the end of its last call that sections waited for
  System::Instant section_began;
  System::Duration longest_section;
};

/// A line of pins that one bottom half serves.
struct Line {
  Loop* bottom_half;  // null: the bottom half has not started
  // A new budget, applied when the present one is used up or the bottom half waits.
  bool changed;
  bool off;             // the budget is 0: nothing is delivered
  bool kept;            // the line is masked because of that
  unsigned next_pin;    // the pin whose turn is next
  uint64_t top_halves;  // only the line's core changes it
  Ticks budget, period;
};

/// All state of pin interrupts. A machine has one System, and therefore one State.
struct State {
  Port::Lock lock;
  Pin pins[BoardPins::kPins];
  Handlers handlers[kThreads];  // indexed by thread number
  Line lines[Lines::kIo];
  // Direct handlers.
  Direct directs[kMostDirect];
  unsigned directs_used;
  Direct* running;  // the direct handler that is running, on core 0; null: none
  unsigned next_direct_pin;
  uint64_t direct_top_halves;  // only core 0 changes it
  unsigned attached;
  unsigned most_attached;
};
extern State state;

/// Holds the lock of all pin state. Lock order: before the lock of a core.
///
/// Any number of cores may contend for it all the time. A thread therefore waits masked only when
/// it is the next in line. Until then it waits unmasked, so that threads of higher priority on its
/// core can run. A top half cannot be interrupted in any case, so it joins the line at once, behind
/// those two threads at most.
class Locked {
 public:
  Locked() : irq_(Port::irq_save()) { take(state.lock); }
  ~Locked() {
    if (held_) Port::unlock(state.lock);
    Port::irq_restore(irq_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  /// Releases the lock and blocks the calling thread until System::wake_early() or `until`. The
  /// guard must not be used afterwards.
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

/// Like Port::line_attach, for the calling core.
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
/// Only for a pin that something was attached to. (Pointer arithmetic would need a division by the
/// pin's size.)
inline unsigned number_of(const Pin& pin) {
  return pin.number;
}
constexpr bool is_level(EdgeMode mode) {
  return mode == EdgeMode::Low || mode == EdgeMode::High;
}

/// What a board that knows lone edges stores for a pin; null: the pin's edges take the general
/// path. (The fast path supports neither levels nor an event log.)
inline void* known_of([[maybe_unused]] Pin& pin) {
  if constexpr (!Lines::kKnowsEdges) return nullptr;
  const bool usual = !is_level(pin.mode) && !System::wants_events();
  return usual ? &pin : nullptr;
}

/// Adds what the detector has counted to the account. Returns how many edges were kept; they wait
/// from now on.
inline uint32_t note(Pin& pin, const Edges& edges) {
  pin.account.may_stand_for_several(edges.merged);
  return pin.account.arrive(edges.count);
}

/// Tries to apply changed budgets to the I/O virtual CPUs. With the lock.
void change_budgets();

/// Whether the pin's loop was stopped, so that no handler will ever be called for it.
inline bool is_orphan(const Pin& pin) {
  return pin.loop != nullptr && handlers(*pin.loop).stopped;
}

/// Detaches the pin and releases everything it has; waiting edges are lost. With the lock.
void let_go(Pin& pin, LostEdge why);

/// A handler has found the gate closed and takes the next turn. If sections have exceeded their
/// time, and not before `from`, revokes them: the turn begins, and the function returns true. With
/// the lock.
bool wait_or_revoke(Sketch& sketch, HandlerGate::Turn& turn, System::Instant from);

/// Wakes what may go on now in the sketch: loops that want a section, or handlers that waited for
/// the end of one. In time proportional to the number of loops. Without the lock.
void tell_others(Sketch& sketch);
/// Like tell_others() for waiting sections, but in constant time, for interrupt context. Wakes the
/// first loop that waits for a section. Each woken loop wakes the next one, on its own budget.
/// Without the lock. It is a part of the time of a counted handler, which began at `began`.
void tell_waiters(Sketch& sketch, System::Instant began);

// --- Direct handlers (direct_pins.cpp) ---

/// Attaches the pin to the declared direct handler. Returns false, and records a complaint, if that
/// is impossible. With the lock, after the other arguments have been checked.
bool attach_direct(Pin& pin, const sys::PinInterrupt& wanted);
/// Removes the pin from its direct handler. With the lock.
void let_go_direct(Pin& pin);
/// Sections have ended: unmasks direct pins that waited for that. With the lock.
void section_ends(Sketch& sketch);

}  // namespace hocket::runtime::interrupts
