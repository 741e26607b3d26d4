// What the kernel makes of a port: order of events as letters, times against their bounds.
#include "kernel/base/construct.h"
#include "kernel_bench.h"

// Where an image cannot hold all of them: 1 is the first half of the tests, 2 the second.
#ifndef HOCKET_KERNEL_TESTS
#define HOCKET_KERNEL_TESTS 3
#endif

namespace hocket::contract {

Tokens tokens;
Sem finished;
Bench bench;

namespace {

// What a kernel without statistics lacks.
template <class Vcpu>
void set_deadline([[maybe_unused]] Vcpu& vcpu, [[maybe_unused]] Duration deadline) {
  if constexpr (K::kStatistics) vcpu.deadline = deadline;
}
template <class Thread>
void measure_nothing([[maybe_unused]] Thread& thread) {
  if constexpr (K::kStatistics) thread.meter.start(K::now(), Duration(0));
}

}  // namespace

void Bench::reset() {
  for (unsigned i = 0; i < threads_; ++i) {
    const auto* thread = reinterpret_cast<const volatile K::Thread*>(thread_memory_[i]);
    while (thread->state != ThreadState::Stopped) K::sleep_until(K::now() + us(100));
  }
  K::sleep_until(K::now() + us(100));
  vcpus_ = threads_ = 0;
  for (unsigned& next : next_slot_) next = kFirstSlot;
  tokens.clear();
}

K::Vcpu& Bench::vcpu(Ticks budget_us, Ticks period_us, CoreId core, bool background) {
  K::Vcpu& vcpu = *construct<K::Vcpu>(&vcpu_memory_[vcpus_++]);
  vcpu.core = core;
  K::add(vcpu, static_cast<uint16_t>(next_slot_[core]++), us(budget_us) + K::Charges::activation(),
         us(period_us), K::now());
  vcpu.background = background;
  set_deadline(vcpu, us(period_us));
  return vcpu;
}

K::Thread& Bench::thread(K::Vcpu& vcpu, void (*entry)(void*), void* argument, Port::Domain domain) {
  const unsigned i = threads_++;
  K::Thread& thread = *construct<K::Thread>(&thread_memory_[i]);
  thread.id = static_cast<uint16_t>(i + 1);
  K::create(thread, vcpu, {stacks_[i], sizeof stacks_[i]}, entry, argument, domain);
  measure_nothing(thread);
  return thread;
}

void expect_order(const char* expected) {
  if (tokens.are(expected)) return;
  print("order was ");
  print(tokens.text());
  print("\n");
  HOCKET_EXPECT(!"the order of events");
}

void with_bench(const char* name, void (*test)()) {
  bench.reset();
  run(name, test);
}

void run_kernel_tests() {
  if constexpr ((HOCKET_KERNEL_TESTS & 1) != 0) {
    test_threads();
    test_semaphores();
    test_suspending();
    test_lines();
  }
  if constexpr ((HOCKET_KERNEL_TESTS & 2) != 0) {
    test_budgets();
    test_alarms();
    test_cores();
    test_costs();
  }
}

}  // namespace hocket::contract
