// What kernel/time makes of a port: events at exact instants, and none that is lost.
//
// The suite's first thread (best-effort, core 0) is the one that waits.
#include "kernel/base/construct.h"
#include "kernel/task/semaphore.h"
#include "kernel/time/chronometer.h"
#include "kernel/time/clock.h"
#include "kernel/time/periodic_alarm.h"
#include "suite.h"

namespace hocket::contract {
namespace {

using K = Board::System;
using Instant = K::Instant;
using Duration = K::Duration;
using Sem = Semaphore<K, Port>;
using TestAlarm = PeriodicAlarm<K>;
using Scale = TickScale<Port::kTickHz>;
using namespace time_literals;

constexpr uint64_t kStretched = 100;

/// Spans of the tests, as microseconds() of suite.h has them.
Microseconds span(uint64_t us) {
  return Microseconds(us * Board::kSlowness * (times_are_judged ? 1 : kStretched));
}
void sleep_for(const Microseconds& time) {
  TestAlarm::delay(time);
}

constexpr Ticks latest() {
  return Port::costs().timer_lateness + Port::costs().longest_masked;
}

// --- Events ---

constexpr uint32_t kEvents = 20;
struct Notes {
  Instant base;
  uint32_t events = 0;
  uint32_t early = 0;
  uint32_t late = 0;
};
Notes notes;
/// Odd, so that it is no whole number of ticks on most clocks.
Microseconds interval() {
  return span(100) + 7_us;
}

void note_event(void*) {
  ++notes.events;
  // start + n · interval, rounded, computed anew for each n.
  const ExactTicks exact = Scale::exact(interval() * notes.events);
  const auto due =
      notes.base +
      Duration(static_cast<Ticks>(exact.whole + (2 * exact.rest >= Scale::kDenominator ? 1 : 0)));
  const Ticks after = (K::now() - due).ticks();
  if (after < 0) ++notes.early;
  if (after > latest()) ++notes.late;
}

void events_come_at_exact_instants() {
  notes = {};
  notes.base = K::now() + Duration(microseconds(50));
  TestAlarm alarm;
  HOCKET_EXPECT(alarm.start_from(notes.base, interval(), FunctionHandler(&note_event), kEvents));
  HOCKET_EXPECT(alarm.active());
  HOCKET_EXPECT(!alarm.start(interval(), FunctionHandler(&note_event)));
  sleep_for(interval() * (kEvents + 10));
  HOCKET_EXPECT(notes.events == kEvents);
  HOCKET_EXPECT(!alarm.active());
  HOCKET_EXPECT(notes.early == 0);
  HOCKET_EXPECT_IN_TIME(notes.late == 0);
}

void semaphores_count_each_event() {
  Sem events;
  TestAlarm alarm;
  HOCKET_EXPECT(alarm.start(span(100), SemaphoreHandler(events), 5));
  sleep_for(span(1'500));
  for (unsigned i = 0; i < 5; ++i) HOCKET_EXPECT(events.try_wait());
  HOCKET_EXPECT(!events.try_wait());
  HOCKET_EXPECT(alarm.start(span(100), SemaphoreHandler(events), 2));
  events.wait();
  events.wait();
  HOCKET_EXPECT(!alarm.active());
}

/// A thread that is busy when its events come goes on once for each of them.
void threads_lose_no_event() {
  ThreadHandler<K> handler(K::self());
  TestAlarm alarm;
  HOCKET_EXPECT(alarm.start(span(100), handler, 6));
  while (alarm.active()) pause();
  HOCKET_EXPECT(handler.missed() == 5);  // the kernel keeps the first
  for (unsigned i = 0; i < 6; ++i) handler.wait();
  HOCKET_EXPECT(handler.missed() == 0);
  const Instant before = K::now();
  HOCKET_EXPECT(alarm.start(span(300), handler));
  handler.wait();  // suspended this time
  HOCKET_EXPECT((K::now() - before).ticks() >= microseconds(300));
  HOCKET_EXPECT(handler.missed() == 0);
}

void a_cancelled_alarm_is_silent() {
  notes = {};
  {
    TestAlarm ends;
    TestAlarm alarm;
    HOCKET_EXPECT(alarm.start(span(200), FunctionHandler(&note_event), TestAlarm::kForever));
    HOCKET_EXPECT(ends.start(span(200), FunctionHandler(&note_event)));
    alarm.cancel();
    HOCKET_EXPECT(!alarm.active());
  }
  sleep_for(span(1'000));
  HOCKET_EXPECT(notes.events == 0);
}

// --- From another core ---

alignas(K::Vcpu) unsigned char other_vcpu[sizeof(K::Vcpu)];
alignas(K::Thread) unsigned char other_thread[sizeof(K::Thread)];
alignas(Port::kStackAlignment) unsigned char other_stack[Board::kTestStack];
TestAlarm* shared_alarm;
volatile unsigned rung = 0;
unsigned rung_when_cancelled = 0;
volatile bool other_is_done = false;

void ring_slowly(void*) {
  const Instant end = K::now() + Duration(Port::costs().longest_masked / 4);
  while (K::now() < end) pause();
  rung = rung + 1;
}
/// Cancels at a moment of the alarm's period that differs from round to round.
void cancel_there(void*) {
  sleep_for(span(777));
  shared_alarm->cancel();
  rung_when_cancelled = rung;
  other_is_done = true;
}

void another_core_cancels() {
  if (Port::core_count() < 2) return;
  TestAlarm alarm;
  shared_alarm = &alarm;
  rung = 0;
  other_is_done = false;
  auto& vcpu = *construct<K::Vcpu>(&other_vcpu);
  auto& thread = *construct<K::Thread>(&other_thread);
  vcpu.core = 1;
  K::add_best_effort(vcpu, Board::kSlots - 1);
  K::create(thread, vcpu, {other_stack, sizeof other_stack}, &cancel_there, nullptr);
  HOCKET_EXPECT(alarm.start(span(50), FunctionHandler(&ring_slowly), TestAlarm::kForever));
  K::start(thread, K::now());
  while (!other_is_done) sleep_for(span(50));
  const unsigned after = rung;
  sleep_for(span(500));
  HOCKET_EXPECT(!alarm.active());
  HOCKET_EXPECT(rung_when_cancelled > 0);
  HOCKET_EXPECT(rung == after && after == rung_when_cancelled);
  while (thread.state != ThreadState::Stopped) sleep_for(span(50));
}

// --- Measuring ---

void delays_are_long_enough() {
  constexpr uint16_t kSpans[] = {1, 33, 500};
  for (const uint64_t us : kSpans) {
    const Instant before = K::now();
    TestAlarm::delay(Microseconds(us));
    const auto took = static_cast<uint64_t>((K::now() - before).ticks());
    HOCKET_EXPECT(took >= Scale::ticks_up(Microseconds(us)));
    HOCKET_EXPECT_IN_TIME(took <=
                          Scale::ticks_up(Microseconds(us)) + 2 +
                              static_cast<uint64_t>(latest() + 2 * Port::costs().context_switch +
                                                    Port::costs().timer_interrupt));
  }
}

void chronometers_agree_with_the_clock() {
  Chronometer<K> watch;
  Clock<K> clock;
  clock.set(1'000_s);
  const Instant before = K::now();
  watch.start();
  sleep_for(span(1'000));
  const Microseconds so_far = watch.read();
  watch.stop();
  const auto passed = static_cast<uint64_t>((K::now() - before).ticks());
  const Microseconds shown = watch.read();
  sleep_for(span(100));
  HOCKET_EXPECT(watch.read() == shown);
  HOCKET_EXPECT(so_far >= span(1'000) && so_far <= shown);
  HOCKET_EXPECT(shown <= Scale::microseconds(passed));
  HOCKET_EXPECT(clock.source() == TimeSource::Told);
  HOCKET_EXPECT(clock.now() >= 1'000_s + span(1'100));
}

}  // namespace

void run_time_tests() {
  run(HOCKET_CONSTANT_TEXT("events_come_at_exact_instants"), &events_come_at_exact_instants);
  run(HOCKET_CONSTANT_TEXT("semaphores_count_each_event"), &semaphores_count_each_event);
  run(HOCKET_CONSTANT_TEXT("threads_lose_no_event"), &threads_lose_no_event);
  run(HOCKET_CONSTANT_TEXT("a_cancelled_alarm_is_silent"), &a_cancelled_alarm_is_silent);
  run(HOCKET_CONSTANT_TEXT("another_core_cancels"), &another_core_cancels);
  run(HOCKET_CONSTANT_TEXT("delays_are_long_enough"), &delays_are_long_enough);
  run(HOCKET_CONSTANT_TEXT("chronometers_agree_with_the_clock"),
      &chronometers_agree_with_the_clock);
}

}  // namespace hocket::contract
