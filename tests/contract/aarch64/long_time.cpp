// Alarms near the limits of the counter, and from a microsecond to a year ahead: is each on time?
//
// With EL2, start.S lets the count begin at `hocket_counter_start`, which the emulator's command
// line overwrites. A line for each alarm (how many ticks after its instant the handler's first
// instruction ran), then how many were not as late as the first one:
//
//   begins at 9007199253740000
//   after 1000 us: 37 late
//   0 wrong
#include "bare_image.h"
#include "kernel/base/text.h"
#include "suite.h"

namespace hocket::contract {

void print(const char* text) {
  bare::print(text);
}

namespace {

volatile Ticks fired_at = 0;

void note_timer() {
  fired_at = Port::now();
}

constexpr Ticks kMicrosecond = Port::kTickHz / 1'000'000;
constexpr Ticks kSecond = Port::kTickHz;
constexpr Ticks kYear = 365 * 24 * 3600 * kSecond;
constexpr Ticks kAhead[] = {kMicrosecond, 10 * kMicrosecond, 1'000 * kMicrosecond,
                            kSecond,      3600 * kSecond,    kYear,
                            kMicrosecond};

/// Sleeps until an alarm; how late its handler was.
Ticks lateness(Ticks ahead) {
  Port::irq_save();
  const Ticks due = Port::now() + ahead;
  Port::alarm_set(due);
  Port::idle_wait();
  return fired_at - due;
}

[[noreturn]] void measure() {
  doors = {&note_timer, &note_timer};
  print(Text<80>("begins at ", Port::now(), "\n").c_str());
  const Ticks usual = lateness(kMicrosecond);
  unsigned wrong = 0;
  for (const Ticks ahead : kAhead) {
    const Ticks late = lateness(ahead);
    print(Text<80>("after ", ahead / kMicrosecond, " us: ", late, " late\n").c_str());
    if (late != usual) ++wrong;
  }
  print(Text<80>(wrong, " wrong\n").c_str());
  bare::exit(wrong == 0 ? 0 : 1);
}

}  // namespace
}  // namespace hocket::contract

extern "C" void hocket_kernel_start(uint64_t number) {
  hocket::bare::prepare<hocket::contract::Port>(static_cast<hocket::CoreId>(number));
  hocket::contract::measure();
}

HOCKET_AARCH64_DOORS(hocket::contract::Port, hocket::contract::Board::System, false)
