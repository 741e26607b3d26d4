// A board's interrupt controller, its timer, its UART's interrupt and its inter-processor
// interrupts, on real registers.
//
// Run with the interrupts of both levels coming through the vectors as in the kernel; the
// transcript is judged by test_drivers.py.
#include BARE_BOARD

#include "drivers/interrupt_controller.h"
#include "kernel/base/atomic.h"

namespace {

using bare::Controller;
using hocket::Atomic;
using hocket::CoreId;
using hocket::drivers::Level;
namespace order = hocket::order;

static_assert(hocket::drivers::InterruptController<Controller>);

constexpr unsigned kCores = 4;
constexpr uint64_t kSoon = 100'000;  // ticks

struct Seen {
  Atomic<uint32_t> timers, reschedules, others, spurious, inside_irq, uart;
};
Seen seen[kCores];
Atomic<uint32_t> cores_ready;
bool in_irq;

void count(Atomic<uint32_t>& what) {
  what.fetch_add(1u, order::relaxed);
}
uint32_t value(const Atomic<uint32_t>& what) {
  return what.load(order::relaxed);
}

/// True, once the counter has got there; if it never does, the test ends by its time limit.
bool comes(const Atomic<uint32_t>& what, uint32_t wanted) {
  bare::wait_until([&] { return value(what) >= wanted; });
  return true;
}

// --- Tests of core 0 ---

void test_timer() {
  bare::timer_at(bare::now() + kSoon);
  bare::expect(comes(seen[0].timers, 1), "the timer comes as FIQ");
  bare::expect(value(seen[0].others) == 0, "and as nothing else");

  bare::mask_irq();
  bare::timer_at(bare::now() + kSoon);
  bare::expect(comes(seen[0].timers, 2), "masking IRQ does not mask it");
  bare::allow_irq();

  bare::expect(Controller::disable(Controller::kTimerId), "the timer is disabled");
  bare::timer_at(bare::now() + kSoon);
  bare::pass(3 * kSoon);
  bare::expect(value(seen[0].timers) == 2, "and stays silent when due");
  bare::expect(Controller::enable(Controller::kTimerId, Level::RealTime, 0), "enabled again");
  bare::expect(comes(seen[0].timers, 3), "the level that still stands comes at once");
}

void test_ordinary() {
  bare::expect(bare::Uart::init(115'200, bare::kUartClockHz), "the UART has its rate");
  bare::expect(Controller::enable(bare::kUartId, Level::Ordinary, 0), "its interrupt is enabled");
  bare::line("ready for a byte");
  bare::expect(comes(seen[0].uart, 1), "the UART comes as IRQ");
  bare::expect(value(seen[0].inside_irq) == 1, "a FIQ comes inside the IRQ's handler");
  uint8_t byte = 0;
  bare::expect(bare::Uart::take_byte(byte), "its byte was received");
  bare::line("byte ", uint64_t{byte});
}

/// A core that was stopped in a handler begins anew: what it never ended keeps nothing out.
void test_beginning_anew() {
  bare::mask_irq();
  bare::line("ready for another byte");
  bare::wait_until([] { return Controller::pending(bare::kUartId); });
  bare::expect(Controller::number(Controller::acknowledge_ordinary()) == bare::kUartId,
               "an interrupt that will never end");
  bare::mask_fiq();
  bare::expect(Controller::init_distributor(), "the distributor begins anew");
  bare::expect(Controller::init_core(0), "and the core interface");
  bare::expect(Controller::enable(Controller::kTimerId, Level::RealTime, 0), "and the timer");
  bare::expect(Controller::enable(bare::kUartId, Level::Ordinary, 0), "and the UART");
  bare::allow_fiq();
  const uint32_t timers = value(seen[0].timers);
  bare::timer_at(bare::now() + kSoon);
  bare::expect(comes(seen[0].timers, timers + 1), "the timer comes again");
  bare::allow_irq();
  bare::expect(comes(seen[0].uart, 2), "the UART comes again");
}

void test_reschedules() {
  Controller::send_reschedule(0);
  bare::expect(comes(seen[0].reschedules, 1), "a core interrupts itself, as FIQ");
  for (CoreId core = 1; core < kCores; ++core) {
    bare::expect(bare::start_core(core), "a core is started");
    while (value(cores_ready) < core) bare::pass(kSoon);
  }
  for (unsigned round = 1; round <= 100; ++round) {
    for (CoreId core = 1; core < kCores; ++core) {
      Controller::send_reschedule(core);
      while (value(seen[core].reschedules) < round) bare::pass(kSoon / 10);
    }
  }
  for (CoreId core = 1; core < kCores; ++core) {
    bare::line("core ", uint64_t{core}, ": ", uint64_t{value(seen[core].reschedules)},
               " interrupts of cores, ", uint64_t{value(seen[core].timers)}, " timers, ",
               uint64_t{value(seen[core].others)}, " others");
  }
  // Each of the others answered each interrupt with one to core 0; several may arrive as one.
  bare::expect(value(seen[0].reschedules) > 1, "core 0 was interrupted by others");
}

}  // namespace

void bare::run() {
  bare::prepare_board();
  expect(Controller::init_distributor(), "distributor");
  expect(Controller::init_core(0), "core interface");
  expect(Controller::enable(Controller::kTimerId, Level::RealTime, 0), "timer enabled");
  expect(!Controller::enable(9999, Level::Ordinary, 0), "there is no interrupt 9999");
  allow_fiq();
  allow_irq();
  test_timer();
  test_ordinary();
  test_beginning_anew();
  test_reschedules();
  expect(value(seen[0].others) == 0, "nothing unknown came");
}

void bare::run_other(CoreId core) {
  const bool good = Controller::init_core(core) &&
                    Controller::enable(Controller::kTimerId, Level::RealTime, core);
  if (!good) expect(false, "a further core's interface");
  allow_fiq();
  timer_at(now() + kSoon);
  comes(seen[core].timers, 1);
  count(cores_ready);
  wait_until([] { return false; });
}

void bare::fiq() {
  Seen& mine = seen[core()];
  const Controller::Id got = Controller::acknowledge_real_time();
  if (got == Controller::kNone) return count(mine.spurious);
  if (Controller::number(got) == Controller::kTimerId) {
    timer_off();
    count(mine.timers);
    if (in_irq) count(mine.inside_irq);
  } else if (Controller::number(got) == Controller::kRescheduleId) {
    count(mine.reschedules);
    if (core() != 0) Controller::send_reschedule(0);
  } else {
    count(mine.others);
  }
  Controller::end_real_time(got);
}

void bare::irq() {
  Seen& mine = seen[core()];
  const Controller::Id got = Controller::acknowledge_ordinary();
  if (got == Controller::kNone) return count(mine.spurious);
  if (Controller::number(got) == kUartId) {
    in_irq = true;
    allow_fiq();
    const uint32_t before = value(mine.timers);
    timer_at(now());
    while (value(mine.timers) == before) asm volatile("yield");
    mask_fiq();
    in_irq = false;
    if (Uart::interrupt().received) count(mine.uart);
  } else {
    count(mine.others);
  }
  Controller::end_ordinary(got);
}
