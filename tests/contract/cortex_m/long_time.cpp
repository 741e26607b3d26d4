// The clock beyond its counter: alarms up to some turns away, and time that passes while interrupts
// are masked. Each line is an alarm: how far away it was, and how late it came, in ticks.
#include "bare.h"
#include "contract_board.h"
#include "kernel/base/text.h"
#include "ports/cortex_m/vectors.h"

namespace hocket::contract {
namespace {

using Port = Board::Port;
using Ticks = Port::Ticks;

constexpr Ticks kTurn = Ticks{1} << machine::Board::Counter::kBits;
constexpr Ticks kDistances[] = {
    Port::kTickHz / 1000, kTurn / 2 - 1, kTurn / 2,         kTurn / 2 + 1, kTurn,
    2 * kTurn - 3,        5 * kTurn / 2, 3 * kTurn + 12'345};

volatile unsigned fired = 0;
Ticks fired_at = 0;

void check(bool fact, const char* what) {
  if (!fact) machine::Board::halt(what);
}

void wait_for_alarm(Ticks distance) {
  fired = 0;
  Port::irq_save();
  const Ticks due = Port::now() + distance;
  Port::alarm_set(due);
  while (fired == 0) {
    check(Port::now() < due + 10'000, "the alarm never came");
    Port::idle_wait();
    Port::irq_save();
  }
  Port::irq_enable();
  check(fired == 1, "it came more than once");
  const Ticks late = fired_at - due;
  bare::print(Text<80>("alarm in ", distance, ": ", late, " late\n").c_str());
  check(late >= 0, "it came too early");
  check(late <= Port::costs().timer_lateness, "it came too late");
}

/// Nobody reads the clock for most of a turn, and no interrupt can. (Where a turn takes minutes, a
/// computer would take some, too.)
void mask_for_long() {
  if (kTurn > 1 << 28) return;
  Port::irq_save();
  const Ticks before = Port::now();
  uint32_t wait = kTurn / 2;  // two instructions each
  asm volatile("1: subs %0, #1\n bne 1b" : "+l"(wait)::"cc");
  const Ticks passed = Port::now() - before;
  Port::irq_enable();
  bare::print(Text<80>("masked for ", passed, " of ", kTurn, "\n").c_str());
  // An instruction is 16 ns, a tick is 20 ns.
  const Ticks expected = kTurn / 2 * 2 * 16 / 20;
  check(passed >= expected && passed < expected + 100, "time was lost while it was masked");
}

}  // namespace
}  // namespace hocket::contract

extern "C" {
void hocket_timer_interrupt() {
  using namespace hocket::contract;
  fired_at = Port::now();
  fired = fired + 1;
}
void hocket_reschedule_interrupt() {}
void hocket_interrupt_exit() {}

[[noreturn]] void hocket_main() {
  using namespace hocket::contract;
  Port::start();
  Port::irq_enable();
  for (const auto distance : kDistances) wait_for_alarm(distance);
  mask_for_long();
  hocket::bare::exit(0);
}
}

HOCKET_BARE_DEFECTS
HOCKET_CORTEX_M_VECTORS(hocket::contract::Port, hocket::machine::Board)
