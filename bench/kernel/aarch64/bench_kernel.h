// What the measurements share: the kernel as a product has it, threads, and the clock in
// instructions.
//
// The emulator counts instructions (`-icount shift=0`, 1 GHz): a difference of two readings of the
// counter, less the one instruction of the second reading, is what was executed between them. Calls
// of the kernel are functions, not code in line, as where many sketches' threads use them.
#pragma once

#include "block_pool.h"
#include "board.h"
#include "kernel/base/construct.h"
#include "kernel/sched/vcpu_policy.h"
#include "kernel/task/kernel.h"
#include "kernel/task/semaphore.h"
#include "message_queue.h"
#include "ports/aarch64/port.h"

namespace hocket::bench {

using Port = aarch64::Aarch64Port<machine::Board>;

/// Accounting and budgets as in the product; no event log.
struct Config {
  static constexpr unsigned kMaxAlarms = 8;
  static constexpr KernelOptions kOptions;
  using Trace = NoTrace;
  template <class Observer>
  using Policy = VcpuPolicy<Port::Ticks, 64, 16, Observer, PortCharges<Port>>;
};
using K = Kernel<Port, Config>;
using Sem = Semaphore<K, Port, WaitOrder::Priority>;

/// Priorities of the core, 0 the highest; the last one is the measuring thread's.
#ifdef HOCKET_BENCH_SLOTS
constexpr uint16_t kSlots = HOCKET_BENCH_SLOTS;
#else
constexpr uint16_t kSlots = 8;
#endif
constexpr uint16_t kMeasurer = kSlots - 1;

[[gnu::always_inline]] inline uint64_t clock() {
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value)::"memory");
  return value;
}

/// Prints "name median most" of samples taken with clock().
class Samples {
 public:
  void clear() { used_ = 0; }
  /// From one reading of the clock to another.
  void add(uint64_t from, uint64_t to) {
    if (used_ < kMost) sample_[used_++] = static_cast<uint32_t>(to - from - 1);
  }
  void tell(const char* name);

 private:
  static constexpr unsigned kMost = 1000;
  uint32_t sample_[kMost];
  unsigned used_ = 0;
};

#ifdef HOCKET_BENCH_ROUNDS
constexpr unsigned kRounds = HOCKET_BENCH_ROUNDS;
#else
constexpr unsigned kRounds = 500;
#endif

/// A virtual CPU at a priority, with more budget than a measurement needs; its period passes
/// several times in one.
K::Vcpu& vcpu(uint16_t slot);
/// A thread on it, for run_all().
K::Thread& thread(K::Vcpu& vcpu, void (*entry)(void*), void* argument = nullptr);
/// Starts all of them at one instant, waits until each has returned or is suspended, forgets them.
void run_all();

/// The self-raised interrupt: one of the software-generated ones, at the real-time level.
constexpr uint32_t kInterrupt = 1;
void on_interrupt(port::LineHandler handler);
[[gnu::always_inline]] inline void raise_interrupt() {
  // ICC_SGI0R_EL1: interrupt 1 to core 0 (IHI 0069H, 12.2).
  asm volatile("msr icc_sgi0r_el1, %0\n isb" ::"r"(uint64_t{kInterrupt} << 24 | 1) : "memory");
}

// The kernel's calls, each one function.
void give(Sem& semaphore);
void take(Sem& semaphore);
void suspend();
void resume(K::Thread& thread);

void tell_total(const char* name, uint64_t instructions, uint64_t count);

void measure_paths();
void measure_thread_metric();

}  // namespace hocket::bench
