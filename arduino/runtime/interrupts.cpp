// Interrupts of pins on budgets (see interrupts.h).
#include "arduino/runtime/interrupts.h"

#include "kernel/sched/account.h"

namespace hocket::runtime::interrupts {
namespace {

using Port = Board::Port;
using Pins = BoardPins;
using sys::EdgeMode;

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

/// What is known of a handler's loop, by its index.
struct Handlers {
  Row row;        // pins that have edges for it
  Pin* calling;   // whose handler is in the middle
  bool given_up;  // that one has been waited for long enough
  bool idle;      // no handler is, and none waits
  System::Instant idle_since;
};

using Hold = HandlerGate::Hold;
/// As long as noInterrupts() waits for the end of a handler.
constexpr Ticks kLongestWait = Rate::ticks_up(defaults::kLongestHandler.ns);

Pin pins[Pins::kPins];
constexpr unsigned kThreads = SystemConfig::kMaxSlots;
Handlers handlers_of[kThreads];  // by the threads' numbers
Loop* bottom_half;               // null: there is none, or it has not begun
uint64_t top_halves;
unsigned attached;
unsigned the_most_attached;
Hold holds[kThreads];  // likewise
Complaint complaints[kMostComplaints];
unsigned complaints_used;
Port::Lock lock;

/// All of the above is changed with this. The lock of a core comes after it.
class Locked {
 public:
  Locked() : state_(Port::irq_save()) { Port::lock(lock); }
  ~Locked() {
    Port::unlock(lock);
    Port::irq_restore(state_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Port::IrqState state_;
};

Handlers& handlers(const Loop& loop) {
  return handlers_of[loop.thread.id];
}

unsigned asker() {
  const Loop* const self = current_loop();
  return self == nullptr ? Complaint::kSetup : self->descriptor->id;
}

/// Keeps what a call could not do, for the report. With the lock.
bool complain(Complaint::Kind kind, unsigned pin, int mode) {
  const unsigned loop = asker();
  for (unsigned i = 0; i < complaints_used; ++i) {
    Complaint& known = complaints[i];
    if (known.kind == kind && known.pin == pin && known.mode == mode && known.loop == loop) {
      ++known.times;
      return false;
    }
  }
  if (complaints_used < kMostComplaints) complaints[complaints_used++] = {kind, pin, mode, loop, 1};
  return false;
}

constexpr bool is_level(EdgeMode mode) {
  return mode == EdgeMode::Low || mode == EdgeMode::High;
}

/// The calling sketch's loop that has this entry of its table; null: none.
Loop* handler_loop(const LoopDescriptor* declared) {
  Sketch& sketch = current_sketch();
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    Loop& loop = sketch.loop(i);
    if (loop.declared == declared && loop.is(LoopKind::Handler)) return &loop;
  }
  return nullptr;
}

unsigned number_of(const Pin& pin) {
  return static_cast<unsigned>(&pin - pins);
}

/// What the detector has counted joins the account. How many of them wait from now on.
uint32_t note(Pin& pin, const Edges& edges) {
  pin.account.may_stand_for_several(edges.merged);
  return pin.account.arrive(edges.count);
}

/// Nothing of the pin is anywhere any more; what waits is lost.
void let_go(Pin& pin, LostEdge why) {
  Loop& loop = *pin.loop;
  note(pin, Pins::release(number_of(pin)));
  System::note(EventKind::PinWatched, number_of(pin), 0);
  pin.account.lose(why);
  pin.handed = 0;
  if (pin.queued) handlers(loop).row.remove(pin);
  pin.queued = pin.masked = false;
  pin.loop = nullptr;
  --attached;
}

/// The loop has edges of this pin to call the handler for.
void hand_over(Pin& pin) {
  const Edges edges = Pins::take(number_of(pin));
  const uint32_t kept = note(pin, edges);
  System::note(EventKind::EdgesTaken, number_of(pin), edges.count);
  if (kept > 0 && pin.handed == 0) pin.first = edges.first;
  pin.handed += kept;
  if (pin.handed > 0 && !pin.queued) {
    pin.queued = true;
    handlers(*pin.loop).row.push_back(pin);
  }
  // A level stays what it is until the handler has seen to it.
  if (is_level(pin.mode) && pin.handed > 0) {
    pin.masked = true;
    Pins::mask(number_of(pin));
  }
}

/// The handler in the middle has returned, or never will.
void end_call(Loop& self) {
  Handlers& of = handlers(self);
  Pin& pin = *of.calling;
  of.calling = nullptr;
  if (!of.given_up) self.sketch->handlers().gate.end();
  of.given_up = false;
  if (pin.masked && pin.handed == 0) {
    pin.masked = false;
    Pins::unmask(number_of(pin));
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

/// Others of the sketch may go on now: whoever wants a section, or all that had to wait for its
/// end. Without the lock.
void tell_others(Sketch& sketch) {
  const HandlerSections<System>& sections = sketch.handlers();
  if (sections.waiting > 0) {
    if (holds[sketch.setup().thread.id] == Hold::Wants) System::resume(sketch.setup().thread);
    for (unsigned i = 0; i < sketch.loop_count(); ++i) {
      Loop& loop = sketch.loop(i);
      if (holds[loop.thread.id] == Hold::Wants) System::resume(loop.thread);
    }
  }
  if (!sections.gate.may_begin()) return;
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    Loop& loop = sketch.loop(i);
    if (!handlers(loop).row.empty()) System::resume(loop.thread);
  }
}

Hold& hold_of(const Loop& loop) {
  return holds[loop.thread.id];
}

/// With the lock.
void open_gate(Loop& self, bool handler) {
  HandlerSections<System>& sections = self.sketch->handlers();
  if (hold_of(self) == Hold::Wants) --sections.waiting;
  sections.gate.leave(hold_of(self), handler);
  if (!sections.gate.may_begin()) return;
  sections.opened_at = System::now();
  sections.seen.longest = larger(sections.seen.longest, sections.opened_at - sections.closed_since);
}

bool in_the_middle(const Loop& loop) {
  const Handlers& of = handlers(loop);
  return of.calling != nullptr && !of.given_up;
}

/// Handlers that have not ended in all that time are not waited for any more: nothing protects from
/// them, and the report says so. With the lock.
void give_up_waiting(Sketch& sketch) {
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    const Loop& loop = sketch.loop(i);
    if (!in_the_middle(loop) || hold_of(loop) == Hold::Wants) continue;
    handlers(loop).given_up = true;
    sketch.handlers().gate.end();
    ++sketch.handlers().seen.given_up;
  }
}

void enter_section(Loop& self, bool handler) {
  HandlerSections<System>& sections = self.sketch->handlers();
  Hold& hold = hold_of(self);
  bool inside = false;
  const System::Instant asked = System::now();
  {
    const Locked locked;
    if (sections.gate.may_begin()) sections.closed_since = asked;
    sections.gate.want(hold, handler);
    ++sections.seen.count;
    inside = sections.gate.enter(hold, handler);
    if (!inside) ++sections.waiting;
  }
  if (inside) return;
  if (handler) tell_others(*self.sketch);  // it is at rest now
  for (System::Instant until = asked + System::Duration(kLongestWait); !inside;) {
    const bool in_time = System::suspend_self_until(until);
    const Locked locked;
    if (!in_time) {
      give_up_waiting(*self.sketch);
      until = System::Instant::never();
    }
    inside = sections.gate.enter(hold, handler);
    if (inside) --sections.waiting;
  }
  const Locked locked;
  sections.seen.longest_wait = larger(sections.seen.longest_wait, System::now() - asked);
}

void leave_section(Loop& self, bool handler) {
  {
    const Locked locked;
    if (hold_of(self) != Hold::Inside) return;
    open_gate(self, handler);
  }
  tell_others(*self.sketch);
}

}  // namespace

void top_half(void*) {
  ++top_halves;
  Port::line_mask(Pins::kLine);
  System::note(EventKind::PinInterrupt, Pins::kLine);
  System::top_half(bottom_half->thread, System::Duration(Pins::kTopHalf));
}

void run_bottom_half(Loop& self) {
  bottom_half = &self;
  {
    const Locked locked;
    const port::LineUse use{
        .trigger = port::Trigger::Level, .level = port::Level::RealTime, .core = Port::core_id()};
    if (!Port::line_attach(Pins::kLine, &top_half, nullptr, use)) Port::halt("pins have no line");
  }
  unsigned next = 0;  // pins take turns: none waits for more than one turn of each other one
  for (;;) {
    Loop* loop = nullptr;
    {
      const Locked locked;
      const unsigned number = Pins::asking(next);
      if (number < Pins::kPins) {
        next = number + 1;
        loop = pins[number].loop;
        hand_over(pins[number]);
      } else {
        Port::line_unmask(Pins::kLine);
      }
    }
    if (loop == nullptr) {
      System::suspend_self();
    } else {
      System::resume(loop->thread);
    }
  }
}

bool attach(const sys::PinInterrupt& wanted) {
  using Kind = Complaint::Kind;
  const Locked locked;
  if (!Pins::has_interrupt(wanted.pin)) {
    return complain(Kind::NoInterrupt, wanted.pin, wanted.mode);
  }
  if (wanted.mode < 0 || wanted.mode >= sys::kEdgeModes) {
    return complain(Kind::NoMode, wanted.pin, wanted.mode);
  }
  if (wanted.call.handler == nullptr) return complain(Kind::NoHandler, wanted.pin, wanted.mode);
  Loop* const loop = handler_loop(wanted.loop);
  if (loop == nullptr) return complain(Kind::UnknownLoop, wanted.pin, wanted.mode);
  Pin& pin = pins[wanted.pin];
  if (pin.loop != nullptr) let_go(pin, LostEdge::Detached);
  pin.call = wanted.call;
  pin.loop = pin.former = loop;
  pin.mode = static_cast<EdgeMode>(wanted.mode);
  Pins::watch(wanted.pin, pin.mode);
  System::note(EventKind::PinWatched, wanted.pin, static_cast<uint64_t>(wanted.mode) + 1);
  the_most_attached = larger(the_most_attached, ++attached);
  return true;
}

bool detach(unsigned number) {
  const Locked locked;
  if (number >= Pins::kPins || pins[number].loop == nullptr) {
    return complain(Complaint::Kind::NothingAttached, number, 0);
  }
  let_go(pins[number], LostEdge::Detached);
  return true;
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
  const bool handler = in_the_middle(self);
  if (!held) return leave_section(self, handler);
  if (hold_of(self) == Hold::None) enter_section(self, handler);
}

void loop_stops(Loop& loop) {
  {
    const Locked locked;
    const bool calling = handlers(loop).calling != nullptr;
    const bool handler = in_the_middle(loop);
    if (hold_of(loop) != Hold::None) open_gate(loop, handler);
    for (Pin& pin : pins) {
      if (pin.loop == &loop) let_go(pin, LostEdge::Stopped);
    }
    if (calling) end_call(loop);
  }
  tell_others(*loop.sketch);
}

uint64_t least_bottom_half() {
  return Rate::ns_up(static_cast<uint64_t>(2 * smallest_budget(Port::costs()) + Pins::kBottomHalf));
}

const Pin* pin(unsigned number) {
  return pins[number].former == nullptr ? nullptr : &pins[number];
}
uint64_t top_half_count() {
  return top_halves;
}
unsigned most_attached() {
  return the_most_attached;
}
unsigned complaint_count() {
  return complaints_used;
}
const Complaint& complaint(unsigned index) {
  return complaints[index];
}

}  // namespace hocket::runtime::interrupts
