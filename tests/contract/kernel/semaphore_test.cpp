// Semaphores: who is served first, and counting.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

using PrioritySem = Semaphore<K, Port, WaitOrder::Priority>;

Sem by_arrival;
PrioritySem by_priority;

void wait_by_arrival(void* argument) {
  by_arrival.wait();
  tokens.add(letter(argument));
  finished.signal();
}
void wait_by_priority(void* argument) {
  by_priority.wait();
  tokens.add(letter(argument));
  finished.signal();
}

/// Three waiters arrive in the order low, high, middle.
template <class Semaphore>
void three_waiters(void (*entry)(void*), Semaphore& semaphore) {
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(1'000, 10'000);
  K::Vcpu& middle = bench.vcpu(1'000, 20'000);
  K::Vcpu& low = bench.vcpu(1'000, 30'000);
  K::start(bench.thread(low, entry, letter('l')), at);
  K::start(bench.thread(high, entry, letter('h')), at + us(100));
  K::start(bench.thread(middle, entry, letter('m')), at + us(200));
  K::sleep_until(at + us(500));
  for (unsigned i = 0; i < 3; ++i) {
    semaphore.signal();
    finished.wait();
  }
}

void semaphore_serves_by_arrival() {
  three_waiters(&wait_by_arrival, by_arrival);
  expect_order("lhm");
}
void semaphore_serves_by_priority() {
  three_waiters(&wait_by_priority, by_priority);
  expect_order("hml");
}

void semaphore_counts() {
  Sem semaphore(2);
  HOCKET_EXPECT(semaphore.try_wait());
  HOCKET_EXPECT(semaphore.try_wait());
  HOCKET_EXPECT(!semaphore.try_wait());
  semaphore.signal();
  semaphore.wait();
  HOCKET_EXPECT(!semaphore.try_wait());
}

}  // namespace

void test_semaphores() {
  HOCKET_WITH_BENCH(semaphore_serves_by_arrival);
  HOCKET_WITH_BENCH(semaphore_serves_by_priority);
  HOCKET_WITH_BENCH(semaphore_counts);
}

}  // namespace hocket::contract
