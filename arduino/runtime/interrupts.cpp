// From the lines to the handlers' loops; attaching and detaching (see interrupts.h).
#include "arduino/runtime/pin_state.h"
#include "arduino/runtime/sketches.h"
#include "kernel/sched/charges.h"

namespace hocket::runtime::interrupts {

State state;

namespace {

using Pins = BoardPins;

/// The loop of the calling sketch that was declared by this table entry; null: none.
Loop* handler_loop(const LoopDescriptor* declared) {
  Sketch& sketch = current_sketch();
  for (unsigned i = 0; i < sketch.loop_count(); ++i) {
    Loop& loop = sketch.loop(i);
    if (loop.declared == declared && loop.is(LoopKind::Handler)) return &loop;
  }
  return nullptr;
}

/// If the entry declares an I/O virtual CPU: changes its budget and returns true.
bool change_budget(const LoopDescriptor* declared) {
  Sketch& sketch = current_sketch();
  const LoopDescriptor* const known = sketch.budget_of_bottom_half(declared);
  if (known == nullptr) return false;
  Loop* const loop = sketch.bottom_half_like(*known);
  const Demand<Ticks> demand = sketch.all().demand_of(*known);
  const Locked locked;
  Line& line = state.lines[loop->line];
  line.budget = sketch.all().enforced(demand);
  line.period = demand.period;
  const bool was_off = line.off;
  line.off = known->budget_ns == 0;
  line.changed = !line.off;
  change_budgets();
  if (line.off) {
    if constexpr (Lines::kKnowsEdges) {  // (Such a board does not check an edge's line before it
                                         // delivers the edge, so the line is masked.)
      line.kept = true;
      Lines::mask<Port>(Lines::io(loop->line));
    }
    return true;
  }
  if (was_off)
    sketch.handlers().counts_from = System::now();  // the delay counts as if a section
                                                    // had ended now
  if (line.kept) Lines::unmask<Port>(Lines::io(loop->line));
  line.kept = false;
  return true;
}

/// Queues these edges of the pin for its handler's loop. With the lock.
HOCKET_IN_LINE void hand_over(Pin& pin, const Edges& edges) {
  const uint32_t kept = note(pin, edges);
  Handlers& of = *pin.of;
  if (of.stopped) return let_go(pin, LostEdge::Stopped);
  HandlerSections<System>& sections = pin.loop->sketch->handlers();
  if (!sections.gate.is_open()) sections.seen.remembered += kept;
  System::note(EventKind::EdgesTaken, number_of(pin), edges.count);
  if (kept > 0 && pin.handed == 0) pin.first = edges.first;
  pin.handed += kept;
  if (pin.handed > 0 && !pin.queued) {
    pin.queued = true;
    of.row.push_back(pin);
  }
  // A level persists until the handler has removed its cause, so the pin is masked until then.
  if (is_level(pin.mode) && pin.handed > 0) {
    pin.masked = true;
    Pins::mask(number_of(pin));
  }
}

}  // namespace

void change_budgets() {
  for (Line& line : state.lines) {
    if (!line.changed || line.bottom_half == nullptr) continue;
    line.changed = !System::change_io(line.bottom_half->thread, System::Duration(line.budget),
                                      System::Duration(line.period));
  }
}

void let_go(Pin& pin, LostEdge why) {
  if (is_orphan(pin)) why = LostEdge::Stopped;
  note(pin, Pins::release(number_of(pin)));
  System::note(EventKind::PinWatched, number_of(pin), 0);
  pin.account.lose(why);
  pin.handed = 0;
  if (pin.queued) {
    Handlers& of = handlers(*pin.loop);
    of.row.remove(pin);
    if (of.row.empty()) pin.loop->sketch->handlers().gate.forget(of.turn);
  }
  pin.queued = pin.masked = false;
  pin.loop = nullptr;
  if (pin.direct != nullptr) let_go_direct(pin);
  --state.attached;
}

namespace {

/// The result of one pin's turn. Pins take turns, so a pin waits for at most one turn of each other
/// pin.
struct Turn {
  bool asked;  // some pin asked for service
  bool more;   // another pin asks as well; valid only if `kFurther`
  Loop* loop;  // the loop that the edges are for; null: no pin asked, or the pin was detached
};
/// Serves one pin of the line. With the lock.
template <bool kFurther>
HOCKET_IN_LINE Turn take_turn(Line& line, unsigned number) {
  const auto turn = Lines::take_turn<kFurther>(Lines::io(number), line.next_pin);
  if (turn.pin >= Pins::kPins) return {.asked = false, .more = false, .loop = nullptr};
  line.next_pin = turn.pin + 1;
  Pin& pin = state.pins[turn.pin];
  Loop* const loop = pin.loop;
  hand_over(pin, turn.edges);
  return {.asked = true, .more = turn.more, .loop = loop};
}

/// One turn of the bottom half, in the interrupt itself. If the I/O virtual CPU has lost its budget
/// meanwhile, nothing is taken and its thread handles that.
System::Served serve_one(unsigned number) {
  Line& line = state.lines[number];
  Turn turn{.asked = true, .more = true, .loop = nullptr};
  Port::lock(state.lock);
  if (!line.off) [[likely]]
    turn = take_turn<true>(line, number);
  Port::unlock(state.lock);
  return {turn.loop == nullptr ? nullptr : &turn.loop->thread, turn.more};
}

/// One turn of the bottom half's thread, while its line is masked. Without a budget the line stays
/// masked until there is one again. Any core may change that, with the lock.
Turn next_turn(Line& line, unsigned number) {
  const Locked locked;
  if (line.off) {
    line.kept = true;
    return {.asked = false, .more = false, .loop = nullptr};
  }
  const Turn turn = take_turn<false>(line, number);
  if (!turn.asked) Lines::unmask<Port>(Lines::io(number));
  return turn;
}

}  // namespace

/// Runs the bottom half in the interrupt if its virtual CPU may take the core now. Otherwise wakes
/// its thread; the line stays masked until the thread has served it.
void top_half(void* argument) {
  const System::InHandler here = System::InHandler::here();
  const auto number = static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument));
  Line& line = state.lines[number];
  ++line.top_halves;
  System::note(EventKind::PinInterrupt, static_cast<uint32_t>(Lines::io(number)));
  Loop& io = *line.bottom_half;
  const System::Duration length(Pins::kTopHalf), most(Pins::kBottomHalf);
  const auto serve = [number] { return serve_one(number); };
  const bool done = System::serve(io.thread, length, most, serve, here);
  if (!done) Lines::mask<Port>(Lines::io(number));
}

