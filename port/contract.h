// The contract a processor must meet to carry the kernel, checked by the compiler.
//
// A port is one type with static members. The concepts below check its shape, one property each, so
// that a port that lacks something fails to compile with the name of what it lacks;
// `tests/contract` checks the behaviour, and every port must pass it. `ports/template` is the place
// to start a new one, and `docs/porting/` tells the story.
//
// Contexts: «masked» means interrupts of the calling core are masked.
#pragma once

#include "kernel/base/types.h"

namespace hocket::port {

/// Where a thread starts. The port calls it once, masked, on the new stack; it never returns.
using Entry = void (*)(void* argument);

/// Memory for a thread's stack, lowest address first.
struct Stack {
  void* base;
  size_t size;
};

/// What the kernel costs on this port, in ticks: worst cases, measured by `tests/contract` (which
/// fails when one is exceeded) and used by the admission test.
template <class Ticks>
struct Costs {
  Ticks context_switch;   // from the kernel's decision to the next thread's first instruction
  Ticks timer_interrupt;  // a timer interrupt that switches nothing, entry to exit
  Ticks timer_lateness;   // how late the timer interrupt may begin when nothing is masked
  Ticks longest_masked;   // longest section of the kernel with interrupts masked
};

/// Interrupt masking. `irq_save` masks and returns the former state, `irq_restore` brings it back;
/// they nest. `irq_enable` unmasks whatever was before. `in_irq` is true inside an interrupt
/// handler.
template <class P>
concept MasksInterrupts = requires(typename P::IrqState state) {
  { P::irq_save() } -> Same<typename P::IrqState>;
  P::irq_restore(state);
  P::irq_enable();
  { P::in_irq() } -> Same<bool>;
};

/// Contexts. `context_init` prepares a context that calls `entry(argument)` masked, on `stack`.
/// `context_switch` (masked) saves the caller in `from` and goes on where `to` was saved; interrupt
/// handlers may call it too, the interrupted thread goes on when somebody switches back.
template <class P>
concept SwitchesContexts =
    requires(typename P::Context& from, const typename P::Context& to, Stack stack, Entry entry) {
      P::context_init(from, stack, entry, nullptr);
      P::context_switch(from, to);
      requires P::kStackAlignment > 0;
      requires P::kSmallestStack > 0;
    };

/// Time. `now` counts up from boot at kTickHz. With 64 bits of `Ticks` it never wraps in a
/// product's life (wide enough, or extended in software); with fewer it wraps and nothing else does
/// (kernel/base/time.h), and alarm_set is never asked for an instant half a turn away. `alarm_set`
/// (masked) asks for one timer interrupt on this core as soon as now() ≥ the given instant,
/// replacing any earlier request; an instant that has passed fires at once. `alarm_off` (masked)
/// cancels. The interrupt calls `hocket_timer_interrupt()` masked.
template <class P>
concept KeepsTime = requires(typename P::Ticks instant) {
  { P::now() } -> Same<typename P::Ticks>;
  P::alarm_set(instant);
  P::alarm_off();
  requires P::kTickHz > 0;
  requires Same<decltype(P::costs()), Costs<typename P::Ticks>>;
};

/// Cores. `kCores` is what the image is built for, `core_count()` what is there. `core_kick` makes
/// another core call `hocket_kick_interrupt()` masked, soon. Locks are fair spinlocks (masked); on
/// a port with one core they are empty. `relax` is the hint of a waiting loop.
template <class P>
concept HasCores = requires(CoreId core, typename P::Lock& lock) {
  requires P::kCores >= 1;
  { P::core_count() } -> Same<unsigned>;
  { P::core_id() } -> Same<CoreId>;
  P::core_kick(core);
  P::lock(lock);
  P::unlock(lock);
  P::relax();
};

/// Waiting and giving up. `idle_wait` (masked) sleeps until an interrupt is pending, then lets it
/// in and returns unmasked. `halt` stops everything for good and says why where the port can.
template <class P>
concept WaitsAndHalts = requires(const char* reason) {
  P::idle_wait();
  P::halt(reason);
};

template <class P>
concept Port =
    MasksInterrupts<P> && SwitchesContexts<P> && KeepsTime<P> && HasCores<P> && WaitsAndHalts<P>;

/// Says by name which part of the contract a port lacks; a kernel instantiates it first of all.
template <class P>
constexpr bool check() {
  static_assert(MasksInterrupts<P>,
                "the port lacks IrqState, irq_save, irq_restore, irq_enable or in_irq");
  static_assert(SwitchesContexts<P>,
                "the port lacks Context, context_init, context_switch, kStackAlignment or "
                "kSmallestStack");
  static_assert(KeepsTime<P>, "the port lacks Ticks, now, alarm_set, alarm_off, kTickHz or costs");
  static_assert(
      HasCores<P>,
      "the port lacks Lock, kCores, core_count, core_id, core_kick, lock, unlock or relax");
  static_assert(WaitsAndHalts<P>, "the port lacks idle_wait or halt");
  return Port<P>;
}

}  // namespace hocket::port

// The two doors through which a port calls the kernel, both masked, on the interrupted thread's
// stack. Whoever instantiates the kernel defines them.
extern "C" void hocket_timer_interrupt();
extern "C" void hocket_kick_interrupt();
