// How many instructions an interrupt controller's driver takes: acknowledge and end, by level, and
// an inter-processor interrupt. Counted by the virtual counter of an emulator in which one tick is
// one instruction.
#include BARE_BOARD

#include "drivers/interrupt_controller.h"
#include "drivers/mmio.h"
#include "kernel/base/atomic.h"

namespace {

using bare::Controller;
using hocket::Atomic;
using hocket::drivers::Level;
namespace order = hocket::order;

struct Sample {
  Atomic<uint64_t> ticks;
  Atomic<uint32_t> count;
};
Sample timer, reschedule, ordinary;

/// The counter alone: the processor that is counted executes in order.
[[gnu::always_inline]] inline uint64_t counter() {
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count)::"memory");
  return count;
}

void take(Sample& sample, uint64_t ticks) {
  sample.ticks.store(ticks, order::relaxed);
  sample.count.fetch_add(1u, order::relaxed);
}

void wait_for(const Sample& sample, uint32_t count) {
  bare::wait_until([&] { return sample.count.load(order::relaxed) >= count; });
}

/// Two reads of the counter, with nothing between them.
uint64_t empty() {
  const uint64_t begin = counter();
  return counter() - begin;
}

void report(const char* what, const Sample& sample) {
  bare::line(what, " ", sample.ticks.load(order::relaxed) - empty());
}

/// QEMU's PL011 asks as soon as a byte was sent.
void raise_uart() {
  using Mask = hocket::drivers::Register<hocket::drivers::MemoryBus, uint32_t, bare::kUart + 0x38>;
  bare::Uart::write_polled(".", 1);
  Mask::write(1u << 5);
}

}  // namespace

void bare::run() {
  prepare_board();
  bool good = Controller::init_distributor() && Controller::init_core(0);
  good = good && Controller::enable(Controller::kTimerId, Level::RealTime, 0);
  good = good && Uart::init(115'200, kUartClockHz);
  good = good && Controller::enable(kUartId, Level::Ordinary, 0);
  if (!good) finish(1);
  allow_fiq();
  allow_irq();
  for (uint32_t round = 1; round <= 3; ++round) {  // the last one counts: all translated by then
    timer_at(now() + 10'000);
    wait_for(timer, round);
    Controller::send_reschedule(0);
    wait_for(reschedule, round);
    raise_uart();
    wait_for(ordinary, round);
  }
  mask_fiq();
  const uint64_t begin = counter();
  Controller::send_reschedule(0);
  const uint64_t sent = counter() - begin - empty();
  report("timer", timer);
  report("reschedule", reschedule);
  report("ordinary", ordinary);
  line("send ", sent);
}

void bare::fiq() {
  const uint64_t begin = counter();
  const Controller::Id got = Controller::acknowledge_real_time();
  const uint64_t acknowledged = counter();
  const bool is_reschedule = Controller::number(got) == Controller::kRescheduleId;
  if (!is_reschedule) timer_off();
  const uint64_t done = counter();
  Controller::end_real_time(got);
  const uint64_t ticks = counter() - done + (acknowledged - begin) - empty();
  take(is_reschedule ? reschedule : timer, ticks);
}

void bare::irq() {
  const uint64_t begin = counter();
  const Controller::Id got = Controller::acknowledge_ordinary();
  Controller::end_ordinary(got);
  const uint64_t ticks = counter() - begin;
  if (got == kUartId) Uart::interrupt();
  take(ordinary, ticks);
}
