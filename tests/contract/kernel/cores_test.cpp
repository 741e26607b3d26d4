// Several cores: waking each other, and locks.
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

Sem ping;
Sem pong;
constexpr unsigned kRounds = 300;

void answer(void*) {
  for (unsigned i = 0; i < kRounds; ++i) {
    ping.wait();
    pong.signal();
  }
  finished.signal();
}

void cores_wake_each_other() {
  if (Port::core_count() < 2) return;
  K::Vcpu& there = bench.vcpu(9'000, 10'000, 1);
  K::start(bench.thread(there, &answer), K::now());
  for (unsigned i = 0; i < kRounds; ++i) {
    ping.signal();
    pong.wait();
  }
  finished.wait();
  HOCKET_EXPECT(!ping.try_wait() && !pong.try_wait());
}

Port::Lock shared_lock;
volatile uint32_t shared_count = 0;

void count_up(void*) {
  for (unsigned i = 0; i < 1'000; ++i) {
    const Port::IrqState state = Port::irq_save();
    Port::lock(shared_lock);
    const uint32_t seen = shared_count;
    Port::relax();
    shared_count = seen + 1;
    Port::unlock(shared_lock);
    Port::irq_restore(state);
  }
  finished.signal();
}

void locks_exclude_other_cores() {
  shared_count = 0;
  const unsigned cores = smaller<unsigned>(Port::core_count(), Bench::kMost);
  for (unsigned core = 0; core < cores; ++core) {
    K::Vcpu& vcpu = bench.vcpu(9'000, 10'000, static_cast<CoreId>(core));
    K::start(bench.thread(vcpu, &count_up), K::now() + us(100));
  }
  for (unsigned core = 0; core < cores; ++core) finished.wait();
  HOCKET_EXPECT(shared_count == 1'000 * cores);
}

}  // namespace

void test_cores() {
  HOCKET_WITH_BENCH(cores_wake_each_other);
  HOCKET_WITH_BENCH(locks_exclude_other_cores);
}

}  // namespace hocket::contract
