// The edge detectors of the simulated board's pins (board_pins.h). Compiled with the
// block clock, as a driver would be; each access waits for the other cores.
#include "arduino/runtime/interrupts.h"
#include "simulation/machine/program.h"
#include "simulation/machine/stacks.h"

namespace hocket {
namespace {

sim::Nanos access() {
  sim::make_room_on_stack();
  return host::Machine::instance().access_device();
}

SimPins::Edges edges_of(const sim::Edges& edges) {
  return {edges.count, 0, Board::instant(edges.first)};
}

}  // namespace

static_assert(SimPins::kDirectLine + 1 - SimPins::kLine <= sim::kPinLines);

void SimPins::watch(unsigned pin, sys::EdgeMode mode, unsigned line) {
  static_cast<void>(sim::devices()->edges_watch(access(), pin, mode, line - kLine));
}
SimPins::Edges SimPins::release(unsigned pin) {
  return edges_of(sim::devices()->edges_release(access(), pin));
}
SimPins::Edges SimPins::take(unsigned pin) {
  return edges_of(sim::devices()->edges_take(access(), pin, UINT64_MAX));
}
SimPins::Edges SimPins::take_one(unsigned pin) {
  return edges_of(sim::devices()->edges_take(access(), pin, 1));
}
unsigned SimPins::asking(unsigned line, unsigned from) {
  return sim::devices()->edges_asking(access(), line - kLine, from);
}
void SimPins::mask(unsigned pin) {
  sim::devices()->edges_mask(access(), pin);
}
void SimPins::unmask(unsigned pin) {
  sim::devices()->edges_unmask(access(), pin);
}
uint64_t SimPins::counted(unsigned pin) {
  return sim::devices()->edges_counted(pin);
}
SimPins::Edges SimPins::waiting(unsigned pin) {
  return edges_of(sim::devices()->edges_waiting(pin));
}
uint64_t SimPins::overflowed(unsigned pin) {
  return sim::devices()->edges_overflowed(pin);
}

}  // namespace hocket
