// How late real-time interrupts are with another system beside, whatever that does.
//
// Each core's timer is set for random instants, 20 to 500 us apart; the first instruction of the
// handler reads the clock. That is all of ours: the rest of each core is the other system's. It
// ends when the other system has switched itself off, or after a time: «for=MILLISECONDS» in the
// command line. A line for each lateness, by what the other system did then, and at its ends what
// the processor did:
//
//   core 0 running 20 1999        2,000 alarms less one came 20 instructions after their instants
//   core 0 restarting 20 12
//   alarms 40000 masked 16000     so many came while it masked its own interrupts
//   restarts 1
//   end
#include "arduino/cores/aarch64/kernel/beside/programs.h"
#include "arduino/surroundings/peer/command_line.h"
#include "bare_image.h"
#include "kernel/base/text.h"
#include "ports/aarch64/el3/normal_world.h"

namespace hocket::two_level {
namespace {

using Port = aarch64::Aarch64Port<machine::Board>;
using Ticks = Port::Ticks;
using Lines = aarch64::Lines<Port::Controller>;
using Interrupts = aarch64::Interrupts<Port>;
namespace normal_world = aarch64::normal_world;
using normal_world::State;

constexpr Ticks kMillisecond = Port::kTickHz / 1'000;
constexpr unsigned kMost = 1'000;  // instructions: what is later is counted as that
constexpr const char* kStates[] = {"absent", "running", "off", "restarting"};

struct Core {
  Ticks due;
  uint64_t random;
  uint64_t alarms, masked;
  uint32_t late[4][kMost + 1];  // by State
};
Core cores[Port::kCores];
Ticks end = INT64_MAX;
Atomic<uint32_t> ready;

Ticks random(Core& core) {  // xorshift64 (Marsaglia 2003)
  core.random ^= core.random << 13;
  core.random ^= core.random >> 7;
  core.random ^= core.random << 17;
  return kMillisecond / 50 + static_cast<Ticks>(core.random % (kMillisecond * 480 / 1'000));
}

void set_next(Core& core) {
  core.due = Port::now() + random(core);
  Port::alarm_set(core.due);
}

[[noreturn]] void finish() {
  uint64_t alarms = 0;
  uint64_t masked = 0;
  for (unsigned i = 0; i < Port::core_count(); ++i) {
    const Core& core = cores[i];
    alarms += core.alarms;
    masked += core.masked;
    for (unsigned state = 0; state < 4; ++state) {
      for (unsigned late = 0; late <= kMost; ++late) {
        if (core.late[state][late] == 0) continue;
        bare::print(
            Text<80>("core ", i, " ", kStates[state], " ", late, " ", core.late[state][late], "\n")
                .c_str());
      }
    }
  }
  bare::print(Text<80>("alarms ", alarms, " masked ", masked, "\n").c_str());
  bare::print(Text<80>("restarts ", normal_world::restarts(), "\n").c_str());
  bare::print("end\n");
  bare::exit(0);
}

void note(void*, Ticks now) {
  Core& core = cores[Port::core_id()];
  const Ticks late = now - core.due;
  ++core.late[static_cast<unsigned>(normal_world::state())]
             [late >= 0 && late < Ticks{kMost} ? late : kMost];
  ++core.alarms;
  if (Port::Level::other_world_masks()) ++core.masked;
  if (Port::core_id() == 0 && (now >= end || normal_world::state() == State::Off)) finish();
  set_next(core);
}

[[gnu::naked]] void timed(void*) {
  asm("mrs x1, cntpct_el0\n b %c0" ::"i"(&note));
}

[[noreturn]] void run(CoreId number) {
  cores[number].random = 88'172'645'463'325'252u + number;
  Port::irq_save();
  set_next(cores[number]);
  for (;;) {
    Port::irq_save();
    Port::idle_wait();
  }
}

Ticks number_of(const char* text) {
  Ticks value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = 10 * value + (*text - '0');
  return value;
}

[[noreturn]] void boot_first_core() {
  if (!command_line::read() || !programs::find()) hocket_halt("no other system is named");
  if (const char* time = command_line::after("for=")) end = number_of(time) * kMillisecond;
  Lines::attached[Port::Controller::kTimerId].handler = &timed;
  unsigned count = 1;
  while (count < Port::kCores && machine::start_core(static_cast<CoreId>(count))) ++count;
  Port::cores_there = count;
  while (ready.load(order::acquire) + 1 < count) Port::relax();
  normal_world::begin(programs::start(count));
  run(0);
}

}  // namespace
}  // namespace hocket::two_level

extern "C" {

void hocket_timer_interrupt() {}
void hocket_reschedule_interrupt() {}
void hocket_interrupt_exit() {}

void hocket_kernel_start(uint64_t number) {
  using namespace hocket;
  const auto core = static_cast<CoreId>(number);
  bare::prepare<two_level::Port>(core);
  if (core == 0) two_level::boot_first_core();
  two_level::ready.fetch_add(1, order::acquire_release);
  two_level::run(core);
}
}

namespace hocket::two_level {

/// Nobody is ever to be switched to.
struct NoThreads {
  static bool must_switch() { return false; }
};

}  // namespace hocket::two_level

HOCKET_AARCH64_DOORS(hocket::two_level::Port, hocket::two_level::NoThreads, false)
