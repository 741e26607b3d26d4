// Threads: turns on one virtual CPU, priorities, sleeping.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

void three_turns(void* argument) {
  for (unsigned i = 0; i < 3; ++i) {
    tokens.add(letter(argument));
    K::yield();
  }
  finished.signal();
}

void threads_of_a_vcpu_take_turns() {
  K::Vcpu& vcpu = bench.vcpu(10'000, 20'000);
  const Instant at = K::now() + us(200);
  constexpr char abc[] = {'a', 'b', 'c'};
  for (const char token : abc) {
    K::start(bench.thread(vcpu, &three_turns, letter(token)), at);
  }
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  expect_order("abcabcabc");
}

void one_letter(void* argument) {
  tokens.add(letter(argument));
  spin_for(us(50));
  tokens.add(letter(argument));
  finished.signal();
}

void higher_priority_runs_first() {
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(1'000, 10'000);
  K::Vcpu& low = bench.vcpu(1'000, 20'000);
  K::start(bench.thread(low, &one_letter, letter('l')), at);
  K::start(bench.thread(high, &one_letter, letter('h')), at + us(20));
  finished.wait();
  finished.wait();
  expect_order("lhhl");
}

Instant woke_at[3];
void sleep_and_note(void* argument) {
  const auto which = reinterpret_cast<uintptr_t>(argument);
  const Instant until = K::self().wake_at + us(static_cast<Ticks>(700 - 200 * which));
  K::sleep_until(until);
  woke_at[which] = Instant((K::now() - until).ticks());
  tokens.add(static_cast<char>('0' + which));
  finished.signal();
}

void sleepers_wake_in_time_and_order() {
  const Instant at = K::now() + us(200);
  for (uintptr_t i = 0; i < 3; ++i) {
    K::Vcpu& vcpu = bench.vcpu(1'000, 10'000);
    K::start(bench.thread(vcpu, &sleep_and_note, reinterpret_cast<void*>(i)), at);
  }
  for (unsigned i = 0; i < 3; ++i) finished.wait();
  expect_order("210");
  const Ticks latest = Port::costs().timer_lateness + Port::costs().timer_interrupt +
                       Port::costs().context_switch + Port::costs().longest_masked;
  for (const Instant late : woke_at)
    HOCKET_EXPECT_IN_TIME(late.ticks() >= 0 && late.ticks() <= latest);
}

void sleep_into_the_past_returns_at_once() {
  const Instant before = K::now();
  K::sleep_until(before - us(100));
  HOCKET_EXPECT_IN_TIME(K::now() - before < us(100));
}

}  // namespace

void test_threads() {
  HOCKET_WITH_BENCH(threads_of_a_vcpu_take_turns);
  HOCKET_WITH_BENCH(higher_priority_runs_first);
  HOCKET_WITH_BENCH(sleepers_wake_in_time_and_order);
  HOCKET_WITH_BENCH(sleep_into_the_past_returns_at_once);
}

}  // namespace hocket::contract
