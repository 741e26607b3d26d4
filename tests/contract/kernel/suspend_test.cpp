// Suspending, until a resume or for a time.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

// --- Suspending ---

K::Thread* suspended;

void suspend_three_times(void*) {
  for (unsigned i = 0; i < 3; ++i) {
    tokens.add('s');
    K::suspend_self();
  }
  finished.signal();
}

void resume_lets_a_thread_go_on() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_three_times);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::sleep_until(at + us(200));
  constexpr char ab[] = {'a', 'b'};
  for (const char token : ab) {
    tokens.add(token);
    K::resume(*suspended);
  }
  expect_order("sasbs");
  K::resume(*suspended);
  finished.wait();
}

/// What comes before it suspends itself is kept, once.
void resume_before_suspending_is_kept() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_three_times);
  K::resume(*suspended);
  K::resume(*suspended);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::sleep_until(at + us(200));
  expect_order("ss");
  K::resume(*suspended);
  K::resume(*suspended);
  finished.wait();
  expect_order("sss");
}

void resume_suspended(void*) {
  tokens.add('i');
  K::resume(*suspended);
  tokens.add('I');
}

void handlers_resume_threads() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_three_times);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::Alarm alarm;
  alarm.handler = &resume_suspended;
  alarm.due = at + us(500);
  alarm.period = us(300);
  alarm.times = 3;
  HOCKET_EXPECT(K::start_alarm(alarm));
  finished.wait();
  expect_order("siIsiIsiI");
}

// --- Suspending for a time ---

/// Its time passes twice, then it is resumed, then it was resumed before.
void suspend_for_a_time(void*) {
  const Instant first = K::now() + us(300);
  tokens.add(K::suspend_self_until(first) ? 'r' : 't');
  HOCKET_EXPECT(K::now() >= first);
  tokens.add(K::suspend_self_until(first) ? 'r' : 't');  // it has passed
  const Instant far = K::now() + us(60'000);
  tokens.add(K::suspend_self_until(far) ? 'R' : 'T');
  K::resume(K::self());
  K::resume(K::self());
  tokens.add(K::suspend_self_until(far) ? 'K' : 'k');  // kept, once
  tokens.add(K::suspend_self_until(K::now()) ? 'K' : 'k');
  HOCKET_EXPECT_IN_TIME(K::now() < far);
  finished.signal();
}

void suspending_ends_with_its_time_or_a_resume() {
  suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_for_a_time);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::sleep_until(at + us(1'000));
  expect_order("tt");
  K::resume(*suspended);
  finished.wait();
  expect_order("ttRKk");
}

Instant suspend_limit;
void suspend_until_the_limit(void*) {
  tokens.add(K::suspend_self_until(suspend_limit) ? 'r' : 't');
  tokens.add(K::suspend_self_until(suspend_limit + us(400)) ? 'r' : 't');
  finished.signal();
}

void resume_silently(void*) {
  K::resume(*suspended);
}

/// A handler of the instant at which the time ends comes first; after it, the next one is ended.
void a_resume_at_the_same_instant_counts() {
  constexpr const char* kExpected[] = {"rt", "tr"};
  for (unsigned later = 0; later < 2; ++later) {
    bench.reset();
    suspended = &bench.thread(bench.vcpu(5'000, 10'000), &suspend_until_the_limit);
    const Instant at = K::now() + us(200);
    suspend_limit = at + us(500);
    K::start(*suspended, at);
    K::Alarm alarm;
    alarm.handler = &resume_silently;
    alarm.due = suspend_limit + us(static_cast<Ticks>(200 * later));
    HOCKET_EXPECT(K::start_alarm(alarm));
    finished.wait();
    HOCKET_EXPECT(!alarm.active());
    expect_order(kExpected[later]);
  }
}

constexpr unsigned kRaces = 64;
Sem race;
Sem raced;
unsigned in_time;
unsigned too_late;

void suspend_in_a_race(void*) {
  for (unsigned i = 0; i < kRaces; ++i) {
    suspend_limit = K::now() + us(400);
    race.signal();
    if (K::suspend_self_until(suspend_limit)) {
      ++in_time;
    } else {
      ++too_late;
      K::suspend_self();  // the resume is not lost
    }
    raced.wait();
  }
  HOCKET_EXPECT(!K::suspend_self_until(K::now()));  // and there is no other one
  finished.signal();
}

/// Resumes at about the limit, from 8 steps before to 7 after it: of 1 us at first, then wider.
void resume_in_a_race(void*) {
  for (unsigned i = 0; i < kRaces; ++i) {
    race.wait();
    const auto step = static_cast<Ticks>(1 + i / 16 * 10);
    K::sleep_until(suspend_limit + us(step * static_cast<Ticks>(i % 16)) - us(step * 8));
    K::resume(*suspended);
    raced.signal();
  }
  finished.signal();
}

void no_resume_is_lost_in_a_race_with_the_time() {
  in_time = too_late = 0;
  const auto other = static_cast<CoreId>(Port::core_count() - 1);
  suspended = &bench.thread(bench.vcpu(9'000, 10'000), &suspend_in_a_race);
  K::Thread& resumer = bench.thread(bench.vcpu(9'000, 10'000, other), &resume_in_a_race);
  const Instant at = K::now() + us(200);
  K::start(*suspended, at);
  K::start(resumer, at);
  finished.wait();
  finished.wait();
  HOCKET_EXPECT(in_time + too_late == kRaces);
  HOCKET_EXPECT_IN_TIME(in_time > 0 && too_late > 0);
}

}  // namespace

void test_suspending() {
  HOCKET_WITH_BENCH(resume_lets_a_thread_go_on);
  HOCKET_WITH_BENCH(resume_before_suspending_is_kept);
  HOCKET_WITH_BENCH(handlers_resume_threads);
  HOCKET_WITH_BENCH(suspending_ends_with_its_time_or_a_resume);
  HOCKET_WITH_BENCH(a_resume_at_the_same_instant_counts);
  HOCKET_WITH_BENCH(no_resume_is_lost_in_a_race_with_the_time);
}

}  // namespace hocket::contract