void run_bottom_half(Loop& self) {
  const unsigned number = self.line;
  Line& own = state.lines[number];
  {
    const Locked locked;
    own.bottom_half = &self;
    void* const argument = reinterpret_cast<void*>(static_cast<uintptr_t>(number));
    if (!attach_line(Lines::io(number), &top_half, argument)) Port::halt("pins have no line");
  }
  for (;;) {
    const Turn turn = next_turn(own, number);
    if (!turn.asked) {
      System::suspend_self();
    } else if (turn.loop != nullptr) {
      System::resume(turn.loop->thread);
    }
  }
}

namespace {

/// Wakes sections that may wait for a handler call which will not come after a detach.
void tell_sections(Sketch& sketch) {
  if (sketch.handlers().first_waiter != nullptr) tell_others(sketch);
}

bool attach_handler(const sys::PinInterrupt& wanted) {
  using Kind = Complaint::Kind;
  // The table of loops does not change after boot, so these searches need no lock.
  Loop* const loop = handler_loop(wanted.loop);
  const Loop* const io = loop == nullptr ? nullptr : loop->sketch->bottom_half_for(wanted.pin);
  const Locked locked;
  if (!Pins::has_interrupt(wanted.pin)) {
    return complain(Kind::NoInterrupt, wanted.pin, wanted.mode);
  }
  if (wanted.mode < 0 || wanted.mode >= sys::kEdgeModes) {
    return complain(Kind::NoMode, wanted.pin, wanted.mode);
  }
  if (wanted.call.handler == nullptr) return complain(Kind::NoHandler, wanted.pin, wanted.mode);
  Pin& pin = state.pins[wanted.pin];
  pin.number = static_cast<uint8_t>(wanted.pin);
  if (loop == nullptr) return attach_direct(pin, wanted);
  if (pin.attached()) let_go(pin, LostEdge::Detached);
  pin.call = wanted.call;
  pin.loop = pin.former = loop;
  pin.of = &handlers(*loop);
  pin.former_direct = nullptr;
  pin.mode = static_cast<EdgeMode>(wanted.mode);
  Lines::watch(wanted.pin, pin.mode, Lines::io(io->line), known_of(pin));
  System::note(EventKind::PinWatched, wanted.pin, static_cast<uint64_t>(wanted.mode) + 1);
  state.most_attached = larger(state.most_attached, ++state.attached);
  return true;
}

}  // namespace

bool attach(const sys::PinInterrupt& wanted) {
  if (change_budget(wanted.loop)) return true;
  const bool attached = attach_handler(wanted);
  tell_sections(current_sketch());
  return attached;
}

bool detach(unsigned number) {
  {
    const Locked locked;
    if (number >= Pins::kPins || !state.pins[number].attached()) {
      return complain(Complaint::Kind::NothingAttached, number, 0);
    }
    let_go(state.pins[number], LostEdge::Detached);
  }
  tell_sections(current_sketch());
  return true;
}

uint64_t least_bottom_half() {
  return Rate::ns_up(static_cast<uint64_t>(2 * smallest_budget(Port::costs()) + Pins::kBottomHalf));
}

}  // namespace hocket::runtime::interrupts
