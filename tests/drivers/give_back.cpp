// GICv2 without aliased registers: a real-time interrupt met while an ordinary one is acknowledged
// is given back, and comes as FIQ.
#include BARE_BOARD

#include "drivers/mmio.h"
#include "kernel/base/atomic.h"

namespace {

using bare::Controller;
using hocket::drivers::Level;
namespace order = hocket::order;
hocket::Atomic<uint32_t> timers, reschedules;
using UartMask =
    hocket::drivers::Register<hocket::drivers::MemoryBus, uint32_t, bare::kUart + 0x38>;

}  // namespace

void bare::run() {
  bool good = Controller::init_distributor() && Controller::init_core(0);
  good = good && Controller::enable(Controller::kTimerId, Level::RealTime, 0);
  good =
      good && Uart::init(115'200, kUartClockHz) && Controller::enable(kUartId, Level::Ordinary, 0);
  expect(good, "interrupts");

  Uart::write_polled(".", 1);
  UartMask::write(1u << 5);  // it asks now
  Controller::send_reschedule(0);
  timer_at(now());
  expect(Controller::acknowledge_ordinary() == Controller::kNone, "the first one is not ordinary");
  expect(Controller::acknowledge_ordinary() == Controller::kNone, "nor the second");
  allow_fiq();
  pass(1000);
  expect(reschedules.load(order::relaxed) == 1, "the inter-processor interrupt comes as FIQ, once");
  expect(timers.load(order::relaxed) == 1, "the timer comes as FIQ, once");
  const Controller::Id got = Controller::acknowledge_ordinary();
  expect(got == kUartId, "the UART is what is left");
  Uart::interrupt();
  Controller::end_ordinary(got);
  expect(Controller::acknowledge_ordinary() == Controller::kNone, "and then nothing");
}

void bare::fiq() {
  const Controller::Id got = Controller::acknowledge_real_time();
  if (got == Controller::kNone) return;
  if (got == Controller::kTimerId) {
    timer_off();
    timers.fetch_add(1u, order::relaxed);
  } else if (Controller::number(got) == Controller::kRescheduleId) {
    reschedules.fetch_add(1u, order::relaxed);
  }
  Controller::end_real_time(got);
}
