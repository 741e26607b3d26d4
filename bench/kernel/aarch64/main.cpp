// Measures the kernel on a bare board and prints one line for each figure:
//
//   yield and switch|81|83          instructions: median and most of some hundred rounds
//   cooperative|83.00               thread_metric: instructions for one count
#include "bare_image.h"
#include "bench_kernel.h"
#include "kernel/base/text.h"

namespace hocket::bench {
namespace {

using Interrupts = aarch64::Interrupts<Port>;

constexpr unsigned kMostThreads = 6;
constexpr size_t kStack = 8192;
alignas(K::Vcpu) unsigned char vcpu_memory[kSlots][sizeof(K::Vcpu)];
alignas(K::Thread) unsigned char thread_memory[kMostThreads][sizeof(K::Thread)];
alignas(16) unsigned char stacks[kMostThreads][kStack];
unsigned threads = 0;
K::Thread measurer;
K::Vcpu measurer_vcpu;
alignas(16) unsigned char measurer_stack[kStack];

K::Thread& thread_at(unsigned i) {
  return *reinterpret_cast<K::Thread*>(thread_memory[i]);
}

void measure(void*) {
  measure_paths();
  measure_thread_metric();
  bare::exit(0);
}

}  // namespace

void Samples::tell(const char* name) {
  for (unsigned i = 1; i < used_; ++i) {  // insertion sort
    const uint32_t one = sample_[i];
    unsigned at = i;
    for (; at > 0 && sample_[at - 1] > one; --at) sample_[at] = sample_[at - 1];
    sample_[at] = one;
  }
  if (used_ == 0) hocket_halt(name);
  bare::print(Text<100>(name, "|", sample_[used_ / 2], "|", sample_[used_ - 1], "\n").c_str());
}

void tell_total(const char* name, uint64_t instructions, uint64_t count) {
  if (count == 0) hocket_halt(name);
  bare::print(
      Text<100>(name, "|", Fixed3{(instructions * 1000 + count / 2) / count}, "\n").c_str());
}

K::Vcpu& vcpu(uint16_t slot) {
  K::Vcpu& vcpu = *construct<K::Vcpu>(vcpu_memory[slot]);
  constexpr Port::Ticks kMillisecond = Port::kTickHz / 1000;
  K::add(vcpu, slot, K::Duration(50 * kMillisecond), K::Duration(60 * kMillisecond), K::now());
  vcpu.deadline = vcpu.server.period();
  return vcpu;
}

K::Thread& thread(K::Vcpu& vcpu, void (*entry)(void*), void* argument) {
  const unsigned i = threads++;
  K::Thread& thread = *construct<K::Thread>(thread_memory[i]);
  K::create(thread, vcpu, {stacks[i], kStack}, entry, argument);
  thread.meter.start(K::now(), vcpu.server.period());
  return thread;
}

void run_all() {
  const K::Instant at = K::now() + K::Duration(100'000);
  for (unsigned i = 0; i < threads; ++i) K::start(thread_at(i), at);
  for (unsigned i = 0; i < threads; ++i) {
    const auto& state = const_cast<const volatile ThreadState&>(thread_at(i).state);
    while (state != ThreadState::Stopped && state != ThreadState::Suspended) {
      K::sleep_until(K::now() + K::Duration(100'000));
    }
  }
  threads = 0;
}

void on_interrupt(port::LineHandler handler) {
  Interrupts::Lines::attached[kInterrupt].handler = handler;
  if (!Port::Controller::enable(kInterrupt, drivers::Level::RealTime, 0)) hocket_halt("interrupt");
}

[[gnu::noinline]] void give(Sem& semaphore) {
  semaphore.signal();
}
[[gnu::noinline]] void take(Sem& semaphore) {
  semaphore.wait();
}
[[gnu::noinline]] void suspend() {
  K::suspend_self();
}
[[gnu::noinline]] void resume(K::Thread& thread) {
  K::resume(thread);
}

}  // namespace hocket::bench

extern "C" {
void hocket_timer_interrupt() {
  hocket::bench::K::on_timer();
}
void hocket_reschedule_interrupt() {
  hocket::bench::K::on_reschedule();
}
void hocket_interrupt_exit() {
  hocket::bench::K::after_interrupt();
}
void hocket_kernel_start(uint64_t) {
  using namespace hocket::bench;
  hocket::bare::prepare<Port>(0);
  K::init_core(0, kSlots);
  K::add_best_effort(measurer_vcpu, kMeasurer);
  K::create(measurer, measurer_vcpu, {measurer_stack, kStack}, &measure, nullptr);
  K::start(measurer, K::now());
  K::run_core();
}
}

HOCKET_AARCH64_DOORS(hocket::bench::Port, hocket::bench::K)
