// Alarms: as often as asked, in time, cancelled.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

unsigned rings = 0;
Instant last_ring;
void ring(void*) {
  ++rings;
  last_ring = K::now();
}
void signal_finished(void*) {
  finished.signal();
}

void alarms_fire_as_often_as_asked() {
  rings = 0;
  K::Alarm alarm;
  alarm.handler = &ring;
  alarm.due = K::now() + us(300);
  const Instant first = alarm.due;
  alarm.period = us(250);
  alarm.times = 5;
  HOCKET_EXPECT(K::start_alarm(alarm));
  K::sleep_until(alarm.due + us(5'000));
  HOCKET_EXPECT(rings == 5);
  HOCKET_EXPECT(!alarm.active());
  const Ticks late = (last_ring - (first + us(4 * 250))).ticks();
  HOCKET_EXPECT_IN_TIME(late >= 0 &&
                        late <= Port::costs().timer_lateness + Port::costs().longest_masked);
}

void alarms_are_cancelled() {
  rings = 0;
  K::Alarm alarm;
  alarm.handler = &ring;
  alarm.due = K::now() + us(300);
  HOCKET_EXPECT(K::start_alarm(alarm));
  K::cancel_alarm(alarm);
  K::sleep_until(K::now() + us(1'000));
  HOCKET_EXPECT(rings == 0);
}

void alarm_handlers_wake_threads() {
  K::Alarm alarm;
  alarm.handler = &signal_finished;
  alarm.due = K::now() + us(300);
  HOCKET_EXPECT(K::start_alarm(alarm));
  finished.wait();
  HOCKET_EXPECT(K::now() >= Instant(alarm.due.ticks()));
}

}  // namespace

void test_alarms() {
  HOCKET_WITH_BENCH(alarms_fire_as_often_as_asked);
  HOCKET_WITH_BENCH(alarms_are_cancelled);
  HOCKET_WITH_BENCH(alarm_handlers_wake_threads);
}

}  // namespace hocket::contract
