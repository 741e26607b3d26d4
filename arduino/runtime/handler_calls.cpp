// The loops' side of pin interrupts. A handler's loop makes one call after another. Sections
// between noInterrupts() and interrupts() keep all handlers of a sketch from beginning.
#include "arduino/runtime/pin_state.h"

namespace hocket::runtime::interrupts {
namespace {

using SectionState = HandlerGate::Section::State;
/// noInterrupts() waits at most this long (ticks) for a running handler to end.
constexpr Ticks kLongestWait = Rate::ticks_up(defaults::kLongestHandler.ns);

HandlerGate::Section& section_of(const Loop& loop) {
  return handlers(loop).section;
}

/// Ends the handler call: the handler has returned, or its loop has been stopped.
void end_call(Loop& self) {
  Handlers& of = handlers(self);
  Pin& pin = *of.calling;
  of.calling = nullptr;
  if (!self.sketch->handlers().gate.is_open()) of.ended_at = System::now();
  if (!of.given_up) self.sketch->handlers().gate.end();
  of.given_up = false;
  // (The handler may have detached its pin, and another loop may own the pin now.)
  if (pin.loop == &self && pin.masked && pin.handed == 0) {
    pin.masked = false;
    BoardPins::unmask(number_of(pin));
  }
}

/// Records how long an edge waited for its handler. Counts only if the handler's loop was idle when
/// the edge came.
HOCKET_IN_LINE void note_delay(const Loop& self, Handlers& of, Pin& pin, System::Instant now) {
  if (of.idle && of.idle_since <= pin.first) {
    const System::Instant from = larger(pin.first, self.sketch->handlers().counts_from);
    pin.worst_delay = larger(pin.worst_delay, now - from);
  }
  of.idle = false;
}

/// Begins the loop's next call and returns it. With the lock.
sys::PinCall begin_call(Loop& self, Handlers& of) {
  Pin& pin = of.row.pop_front();
  pin.queued = false;
  pin.account.deliver();
  --pin.handed;
  if (pin.handed > 0) {
    pin.queued = true;
    of.row.push_back(pin);
  }
  self.sketch->handlers().gate.begin(of.turn);
  of.calling = &pin;
  const System::Instant now = System::now();
  of.in_the_middle_since = now;
  note_delay(self, of, pin, now);
  System::note(EventKind::EdgeDelivered, number_of(pin));
  return pin.call;
}

/// Takes a call that already began in the interrupt (handler_edge()). Returns false when there is
/// none. What is attached to the pin may have changed since, so the recorded call is used.
bool take_begun(Loop& self, sys::PinCall& call) {
  Handlers& of = handlers(self);
  if (of.begun.handler == nullptr) return false;
  const Locked locked;
  call = of.begun;
  of.begun.handler = nullptr;
  note_delay(self, of, *of.calling, System::now());
  return true;
}

/// The gate's phase has changed: handlers that waited may begin. With the lock.
void begin_turns(Sketch& sketch, System::Instant now) {
  HandlerSections<System>& sections = sketch.handlers();
  sections.seen.longest = larger(sections.seen.longest, now - sections.closed_since);
  if (sections.unbounded) sections.counts_from = now;
  sections.unbounded = false;
  sections.closed_since = now;  // handlers that already wait close the gate from now on
  sections.latest_end = now + sections.next_bound;
  sections.next_bound = System::Duration(0);
  section_ends(sketch);
}

/// Appends the loop to the list of loops that wait for a section. With the lock.
void begin_to_wait(Loop& self) {
  HandlerSections<System>& sections = self.sketch->handlers();
  Handlers& of = handlers(self);
  Loop* const last = sections.last_waiter;
  of.previous_waiter = last;
  of.next_waiter = nullptr;
  (last == nullptr ? sections.first_waiter : handlers(*last).next_waiter) = &self;
  sections.last_waiter = &self;
}
/// Ends the loop's duty to pass on a wake-up. Returns the next waiter, which the caller must wake;
/// null: none. With the lock.
Loop* take_told(Loop& self) {
  HandlerSections<System>& sections = self.sketch->handlers();
  if (sections.told != &self) return nullptr;
  return sections.told = handlers(self).next_waiter;
}
/// Removes the loop from the list of waiters. Returns the waiter that the caller must wake; null:
/// none. With the lock.
Loop* end_to_wait(Loop& self) {
  HandlerSections<System>& sections = self.sketch->handlers();
  Loop* const told = take_told(self);
  const Handlers& of = handlers(self);
  Loop *const before = of.previous_waiter, *const next = of.next_waiter;
  (before == nullptr ? sections.first_waiter : handlers(*before).next_waiter) = next;
  (next == nullptr ? sections.last_waiter : handlers(*next).previous_waiter) = before;
  return told;
}

/// Ends the loop's section, or its wait for one. With the lock.
void open_gate(Loop& self, bool handler) {
  HandlerSections<System>& sections = self.sketch->handlers();
  Handlers& of = handlers(self);
  const System::Instant now = System::now();
  if (of.section.state == SectionState::Wants) static_cast<void>(end_to_wait(self));
  if (of.section.state == SectionState::Inside) {
    of.longest_section = larger(of.longest_section, now - of.section_began);
  }
  const uint32_t phase = sections.gate.phase();
  if (sections.gate.leave(of.section, handler)) of.revoked = true;
  if (sections.gate.phase() != phase) begin_turns(*self.sketch, now);
}

/// From `from` on, a section of the loop may last as long as its bound. With the lock.
void count_section(const Loop& loop, System::Instant from) {
  HandlerSections<System>& sections = loop.sketch->handlers();
  const System::Duration bound(loop.section_bound);
  if (loop.section_bound == 0) sections.unbounded = true;
  sections.latest_end = larger(sections.latest_end, from + bound);
}

/// Wakes a loop that waits for a section, so that it tries again. The state is read without the
/// lock: a spurious wake-up is possible, and the loop then waits again.
void let_ask_again(Loop& loop) {
  if (section_of(loop).state != SectionState::Wants) return;
  const Port::IrqState state = Port::irq_save();
  System::wake_early(loop.thread);
  Port::irq_restore(state);
}

/// Passes the wake-up on to the next waiter. Without the lock.
void tell_next(Loop& self) {
  Loop* next = nullptr;
  {
    const Locked locked;
    next = take_told(self);
  }
  if (next != nullptr) let_ask_again(*next);
}

bool in_the_middle(const Loop& loop) {
  const Handlers& of = handlers(loop);
  return of.calling != nullptr && !of.given_up;
}

/// Tries to begin the loop's section. The head of handler_gate.h derives the time limit. With the
/// lock.
bool may_enter(Loop& self, bool handler) {
  HandlerSections<System>& sections = self.sketch->handlers();
  const System::Instant now = System::now();
  const bool awaited = sections.gate.is_awaited();
  const bool too_late =
      awaited && !sections.unbounded && now >= sections.first_wait + sections.asked_bound;
  if (too_late || !sections.gate.enter(section_of(self), handler)) return false;
  handlers(self).section_began = now;
  if (handler) handlers(self).in_the_middle_since = now;  // the handler was at rest
  count_section(self, awaited && !sections.several ? sections.first_wait : now);
  return true;
}

/// Asks for a section. Returns true when it has begun. With the lock.
bool ask_for_section(Loop& self, bool handler, System::Instant now) {
  HandlerSections<System>& sections = self.sketch->handlers();
  if (sections.gate.is_open()) {
    sections.closed_since = now;
    sections.latest_end = now;
    sections.asked_bound = System::Duration(0);
  }
  sections.asked_bound = larger(sections.asked_bound, System::Duration(self.section_bound));
  sections.gate.want(section_of(self), handler);
  ++sections.seen.count;
  if (section_of(self).later) {
    sections.next_bound = larger(sections.next_bound, System::Duration(self.section_bound));
  } else {
    count_section(self, now);
  }
  return may_enter(self, handler);
}

/// Stops waiting for handlers that have run for kLongestWait, until the section can begin. Nothing
/// protects from such a handler, and the report says so. Handlers that began later are still waited
/// for, because handlers and sections take turns and most handlers end by themselves. `until`
/// becomes the instant at which the next of them has run too long. `all`: those are not waited for
/// either, as handlers may follow each other without a pause. Returns true when the section has
/// begun. The lock is taken for one loop at a time, because there may be many loops; another loop's
/// section may begin in between.
bool give_up_waiting(Loop& self, bool handler, bool all, System::Instant& until) {
  Sketch& sketch = *self.sketch;
  const System::Instant now = System::now();
  until = now + System::Duration(kLongestWait);
  HandlerSections<System>& sections = sketch.handlers();
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    const Loop& loop = sketch.loop(i);
    if (!loop.is(LoopKind::Handler)) continue;
    const Locked locked;
    if (in_the_middle(loop) && section_of(loop).state != SectionState::Wants) {
      const System::Instant latest =
          handlers(loop).in_the_middle_since + System::Duration(kLongestWait);
      if (now < latest && !all) {
        until = smaller(until, latest);
        continue;
      }
      handlers(loop).given_up = true;
      sections.gate.end();
      ++sections.seen.given_up;
    }
    if (!loop.promised()) sections.gate.forget(handlers(loop).turn);  // it may never begin
    if (may_enter(self, handler)) return true;
  }
  return false;
}

/// Waits for a section. The wait does not consume a permit of sys::unpark(): a permit that is given
/// meanwhile is kept.
void enter_section(Loop& self) {
  HandlerSections<System>& sections = self.sketch->handlers();
  bool handler = false;
  bool inside = false;
  const System::Instant asked = System::now();
  {
    const Locked locked;
    // Another section may stop waiting for this handler until now, but not while this one waits
    // itself.
    handler = in_the_middle(self);
    inside = ask_for_section(self, handler, asked);
    if (!inside) begin_to_wait(self);
  }
  if (inside) return;
  if (handler) tell_others(*self.sketch);  // this handler is at rest now
  for (System::Instant until = asked + System::Duration(kLongestWait); !inside;) {
    tell_next(self);
    if (System::now() >= until) {
      const bool all = until >= asked + System::Duration(kLongestWait) * 2;
      inside = give_up_waiting(self, handler, all, until);
    } else {
      Locked locked;
      inside = may_enter(self, handler);
      if (!inside) locked.give_back_until(until);
    }
  }
  Loop* next = nullptr;
  {
    const Locked locked;
    next = end_to_wait(self);
    sections.seen.longest_wait = larger(sections.seen.longest_wait, System::now() - asked);
  }
  if (next != nullptr) let_ask_again(*next);
}

/// Result of an attempt to begin a handler call.
struct Attempt {
  bool begun = false;
  bool others = false;   // other loops may go on now and must be woken
  bool bounded = false;  // the wait ends at `until` at the latest
  System::Instant until{};
};

/// Tries to begin a handler call. Sections that have exceeded their time do not prevent it.
Attempt try_call(Loop& self, sys::PinCall& call) {
  Handlers& of = handlers(self);
  HandlerSections<System>& sections = self.sketch->handlers();
  Attempt attempt;
  const Locked locked;
  if (of.row.empty()) {
    attempt.others = of.turn.waits;
    sections.gate.forget(of.turn);
    return attempt;
  }
  if (!sections.gate.may_begin(of.turn)) {
    // Sections that waited for this loop's last call to end are timed from that end. Otherwise a
    // handler that runs longer than their bound would keep them out.
    const System::Instant from = of.ended_at + sections.asked_bound;
    attempt.others = wait_or_revoke(*self.sketch, of.turn, from);
    attempt.bounded = !sections.unbounded;
    attempt.until = larger(sections.latest_end, from);
  }
  attempt.begun = sections.gate.may_begin(of.turn);
  if (attempt.begun) call = begin_call(self, of);
  return attempt;
}

void leave_section(Loop& self) {
  {
    const Locked locked;
    if (section_of(self).state != SectionState::Inside) return;
    open_gate(self, in_the_middle(self));
  }
  tell_others(*self.sketch);
}

}  // namespace

