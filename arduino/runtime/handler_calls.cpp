// The loops' side of interrupts of pins: a handler's loop makes one call after another, and
// sections between noInterrupts() and interrupts() keep all of a sketch's handlers from beginning.
#include "arduino/runtime/pin_state.h"

namespace hocket::runtime::interrupts {
namespace {

using Hold = HandlerGate::Hold;
/// As long as noInterrupts() waits for the end of a handler.
constexpr Ticks kLongestWait = Rate::ticks_up(defaults::kLongestHandler.ns);

Hold& hold_of(const Loop& loop) {
  return handlers(loop).hold;
}

/// The handler in the middle has returned, or never will.
void end_call(Loop& self) {
  Handlers& of = handlers(self);
  Pin& pin = *of.calling;
  of.calling = nullptr;
  if (!of.given_up) self.sketch->handlers().gate.end();
  of.given_up = false;
  // (It may have let its pin go, and another loop may have that one now.)
  if (pin.loop == &self && pin.masked && pin.handed == 0) {
    pin.masked = false;
    BoardPins::unmask(number_of(pin));
  }
}

/// The loop's next call: its own edge has waited until now.
sys::PinCall begin_call(Loop& self) {
  Handlers& of = handlers(self);
  Pin& pin = of.row.pop_front();
  pin.queued = false;
  pin.account.deliver();
  --pin.handed;
  if (pin.handed > 0) {
    pin.queued = true;
    of.row.push_back(pin);
  }
  self.sketch->handlers().gate.begin();
  of.calling = &pin;
  const System::Instant now = System::now();
  if (of.idle && of.idle_since <= pin.first) {
    const System::Instant from = larger(pin.first, self.sketch->handlers().opened_at);
    pin.worst_delay = larger(pin.worst_delay, now - from);
  }
  of.idle = false;
  System::note(EventKind::EdgeDelivered, number_of(pin));
  return pin.call;
}

/// With the lock.
void open_gate(Loop& self, bool handler) {
  HandlerSections<System>& sections = self.sketch->handlers();
  if (hold_of(self) == Hold::Wants) --sections.waiting;
  sections.gate.leave(hold_of(self), handler);
  if (!sections.gate.may_begin()) return;
  sections.opened_at = System::now();
  sections.seen.longest = larger(sections.seen.longest, sections.opened_at - sections.closed_since);
  section_ends(*self.sketch);
}

/// Whoever waits for a section asks for it again. (What it wants may change at any time: it is
/// woken once too often then, and waits on.)
void let_ask_again(Loop& loop) {
  if (hold_of(loop) != Hold::Wants) return;
  const Port::IrqState state = Port::irq_save();
  System::wake_early(loop.thread);
  Port::irq_restore(state);
}

bool in_the_middle(const Loop& loop) {
  const Handlers& of = handlers(loop);
  return of.calling != nullptr && !of.given_up;
}

/// Handlers that have not ended in all that time are not waited for any more, until the section can
/// begin: nothing protects from them, and the report says so. True: it has begun. (One after the
/// other, as there may be many; another one's section may begin between.)
bool give_up_waiting(Loop& self, bool handler) {
  Sketch& sketch = *self.sketch;
  HandlerSections<System>& sections = sketch.handlers();
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    const Loop& loop = sketch.loop(i);
    if (!loop.is(LoopKind::Handler)) continue;
    const Locked locked;
    if (in_the_middle(loop) && hold_of(loop) != Hold::Wants) {
      handlers(loop).given_up = true;
      sections.gate.end();
      ++sections.seen.given_up;
    }
    if (sections.gate.enter(hold_of(self), handler)) return true;
  }
  return false;
}

/// (It waits for the section and for nothing else: a permit of sys::unpark() that comes meanwhile
/// is there afterwards.)
void enter_section(Loop& self) {
  HandlerSections<System>& sections = self.sketch->handlers();
  Hold& hold = hold_of(self);
  bool handler = false;
  bool inside = false;
  const System::Instant asked = System::now();
  {
    const Locked locked;
    // Somebody may give it up until now, but not while it wants a section.
    handler = in_the_middle(self);
    if (sections.gate.may_begin()) sections.closed_since = asked;
    sections.gate.want(hold, handler);
    ++sections.seen.count;
    inside = sections.gate.enter(hold, handler);
    if (!inside) ++sections.waiting;
  }
  if (inside) return;
  if (handler) tell_others(*self.sketch);  // it is at rest now
  for (System::Instant until = asked + System::Duration(kLongestWait); !inside;) {
    if (System::now() >= until) {
      inside = give_up_waiting(self, handler);
      until = System::now() + System::Duration(kLongestWait);
    } else {
      Locked locked;
      inside = sections.gate.enter(hold, handler);
      if (!inside) locked.give_back_until(until);
    }
  }
  const Locked locked;
  --sections.waiting;
  sections.seen.longest_wait = larger(sections.seen.longest_wait, System::now() - asked);
}

void leave_section(Loop& self) {
  {
    const Locked locked;
    if (hold_of(self) != Hold::Inside) return;
    open_gate(self, in_the_middle(self));
  }
  tell_others(*self.sketch);
}

}  // namespace

void tell_others(Sketch& sketch) {
  const HandlerSections<System>& sections = sketch.handlers();
  if (sections.waiting > 0) {
    let_ask_again(sketch.setup());
    for (unsigned i = 0; i < sketch.loop_count(); ++i) let_ask_again(sketch.loop(i));
  }
  if (!sections.gate.may_begin()) return;
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    Loop& loop = sketch.loop(i);
    if (handlers(loop).row.empty() || handlers(loop).stopped) continue;
    System::resume(loop.thread);
  }
}

void next_call(Loop& self, sys::PinCall& call) {
  Handlers& of = handlers(self);
  bool ended = false;
  {
    const Locked locked;
    if (of.calling != nullptr) {
      if (hold_of(self) != Hold::None) open_gate(self, in_the_middle(self));
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
    {
      const Locked locked;
      if (self.sketch->handlers().gate.may_begin() && !of.row.empty()) {
        call = begin_call(self);
        return;
      }
    }
    System::suspend_self();
  }
}

void hold(bool held) {
  Loop& self = *current();
  if (!held) return leave_section(self);
  if (hold_of(self) == Hold::None) enter_section(self);
}

void setup_ends(Sketch& sketch) {
  Loop& setup = sketch.setup();
  {
    const Locked locked;
    if (hold_of(setup) == Hold::None) return;
    complain(Complaint::Kind::KeptSection, 0, 0);
    open_gate(setup, /*handler=*/false);
  }
  tell_others(sketch);
}

void loop_stops(Loop& loop) {
  {
    const Locked locked{Locked::InLine{}};  // (it may be masked)
    handlers(loop).stopped = true;
    if (hold_of(loop) != Hold::None) open_gate(loop, in_the_middle(loop));
    if (handlers(loop).calling != nullptr) end_call(loop);
  }
  tell_others(*loop.sketch);
}

}  // namespace hocket::runtime::interrupts
