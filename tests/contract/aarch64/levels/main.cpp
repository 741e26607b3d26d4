// The two levels with a kernel: the order of events, then latencies (bench.h).
#include "levels/bench.h"

namespace hocket::levels {

void (*on_timer)() = &K::on_timer;
void (*on_reschedule)() = &K::on_reschedule;

namespace {

Worker tester;

void test(void*) {
  test_order();
  measure_kernel();
  line("end");
  bare::exit(0);
}

[[noreturn]] void run() {
  K::init_core(0, kSlots);
  Serial::init();
  if (!Serial::begin(115'200, &no_wait)) hocket_halt("the serial port");
  if (!Controller::enable(kPhysicalTimerId, drivers::Level::RealTime, 0)) hocket_halt("timer");
  K::add_best_effort(tester.vcpu, kSlots - 1);
  tester.create(&test);
  K::run_core();
}

}  // namespace
}  // namespace hocket::levels

extern "C" {
void hocket_timer_interrupt() {
  hocket::levels::on_timer();
}
void hocket_reschedule_interrupt() {
  hocket::levels::on_reschedule();
}
void hocket_interrupt_exit() {
  hocket::levels::K::after_interrupt();
}
void hocket_kernel_start(uint64_t number) {
  hocket::bare::prepare<hocket::levels::Port>(static_cast<hocket::CoreId>(number));
  hocket::levels::run();
}
}

HOCKET_AARCH64_DOORS(hocket::levels::Port, hocket::levels::K)