bool wait_or_revoke(Sketch& sketch, HandlerGate::Turn& turn, System::Instant from) {
  HandlerSections<System>& sections = sketch.handlers();
  const System::Instant now = System::now();
  if (!sections.gate.is_awaited()) sections.first_wait = now;
  sections.gate.wait(turn);
  if (sections.unbounded || now < larger(sections.latest_end, from)) return false;
  // (A phase can also end before any of its sections has begun, because all of them still wait for
  // another loop's handler. Nothing was taken from them then.)
  if (sections.gate.revoke()) ++sections.seen.revoked;
  // Sections that have not begun move to the next phase, with their full time in it.
  sections.next_bound = sections.asked_bound;
  begin_turns(sketch, now);
  return true;
}

namespace {
Loop* first_to_tell(Sketch& sketch) {
  const Locked locked;
  HandlerSections<System>& sections = sketch.handlers();
  return sections.told = sections.first_waiter;
}
}  // namespace

void tell_waiters(Sketch& sketch, System::Instant began) {
  Loop* const first = first_to_tell(sketch);
  if (first == nullptr) return;
  System::count_since(began, System::InHandler::here());
  let_ask_again(*first);
}

void tell_others(Sketch& sketch) {
  const HandlerSections<System>& sections = sketch.handlers();
  if (sections.first_waiter != nullptr) {
    let_ask_again(sketch.setup());
    for (unsigned i = 0; i < sketch.loop_count(); ++i) let_ask_again(sketch.loop(i));
  }
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    Loop& loop = sketch.loop(i);
    const Handlers& of = handlers(loop);
    if (of.row.empty() || of.stopped || !sections.gate.may_begin(of.turn)) continue;
    System::resume(loop.thread);
  }
}

