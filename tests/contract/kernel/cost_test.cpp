// What a switch and a timer interrupt take, against the declared costs.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

Instant yielded_at;
Duration worst_switch;
void yield_and_measure(void*) {
  constexpr unsigned kTurns = 100;
  for (unsigned i = 0; i < kTurns; ++i) {
    yielded_at = K::now();
    K::yield();
    // Before the last turn comes the end of the other thread.
    if (i + 1 < kTurns) worst_switch = larger(worst_switch, K::now() - yielded_at);
  }
  finished.signal();
}

void a_switch_costs_no_more_than_declared() {
  worst_switch = Duration(0);
  K::Vcpu& vcpu = bench.vcpu(50'000, 60'000);
  const Instant at = K::now() + us(100);
  K::start(bench.thread(vcpu, &yield_and_measure), at);
  K::start(bench.thread(vcpu, &yield_and_measure), at);
  finished.wait();
  finished.wait();
  tell("yield", worst_switch.ticks(), Port::costs().context_switch);
  HOCKET_EXPECT_IN_TIME(worst_switch.ticks() <= Port::costs().context_switch);
}

void nothing(void*) {}

/// The largest gap that a spinning thread sees in time is what an interrupt takes.
void a_timer_interrupt_costs_no_more_than_declared() {
  K::Alarm alarm;
  alarm.handler = &nothing;
  alarm.due = K::now() + us(100);
  alarm.period = us(100);
  alarm.times = 50;
  HOCKET_EXPECT(K::start_alarm(alarm));
  Duration worst;
  Instant last = K::now();
  while (alarm.active()) {
    const Instant now = K::now();
    worst = larger(worst, now - last);
    last = now;
  }
  tell("timer interrupt that switches nothing", worst.ticks(), Port::costs().timer_interrupt);
  HOCKET_EXPECT_IN_TIME(worst.ticks() <= Port::costs().timer_interrupt);
}

}  // namespace

void test_costs() {
  HOCKET_WITH_BENCH(a_switch_costs_no_more_than_declared);
  HOCKET_WITH_BENCH(a_timer_interrupt_costs_no_more_than_declared);
}

}  // namespace hocket::contract
