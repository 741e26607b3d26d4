// What the report of a run says of pins, as the run ends (interrupts.h). Reads what the other parts
// keep, without the lock: nothing moves any more.
#include "arduino/runtime/pin_state.h"
#include "arduino/runtime/sketches.h"

namespace hocket::runtime::interrupts {
namespace {

/// The first of the pin's edges that still wait: in the row of its loop, or in its detector.
/// False: none waits.
bool first_that_waits(const Pin& pin, System::Instant& came) {
  if (pin.account.waiting() > 0) {
    came = pin.first;
    return true;
  }
  const Edges rest = untaken(pin);
  came = rest.first;
  return rest.count > 0;
}

/// From when a delay counts that began at `came`, or nothing yet: never() in a section without a
/// bound (begin_turns()).
System::Instant counted_from(Sketch& sketch, System::Instant came) {
  const HandlerSections<System>& sections = sketch.handlers();
  if (sections.unbounded && !sections.gate.is_open()) return System::Instant::never();
  return larger(came, sections.counts_from);
}

/// As note_delay() would count a waiting edge if its call began at the end of the run.
System::Instant handler_waits_since(const Pin& pin) {
  const Loop& loop = *pin.loop;
  const Handlers& of = handlers(loop);
  const Loop* const io = loop.sketch->bottom_half_for(pin.number);
  const bool undelivered = io == nullptr || state.lines[io->line].off;
  if (!of.idle || of.stopped || undelivered) return System::Instant::never();
  System::Instant came;
  if (of.calling == &pin && of.begun.handler != nullptr) {
    came = pin.first;  // handler_edge() has made its call, and the loop has not run since
  } else if (!first_that_waits(pin, came)) {
    return System::Instant::never();
  }
  return of.idle_since <= came ? counted_from(*loop.sketch, came) : System::Instant::never();
}

/// As call() would count it; an edge that is still in the detector could come too soon.
System::Instant direct_waits_since(const Pin& pin) {
  const Direct& direct = *pin.direct;
  System::Instant came;
  if (!first_that_waits(pin, came) || (direct.behind && !direct.measured)) {
    return System::Instant::never();
  }
  if (pin.account.waiting() == 0 && came < direct.next_edge) return System::Instant::never();
  return counted_from(*direct.sketch, came);
}

}  // namespace

const Pin* pin(unsigned number) {
  Pin& pin = state.pins[number];
  if (is_orphan(pin)) pin.account.lose(LostEdge::Stopped);
  return pin.former == nullptr && pin.former_direct == nullptr ? nullptr : &pin;
}

Edges untaken(const Pin& pin) {
  return pin.attached() ? BoardPins::waiting(number_of(pin)) : Edges{};
}

System::Duration longest_delay(const Pin& pin, System::Instant end) {
  System::Instant since = System::Instant::never();
  if (pin.loop != nullptr) since = handler_waits_since(pin);
  if (pin.direct != nullptr) since = direct_waits_since(pin);
  return since < end ? larger(pin.worst_delay, end - since) : pin.worst_delay;
}

uint64_t top_half_count() {
  uint64_t sum = state.direct_top_halves;
  for (const Line& line : state.lines) sum += line.top_halves;
  for (const Pin& pin : state.pins) sum += pin.account.at_once();
  return sum;
}
unsigned most_attached() {
  return state.most_attached;
}

}  // namespace hocket::runtime::interrupts