void next_call(Loop& self, sys::PinCall& call) {
  Handlers& of = handlers(self);
  bool ended = false;
  {
    const Locked locked;
    if (of.calling != nullptr) {
      if (section_of(self).state != SectionState::None) open_gate(self, in_the_middle(self));
      end_call(self);
      ended = true;
    }
    change_budgets();
    if (of.row.empty() && !of.idle) {
      of.idle = true;
      of.idle_since = System::now();
    }
  }
  if (ended) tell_others(*self.sketch);
  for (;;) {
    const Attempt attempt = try_call(self, call);
    if (attempt.others) tell_others(*self.sketch);
    if (attempt.begun) return;
    if (attempt.bounded) {
      System::suspend_self_until(attempt.until);
    } else {
      System::suspend_self();
      if (take_begun(self, call)) return;
    }
  }
}

void hold(bool held) {
  Loop& self = *current();
  const HandlerGate& gate = self.sketch->handlers().gate;
  const HandlerGate::Section& section = section_of(self);
  if (!held || gate.is_revoked(section)) leave_section(self);
  if (held && section.state == SectionState::None) enter_section(self);
}

void setup_ends(Sketch& sketch) {
  Loop& setup = sketch.setup();
  {
    const Locked locked;
    if (section_of(setup).state == SectionState::None) return;
    complain(Complaint::Kind::KeptSection, 0, 0);
    open_gate(setup, /*handler=*/false);
  }
  tell_others(sketch);
}

LongestSection longest_section(const Loop& loop, System::Instant end) {
  const Handlers& of = handlers(loop);
  const bool open = of.section.state == SectionState::Inside;
  return {.length = open ? larger(of.longest_section, end - of.section_began) : of.longest_section,
          .revoked = of.revoked || loop.sketch->handlers().gate.is_revoked(of.section)};
}

void loop_stops(Loop& loop) {
  {
    const Locked locked;
    handlers(loop).stopped = true;
    loop.sketch->handlers().gate.forget(handlers(loop).turn);
    if (section_of(loop).state != SectionState::None) open_gate(loop, in_the_middle(loop));
    if (handlers(loop).calling != nullptr) end_call(loop);
  }
  tell_others(*loop.sketch);
}

}  // namespace hocket::runtime::interrupts
