// Direct handlers, which run in the top half. Their pins are on a line of their own, on core 0, and
// are never handed to a bottom half.
//
//   edge ─▶ top half ─▶ handler            if at least `distance` has passed since the last edge
//           too soon: the edge is lost and counted; the pin is masked until the distance is over
//           handlers are held: the pin is masked until they are not; then one call per distance
//           the handler faults: it is detached, if the board can abort it (BoardPins::call_direct)
//           attached again: masked until `distance` after the last watch, call and edge
//
// Admission reserves the handler's time on the core (direct_cost()); the interrupted thread is not
// charged. A handler that takes longer than declared breaks the guarantees of others, so it is
// detached at once. It is never attached again, and neither is one that has faulted. An alarm on
// core 0 unmasks the pin. If another core has attached the handler again, an alarm of that core
// does.
#include "arduino/runtime/lone_edges.h"

namespace hocket::runtime::interrupts {
namespace {

using Kind = Complaint::Kind;

/// Recomputes `at_once_from`. Call after a change of `behind`, `next_edge` or the pin's mode.
void find_at_once([[maybe_unused]] Direct& direct, [[maybe_unused]] Pin& pin) {
  if constexpr (Lines::kKnowsEdges) {
    const bool never = direct.behind || known_of(pin) == nullptr;
    direct.at_once_from = never ? System::Instant::never() : direct.next_edge;
  }
}
void set_behind(Pin& pin, bool behind) {
  pin.direct->behind = behind;
  pin.direct->measured &= behind;
  find_at_once(*pin.direct, pin);
}

/// A section holds the handler back. The edge that has found no other one waiting is measured.
void hold_back(Pin& pin) {
  pin.direct->measured |= !pin.direct->behind;
  set_behind(pin, true);
}

void wait_until(Pin& pin, System::Instant until) {
  Direct& direct = *pin.direct;
  if (!pin.masked) {
    pin.masked = true;
    BoardPins::mask(number_of(pin));
  }
  if (direct.alarm.active()) return;
  direct.alarm.due = until;
  direct.alarm.times = 1;
  if (!System::start_alarm(direct.alarm)) Port::halt("too many direct handlers");
}

/// Unmasks the pin: it may raise its interrupt from now on.
void open(Pin& pin, System::Instant now) {
  Direct& direct = *pin.direct;
  if (direct.waits_to_open) direct.next_watch = now + System::Duration(direct.distance);
  direct.waits_to_open = pin.masked = false;
  BoardPins::unmask(number_of(pin));
}

/// The handler was attached again too soon: edges before `at` count as too soon as well.
void open_at(Pin& pin, System::Instant at) {
  Direct& direct = *pin.direct;
  direct.waits_to_open = true;
  direct.next_edge = larger(direct.next_edge, at);
  find_at_once(direct, pin);
  if (Port::core_id() == 0) return wait_until(pin, at);
  pin.masked = true;
  BoardPins::mask(number_of(pin));
  if (direct.opening.active()) return;
  direct.opening.due = at;
  direct.opening.times = 1;
  if (!System::start_alarm(direct.opening)) Port::halt("too many direct handlers");
}

/// Takes the detector's count into the pin's account, and drops edges that came too soon. Returns
/// true when the handler is to be called.
bool judge(Pin& pin, System::Instant now) {
  Direct& direct = *pin.direct;
  const Edges edges = BoardPins::take(number_of(pin));
  note(pin, edges);
  const System::Duration distance(direct.distance);
  const bool in_time = edges.count > 0 && direct.next_edge <= edges.first;
  const bool is_first = in_time && pin.account.waiting() == edges.count;
  direct.measured &= is_first;
  if (in_time) {
    if (is_first) pin.first = edges.first;
    direct.next_edge = edges.first + distance;
    find_at_once(direct, pin);
    // The top half was delayed so long that several edges may have been in time.
    if (edges.count > 1 && edges.first + distance <= now) set_behind(pin, true);
  }
  if (direct.behind || (in_time && edges.count == 1)) return pin.account.waiting() > 0;
  if (in_time) return true;
  pin.account.lose(LostEdge::TooSoon);
  return false;
}

/// Calls the handler with the lock released, and takes the lock again. Returns the handler's
/// duration; `ended` says how it ended.
System::Duration call(Pin& pin, System::Instant now, DirectEnd& ended) {
  Direct& direct = *pin.direct;
  pin.account.deliver();
  if (direct.measured || !direct.behind) {
    const System::Instant from = larger(pin.first, direct.sketch->handlers().counts_from);
    pin.worst_delay = larger(pin.worst_delay, now - from);
    direct.measured = false;
  }
  if (!direct.behind) pin.account.lose(LostEdge::TooSoon);
  direct.next_call = now + System::Duration(direct.distance);
  HandlerGate& gate = direct.sketch->handlers().gate;
  gate.begin(direct.turn);
  state.running = &direct;
  const sys::PinCall handler = pin.call;
  System::note(EventKind::EdgeDelivered, number_of(pin));
  Port::unlock(state.lock);
  ended = Lines::call_direct(*direct.sketch, number_of(pin), handler, direct.length);
  const System::Instant end = System::now();
  Port::lock(state.lock);
  state.running = nullptr;
  gate.end();
  return end - now;
}

/// A handler that was aborted while it waited for a ticket spinlock still holds a ticket. The
/// ticket must be passed on when its turn comes. The handler's alarm polls for that, in the time
/// that admission reserved for the handler.
void pass_turns(Direct& direct, System::Instant now) {
  if (!Lines::pass_turns() || direct.alarm.active()) return;
  direct.alarm.due = now + System::Duration(direct.distance);
  direct.alarm.times = 1;
  if (!System::start_alarm(direct.alarm)) Port::halt("too many direct handlers");
}

/// How much (ticks) of a measured duration may belong to other cores, on a board whose clock also
/// advances for them (docs/porting/interrupts.md).
template <class Pins = BoardPins>
constexpr Ticks others_time() {
  if constexpr (requires { Pins::kOthersTime; }) {
    return Pins::kOthersTime;
  } else {
    return 0;
  }
}

void check_length(Direct& direct, System::Duration taken, DirectEnd ended) {
  direct.longest = larger(direct.longest, taken);
  if (ended != DirectEnd::Returned) pass_turns(direct, System::now());
  if (direct.pin == nullptr) return;
  if (taken.ticks() <= direct.length + others_time() && ended == DirectEnd::Returned) return;
  direct.broken = true;
  if (ended != DirectEnd::Faulted) {
    const uint64_t us = (Rate::ns_up(static_cast<uint64_t>(taken.ticks())) + 999) / 1'000;
    complain(Kind::TooLong, number_of(*direct.pin),
             static_cast<int>(smaller<uint64_t>(us, INT32_MAX)));
  }
  let_go(*direct.pin, LostEdge::Stopped);
}

/// Serves one direct pin: its interrupt or its alarm has fired. With the lock, masked, on core 0.
void serve(Pin& pin) {
  Direct& direct = *pin.direct;
  Sketch& sketch = *direct.sketch;
  const System::Instant now = System::now();
  const System::Duration distance(direct.distance);
  HandlerGate& gate = sketch.handlers().gate;
  // (Handler loops that wait for the gate check its time limit themselves.)
  if (!gate.may_begin(direct.turn)) static_cast<void>(wait_or_revoke(sketch, direct.turn, now));
  if (!gate.may_begin(direct.turn)) {
    hold_back(pin);
    return wait_until(pin, now + distance);
  }
  if (!judge(pin, now)) {
    gate.forget(direct.turn);
    if (!pin.masked && !direct.behind) return wait_until(pin, direct.next_edge);
    set_behind(pin, false);
    return open(pin, now);
  }
  if (direct.behind && now < direct.next_call) return wait_until(pin, direct.next_call);
  auto ended = DirectEnd::Returned;
  const System::Duration taken = call(pin, now, ended);
  check_length(direct, taken, ended);
  if (direct.pin != &pin) return;  // detached meanwhile
  if (is_level(pin.mode) || pin.account.waiting() > 0) return wait_until(pin, direct.next_call);
  set_behind(pin, false);
  if (pin.masked) open(pin, System::now());
}

/// Excludes this handler from the board's measurement of the kernel's own interrupts.
template <class AnyPins = BoardPins>
void note_service() {
  if constexpr (requires { AnyPins::note_service(); }) AnyPins::note_service();
}

/// Serves the pin that `find` returns and charges the time to no thread. Then wakes threads that
/// waited for the end of a handler.
template <class Find>
void in_nobodys_time(Find find) {
  note_service();
  const System::Instant begin = System::now();
  Sketch* sketch = nullptr;
  {
    const Locked locked;
    Pin* const pin = find();
    if (pin != nullptr) {
      sketch = pin->direct->sketch;
      pin->direct->began = begin;
      serve(*pin);
    }
  }
  if (sketch != nullptr) tell_waiters(*sketch, begin);
  System::pass_over(begin, System::InHandler::here());
}

}  // namespace

void direct_top_half(void*) {
  ++state.direct_top_halves;
  System::note(EventKind::PinInterrupt, static_cast<uint32_t>(Lines::direct()));
  in_nobodys_time([]() -> Pin* {
    const unsigned number = Lines::asking(Lines::direct(), state.next_direct_pin);
    if (number >= BoardPins::kPins) return nullptr;
    state.next_direct_pin = number + 1;
    return &state.pins[number];
  });
}

/// Bookkeeping after a handler that lone_edges.h called directly.
void called_at_once(DirectEnd ended) {
  const System::Instant end = System::now();
  Port::lock(state.lock);
  Direct& direct = *state.running;
  Pin& pin = *direct.called;
  state.running = nullptr;
  direct.sketch->handlers().gate.end();
  pin.worst_delay = larger(pin.worst_delay, direct.began - direct.first);
  check_length(direct, end - direct.began, ended);
  Port::unlock(state.lock);
  tell_waiters(*direct.sketch, direct.began);
  System::pass_over(direct.began, System::InHandler::here());
}

namespace {

/// The handler was attached again too soon and its time has not come yet. The pin is masked, so
/// only an alarm asks.
bool opens_later(Pin& pin) {
  Direct& direct = *pin.direct;
  if (!direct.waits_to_open) return false;
  const System::Instant now = System::now();
  if (now < direct.next_watch) {
    wait_until(pin, direct.next_watch);
    return true;
  }
  direct.waits_to_open = false;
  direct.next_watch = now + System::Duration(direct.distance);
  return false;
}

void distance_is_over(void* argument) {
  in_nobodys_time([argument]() -> Pin* {
    Direct& direct = *static_cast<Direct*>(argument);
    Pin* const pin = direct.pin;
    pass_turns(direct, System::now());
    // (The end of a section unmasks the pin. The detector does not report again what is in the
    // account.)
    if (pin != nullptr && opens_later(*pin)) return nullptr;
    const bool waits = pin != nullptr && (pin->masked || pin->account.waiting() > 0);
    return waits ? pin : nullptr;
  });
}

/// Alarm of the core that attached the handler again, if that is not core 0. Only unmasks the pin.
void may_be_opened(void* argument) {
  note_service();
  const Locked locked;
  Direct& direct = *static_cast<Direct*>(argument);
  if (direct.pin == nullptr || !direct.waits_to_open || direct.alarm.active()) return;
  const System::Instant now = System::now();
  if (now < direct.next_watch) return open_at(*direct.pin, direct.next_watch);
  open(*direct.pin, now);
}

Direct* declared_direct(const LoopDescriptor* declared) {
  Sketch* const sketch = &current_sketch();
  for (unsigned i = 0; i < state.directs_used; ++i) {
    if (state.directs[i].declared == declared && state.directs[i].sketch == sketch)
      return &state.directs[i];
  }
  return nullptr;
}

}  // namespace

bool add_direct(Sketch& sketch, const LoopDescriptor& declared) {
  if (state.directs_used == kMostDirect) return false;
  Direct& direct = state.directs[state.directs_used++];
  const TickDemand promised = promise(declared);
  direct.declared = &declared;
  direct.sketch = &sketch;
  direct.length = static_cast<Ticks>(promised.budget);
  direct.distance = static_cast<Ticks>(promised.period);
  direct.alarm.handler = &distance_is_over;
  direct.alarm.argument = &direct;
  direct.opening.handler = &may_be_opened;
  direct.opening.argument = &direct;
  return true;
}
unsigned direct_count() {
  return state.directs_used;
}
const Direct& direct(unsigned index) {
  return state.directs[index];
}

void begin_direct() {
  if constexpr (Lines::kHasDirect) {
    if (state.directs_used == 0) return;
    const Locked locked;
    if (!attach_line(Lines::direct(), &direct_top_half, nullptr)) {
      Port::halt("direct handlers have no line");
    }
    Lines::unmask<Port>(Lines::direct());
  }
}

bool direct_began(System::Instant& when) {
  if (Port::core_id() != 0 || state.running == nullptr) return false;
  when = state.running->began;
  return true;
}

bool direct_handler_runs() {
  return Port::in_irq() && state.running != nullptr;
}

Sketch* direct_sketch() {
  return direct_handler_runs() ? state.running->sketch : nullptr;
}

unsigned direct_pin() {
  return state.running->pin == nullptr ? BoardPins::kPins : number_of(*state.running->pin);
}

bool refuses_to_wait() {
  if (!direct_handler_runs()) return false;
  const Locked locked;
  complain(Kind::WaitsInside, state.running->pin == nullptr ? 0 : number_of(*state.running->pin),
           0);
  return true;
}

namespace {

/// Watches the pin. Its interrupts begin no sooner than `distance` after the last watch, call or
/// edge, so that attaching often causes no more interrupts than admission counts. The line is
/// masked meanwhile, because the pin must not interrupt before it is masked itself.
[[maybe_unused]] void watch_direct(Pin& pin, Direct& direct) {
  const System::Instant now = System::now();
  if (!direct.waits_to_open) {
    direct.next_watch = larger(direct.next_watch, larger(direct.next_call, direct.next_edge));
  }
  Lines::mask<Port>(Lines::direct());
  Lines::watch(number_of(pin), pin.mode, Lines::direct(), &pin);
  if (now < direct.next_watch) {
    open_at(pin, direct.next_watch);
  } else {
    direct.waits_to_open = false;
    direct.next_watch = now + System::Duration(direct.distance);
  }
  Lines::unmask<Port>(Lines::direct());
}

}  // namespace

/// Looks up in advance what an immediate call needs (lone_edges.h).
template <class AnyPins = BoardPins>
void prepare_call([[maybe_unused]] Direct& direct) {
  if constexpr (PinLines<AnyPins>::kKnowsEdges) {
    direct.storage = AnyPins::storage_of_direct(*direct.sketch);
  }
}

bool attach_direct(Pin& pin, const sys::PinInterrupt& wanted) {
  Direct* const direct = declared_direct(wanted.loop);
  if (direct == nullptr) return complain(Kind::UnknownLoop, wanted.pin, wanted.mode);
  if constexpr (!Lines::kHasDirect) {
    return complain(Kind::NoDirect, wanted.pin, wanted.mode);
  } else {
    if (direct->pin != nullptr && direct->pin != &pin) {
      return complain(Kind::TwoPins, wanted.pin, wanted.mode);
    }
    if (direct->broken) return complain(Kind::Broken, wanted.pin, wanted.mode);
    if (pin.attached()) let_go(pin, LostEdge::Detached);
    pin.call = wanted.call;
    pin.direct = direct;
    pin.former_direct = direct;
    pin.former = nullptr;
    pin.mode = static_cast<EdgeMode>(wanted.mode);
    direct->pin = &pin;
    set_behind(pin, false);
    prepare_call(*direct);
    watch_direct(pin, *direct);
    System::note(EventKind::PinWatched, wanted.pin, static_cast<uint64_t>(wanted.mode) + 1);
    state.most_attached = larger(state.most_attached, ++state.attached);
    return true;
  }
}

void let_go_direct(Pin& pin) {
  pin.direct->sketch->handlers().gate.forget(pin.direct->turn);
  pin.direct->pin = nullptr;
  pin.direct = nullptr;
}

/// Each direct pin is unmasked here at most once per distance, so it causes at most one interrupt
/// per distance. The alarm serves the rest.
void section_ends(Sketch& sketch) {
  const System::Instant now = System::now();
  for (unsigned i = 0; i < state.directs_used; ++i) {
    Direct& direct = state.directs[i];
    if (direct.sketch != &sketch || direct.pin == nullptr) continue;
    if (!direct.behind || !direct.pin->masked || now < direct.next_opening) continue;
    direct.next_opening = now + System::Duration(direct.distance);
    open(*direct.pin, now);
  }
}

}  // namespace hocket::runtime::interrupts
