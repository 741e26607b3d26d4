// The kernel's paths that other kernels publish, on the Uno (docs/guide/experiments.md):
//
//   HOCKET_PATH 1   two threads of one virtual CPU yield to each other: pin 3 is high from before
//                   the call until the other thread goes on
//   HOCKET_PATH 2   pin 2 rises; its handler signals a semaphore; the thread that waits raises pin
//                   3. The processor is idle, or (HOCKET_BUSY) runs a thread of lower priority
//
// Budgets are enforced meanwhile, as always; with HOCKET_PRIORITIES the policy has none, as those
// of the other kernels (bitmap_policy.h).
#include <avr/io.h>

#include "arduino/cores/avr8/machine.h"
#include "kernel/task/doors.h"
#include "kernel/task/semaphore.h"
#include "policies/bitmap_policy.h"

using namespace hocket;
using uno::Port;

namespace {

struct Config : uno::Config {
  // (Its threads wait in a semaphore's queue.)
  static constexpr KernelOptions kOptions{.statistics = false, .lone_threads = HOCKET_PATH != 1};
#ifdef HOCKET_PRIORITIES
  template <class Observer>
  using Policy = BitmapPolicy<Port::Ticks, kSlots, Observer>;
#endif
};
using System = Kernel<Port, Config>;

constexpr size_t kStack = 160;
System::Vcpu vcpus[2];
System::Thread threads[2];
uint8_t stacks[2][kStack];
Semaphore<System, Port> semaphore;

#if HOCKET_PATH == 1
void first(void*) {
  for (;;) {
    PORTD |= 1 << PD3;
    System::yield();
  }
}
[[maybe_unused]] void second(void*) {
  for (;;) {
    PORTD &= static_cast<uint8_t>(~(1 << PD3));
    System::yield();
  }
}
#else
void first(void*) {
  for (;;) {
    semaphore.wait();
    PORTD |= 1 << PD3;
    for (uint8_t i = 0; i < 100; ++i) asm volatile("nop");
    PORTD &= static_cast<uint8_t>(~(1 << PD3));
  }
}
[[maybe_unused]] void second(void*) {
  for (;;) asm volatile("nop");
}
#endif

/// The virtual CPU's place on the core: 80 ms and 10 ms in every 100 ms, or only its priority.
void join(unsigned i) {
#ifdef HOCKET_PRIORITIES
  System::add(vcpus[i], static_cast<uint8_t>(1 + i));
#else
  System::add(vcpus[i], static_cast<uint8_t>(1 + i), System::Duration(i == 0 ? 160'000 : 20'000),
              System::Duration(200'000), System::now());
#endif
}

void create(unsigned i, System::Vcpu& vcpu, void (*entry)(void*)) {
  System::create(threads[i], vcpu, {stacks[i], kStack}, entry, nullptr);
  System::start(threads[i], System::now());
}

}  // namespace

HOCKET_AVR8_VECTORS(Port, [] { semaphore.signal(); })
/// No second edge comes before the first one has been answered. (The handler's end looks.)
HOCKET_AVR8_WAKING_HANDLER(INT0_vect) {
  avr8::set_flag<avr8::kRecorded>();
}
HOCKET_DOORS(System)
extern "C" void hocket_stack_overflow() {
  hocket_stop();
}
extern "C" void hocket_stop() {
  for (;;) {
  }
}

/// What the linker works out for a sketch (arduino/cores/avr8/sketch.ld): here two threads.
[[gnu::always_inline]] static inline void tell_costs() {
  constexpr uno::ImageKind kImage{
      .by_deadline = false, .loops = 2, .devices = false, .handlers = true, .spinlocks = false};
  constexpr auto kCosts = uno::costs_of(kImage);
  constexpr auto kEnding = kCosts.interrupt_entry + kCosts.context_switch;
  asm volatile(
      ".global hocket_entry_ticks\n.set hocket_entry_ticks, %0\n"
      ".global hocket_switch_ticks\n.set hocket_switch_ticks, %1\n"
      ".global hocket_ending_ticks\n.set hocket_ending_ticks, %2\n"
      ".global hocket_activation_ticks\n.set hocket_activation_ticks, %3" ::"i"(
          kCosts.interrupt_entry),
      "i"(kCosts.context_switch), "i"(kEnding), "i"(2 * kEnding));
}

extern "C" int main() {
  tell_costs();
  Port::irq_save();  // until the idle thread waits
  DDRD = 1 << PD3;
  EICRA = (1 << ISC01) | (1 << ISC00);
  EIMSK = 1 << INT0;
  Port::start();
  System::init_core(0, uno::Config::kSlots);
  for (unsigned i = 0; i < 2; ++i) join(i);
  create(0, vcpus[0], &first);
#if HOCKET_PATH == 1
  create(1, vcpus[0], &second);
#elif defined(HOCKET_BUSY)
#ifndef HOCKET_PRIORITIES
  vcpus[1].background = true;
#endif
  create(1, vcpus[1], &second);
#endif
  System::run_core();
}
