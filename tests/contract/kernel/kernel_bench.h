// What the tests of the kernel share: threads and virtual CPUs for one test at a time, and the
// order of events as letters.
//
// The first thread runs the tests, best-effort, on core 0; each test creates threads on virtual
// CPUs of its own. Virtual CPUs take the core's slots in the order in which a test asks for them.
#pragma once

#include "kernel/task/semaphore.h"
#include "suite.h"

namespace hocket::contract {

using K = Board::System;
using Duration = K::Duration;
using Sem = Semaphore<K, Port>;

/// Letters of the running test, and how its threads say that they are done.
extern Tokens tokens;
extern Sem finished;

inline Duration us(Ticks value) {
  return Duration(microseconds(value));
}
inline void spin_for(Duration duration) {
  const Instant end = K::now() + duration;
  while (K::now() < end) pause();
}

/// Threads and virtual CPUs of one test. Slot 0 and 1 are for ceilings.
class Bench {
 public:
  static constexpr unsigned kMost = Board::kMostThreads;
  static constexpr unsigned kFirstSlot = 2;

  /// Waits until the last test's threads are gone for good, then starts afresh.
  void reset();

  K::Vcpu& vcpu(Ticks budget_us, Ticks period_us, CoreId core = 0, bool background = false);
  K::Thread& thread(K::Vcpu& vcpu, void (*entry)(void*), void* argument = nullptr,
                    Port::Domain domain = {});

 private:
  alignas(K::Vcpu) unsigned char vcpu_memory_[kMost][sizeof(K::Vcpu)];
  alignas(K::Thread) unsigned char thread_memory_[kMost][sizeof(K::Thread)];
  alignas(Port::kStackAlignment) unsigned char stacks_[kMost][Board::kTestStack];
  unsigned vcpus_ = 0;
  unsigned threads_ = 0;
  unsigned next_slot_[Port::kCores] = {};
};
extern Bench bench;

/// A letter as a thread's argument, and back.
inline void* letter(char token) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(token));
}
inline char letter(void* argument) {
  return static_cast<char>(reinterpret_cast<uintptr_t>(argument));
}

void expect_order(const char* expected);

/// Runs one test of the kernel with an empty bench.
void with_bench(const char* name, void (*test)());
#define HOCKET_WITH_BENCH(test) with_bench(HOCKET_CONSTANT_TEXT(#test), &test)

/// The tests, by subject.
void test_threads();
void test_semaphores();
void test_suspending();
void test_budgets();
void test_alarms();
void test_cores();
void test_lines();
void test_costs();

}  // namespace hocket::contract
