// The PL061 of virt: levels, and edges as real-time interrupts, made from inside.
#include BARE_BOARD

#include "drivers/pl061/pl061.h"
#include "kernel/base/atomic.h"

namespace {

using Pins = hocket::drivers::Pl061<bare::kGpio>;
using hocket::drivers::Edges;
namespace order = hocket::order;

hocket::Atomic<uint32_t> interrupts;
hocket::Atomic<uint8_t> lines;

/// Drives `level` onto the lines from inside; the lines whose edge came as FIQ.
uint8_t edge(uint8_t which, uint8_t level) {
  lines.store(uint8_t{0}, order::relaxed);
  Pins::make_edge(which, level);
  bare::pass(1000);
  return lines.load(order::relaxed);
}

}  // namespace

void bare::run() {
  using bare::Controller;
  bool good = Controller::init_distributor() && Controller::init_core(0);
  good = good && Controller::set_trigger(kGpioId, hocket::drivers::Trigger::Level);
  good = good && Controller::enable(kGpioId, hocket::drivers::Level::RealTime, 0);
  expect(good, "interrupts");
  Pins::init();
  Pins::set_output(0x0f);
  Pins::write(0x05, 0xff);
  expect(Pins::read(0x0f) == 0x05, "only the lines asked for are written");
  expect(Pins::read(0x04) == 0x04, "only the lines asked for are read");
  Pins::write(0x0f, 0);
  Pins::set_input(0x0f);
  allow_fiq();

  expect(edge(0x08, 0x08) == 0, "an edge nobody wants is silent");
  edge(0x08, 0);
  Pins::set_edges(0x08, Edges::Rising);
  expect(edge(0x08, 0x08) == 0x08, "a rising edge comes as FIQ");
  expect(edge(0x08, 0) == 0, "the falling one does not");
  Pins::set_edges(0x08, Edges::Falling);
  expect(edge(0x08, 0x08) == 0, "falling: not when it rises");
  expect(edge(0x08, 0) == 0x08, "falling: when it falls");
  Pins::set_edges(0x88, Edges::Both);
  expect(edge(0x08, 0x08) == 0x08, "both: when it rises");
  expect(edge(0x88, 0x80) == 0x88, "both: two lines at once");
  Pins::set_edges(0xff, Edges::None);
  expect(edge(0x88, 0x08) == 0, "none: silent again");
  line("interrupts ", uint64_t{interrupts.load(order::relaxed)});
}

void bare::fiq() {
  const Controller::Id got = Controller::acknowledge_real_time();
  if (got == Controller::kNone) return;
  if (got == kGpioId) {
    const Pins::Lines pending = Pins::pending();
    Pins::clear(pending);
    const auto seen = static_cast<uint8_t>(lines.load(order::relaxed) | pending);
    lines.store(seen, order::relaxed);
    interrupts.fetch_add(1u, order::relaxed);
  }
  Controller::end_real_time(got);
}
