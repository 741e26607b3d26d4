// The contract that a processor's port must meet to carry the kernel, checked by the compiler.
//
// A port is one type with static members. Each concept below checks one property of its shape, so
// that the compile-time error names what is missing. `tests/contract` checks the behaviour, and
// every port must pass it. Start a new port from `ports/template`; `docs/porting/` is the guide.
//
// Contexts: "masked" means that interrupts of the calling core are masked. Times are in the port's
// ticks.
#pragma once

#include "kernel/base/types.h"
#include "ports/contract/lines.h"

namespace hocket::port {

/// The start of a thread. The port calls it once, masked, on the new stack. It never returns.
using Entry = void (*)(void* argument);

/// Memory for a thread's stack. `base` is the lowest address.
struct Stack {
  void* base;
  size_t size;
};

/// The kernel's costs on this port, in ticks: worst cases, which `tests/contract` measures (it
/// fails if one is exceeded). Admission counts them, and the scheduler charges them to the entity
/// that causes them (docs/decisions/who-pays.md calls them E, S, I, L and M).
template <class Ticks>
struct Costs {
  /// From the interrupted code's last instruction to the kernel's reading of the clock.
  Ticks interrupt_entry;
  /// From a reading of the clock in the kernel to the next thread's first instruction.
  Ticks context_switch;
  /// An interrupt that switches nothing (the timer's, or another core's), from vector to return.
  Ticks timer_interrupt;
  /// How late the timer's interrupt may begin if nothing is masked.
  Ticks timer_lateness;
  /// The longest section of the kernel with interrupts masked.
  Ticks longest_masked;
};

/// Interrupt masking. `irq_save` masks and returns the former state, `irq_restore` restores it;
/// they nest. `irq_enable` unmasks, whatever the state before. `in_irq` is true inside an interrupt
/// handler.
template <class P>
concept MasksInterrupts = requires(typename P::IrqState state) {
  { P::irq_save() } -> Same<typename P::IrqState>;
  P::irq_restore(state);
  P::irq_enable();
  { P::in_irq() } -> Same<bool>;
};

/// Contexts. `context_init` prepares a context that calls `entry(argument)` masked, on `stack`, in
/// the protection domain `domain` (below).
///
/// `context_switch` (masked) saves the caller in `from` and continues in `to`. The kernel calls it
/// in threads and, at the very end of an interrupt, in hocket_interrupt_exit(); the interrupted
/// thread continues after a switch back to it. The call must be the last act of its caller. In an
/// interrupt, a port may delay the switch until the last handler has returned; until then another
/// call may replace `to` (Cortex-M). In a thread, a port may let interrupts in just before and
/// after the switch.
template <class P>
concept SwitchesContexts =
    requires(typename P::Context& from, const typename P::Context& to, Stack stack, Entry entry) {
      P::context_init(from, stack, entry, nullptr, typename P::Domain{});
      P::context_switch(from, to);
      requires P::kStackAlignment > 0;
      requires P::kSmallestStack > 0;
    };

/// Protection domains. A context belongs permanently to one domain, and a switch to the context
/// enters it: then exactly the memory that the domain maps is accessible. `Domain` names a domain;
/// the port and the system decide what it maps. A default-constructed Domain is no domain: its
/// context is the kernel's, and the domain entered last stays. On a processor without protection,
/// Domain is empty and costs nothing. `enter_domain` (masked): the calling context, which
/// context_init has not made (it booted the core), continues in that domain.
template <class P>
concept HasDomains = requires(typename P::Domain domain) { P::enter_domain(domain); };

/// For a processor without protection.
struct NoDomains {
  struct Domain {};
  static void enter_domain(Domain) {}
};

/// Time. `now` counts up from boot at kTickHz. With 64-bit `Ticks` it never wraps in a product's
/// life (in hardware, or extended in software). With fewer bits only `now` wraps
/// (kernel/base/time.h), and the kernel never sets an alarm half the clock's range away.
/// `alarm_set` (masked) requests one timer interrupt on this core as soon as now() ≥ the given
/// instant, and replaces any earlier request; an instant that has passed fires at once. `alarm_off`
/// (masked) cancels the request. The interrupt calls `hocket_timer_interrupt()` masked.
template <class P>
concept KeepsTime = requires(typename P::Ticks instant) {
  { P::now() } -> Same<typename P::Ticks>;
  P::alarm_set(instant);
  P::alarm_off();
  requires P::kTickHz > 0;
  requires Same<decltype(P::costs()), Costs<typename P::Ticks>>;
};

/// Cores. `kCores` is the number that the image is built for, `core_count()` the number present.
/// `send_reschedule` makes a core, also the calling one, call `hocket_reschedule_interrupt()` soon,
/// masked (an inter-processor interrupt). Locks are fair spinlocks (masked); on a port with one
/// core they are empty. `relax` is the hint for a polling loop, and makes the compiler read memory
/// again.
template <class P>
concept HasCores = requires(CoreId core, typename P::Lock& lock) {
  requires P::kCores >= 1;
  { P::core_count() } -> Same<unsigned>;
  { P::core_id() } -> Same<CoreId>;
  P::send_reschedule(core);
  P::lock(lock);
  P::unlock(lock);
  P::relax();
};

/// Waiting and stopping. `idle_wait` (masked) sleeps until an interrupt is pending, then takes it
/// and returns unmasked. `halt` stops everything permanently, and reports the reason if the port
/// can.
template <class P>
concept WaitsAndHalts = requires(const char* reason) {
  P::idle_wait();
  P::halt(reason);
};

/// Optional members that are shorter on some processors; the kernel then uses them instead of the
/// general way. A port sets the option and has the member. One without the other does not compile
/// (check_options), so a misspelt name is not ignored.
struct Options {
  /// now_masked: now() for callers that have masked interrupts.
  bool masked_clock = false;
  /// idle (masked): becomes the core's idle context and waits for interrupts for ever. It keeps
  /// nothing between two waits, so the kernel must never call anything else there. Requires one
  /// core and no statistics.
  bool idles_itself = false;
  /// yield_to: context_switch from a thread (not a handler) to another thread (not the idle
  /// context).
  bool yields_directly = false;
  /// alarm_set takes one or two instructions, so the kernel calls it whenever the instant may have
  /// changed. An instant that never comes replaces alarm_off.
  bool short_alarm = false;
  /// alarm_moves_until (masked, before alarm_set): if the alarm is set for the limit of the running
  /// thread, the port moves it by itself when that limit moves (Policy::pass_over), but not beyond
  /// this instant, for which others wait.
  bool moves_alarm = false;
  /// A context that was switched away from on one core may continue on another. The kernel then
  /// calls core_id() again after every switch.
  bool threads_migrate = false;
  /// may_migrate: is called for such a context before it begins. A core must keep nothing of this
  /// context while it does not run.
  bool prepares_migrants = false;
};

template <class P>
concept NamesOptions = Same<decltype(P::kOptions), const Options>;
template <class P>
concept ThreadsMigrate = P::kCores > 1 && P::kOptions.threads_migrate;

template <class P>
concept Port = MasksInterrupts<P> && HasDomains<P> && SwitchesContexts<P> && KeepsTime<P> &&
               HasCores<P> && HasLines<P> && WaitsAndHalts<P> && NamesOptions<P>;

/// Reports what is wrong with an option: its member is missing, the option is not set, or a
/// requirement does not hold.
template <class P>
constexpr bool check_options() {
  constexpr Options kOptions = P::kOptions;
  constexpr bool kClock = requires {
    { P::now_masked() } -> Same<typename P::Ticks>;
  };
  static_assert(kOptions.masked_clock == kClock,
                "the port's now_masked() and kOptions.masked_clock go together; it answers in "
                "Ticks, as now()");
  constexpr bool kIdles = requires { P::idle(); };
  static_assert(kOptions.idles_itself == kIdles,
                "the port's idle() and kOptions.idles_itself go together");
  static_assert(!kIdles || P::kCores == 1,
                "the port's idle() keeps nothing of the idle context: one core only");
  constexpr bool kYields =
      requires(typename P::Context& from, const typename P::Context& to) { P::yield_to(from, to); };
  static_assert(kOptions.yields_directly == kYields,
                "the port's yield_to() and kOptions.yields_directly go together; it takes what "
                "context_switch does");
  constexpr bool kMoves = requires(typename P::Ticks instant) { P::alarm_moves_until(instant); };
  static_assert(kOptions.moves_alarm == kMoves,
                "the port's alarm_moves_until() and kOptions.moves_alarm go together");
  constexpr bool kPrepares = requires(typename P::Context& context) { P::may_migrate(context); };
  static_assert(kOptions.prepares_migrants == kPrepares,
                "the port's may_migrate() and kOptions.prepares_migrants go together");
  static_assert(!kPrepares || kOptions.threads_migrate,
                "the port's may_migrate() is for kOptions.threads_migrate");
  return true;
}

/// Reports which part of the contract a port lacks. Each kernel instantiates it first.
template <class P>
constexpr bool check() {
  static_assert(MasksInterrupts<P>,
                "the port lacks IrqState, irq_save, irq_restore, irq_enable or in_irq");
  static_assert(HasDomains<P>, "the port lacks Domain or enter_domain");
  static_assert(SwitchesContexts<P>,
                "the port lacks Context, context_init, context_switch, kStackAlignment or "
                "kSmallestStack");
  static_assert(KeepsTime<P>, "the port lacks Ticks, now, alarm_set, alarm_off, kTickHz or costs");
  static_assert(
      HasCores<P>,
      "the port lacks Lock, kCores, core_count, core_id, send_reschedule, lock, unlock or relax");
  static_assert(HasLines<P>,
                "the port lacks Line, kLineLevels, kShowsMaskedLines, line_attach, line_mask, "
                "line_unmask, line_acknowledge, line_pending or line_route");
  static_assert(WaitsAndHalts<P>, "the port lacks idle_wait or halt");
  static_assert(NamesOptions<P>, "the port lacks kOptions");
  if constexpr (NamesOptions<P>) return Port<P> && check_options<P>();
  return false;
}

}  // namespace hocket::port

// The functions through which a port calls the kernel, masked, on the interrupted thread's stack or
// on one that all handlers share. The code that instantiates the kernel defines them
// (kernel/task/doors.h).
//
// The first two only record which thread runs next, as does everything else that wakes threads in a
// handler. An interrupt that may have called the kernel must call the third function last: it
// switches to that thread by Port::context_switch, and so may return much later. On a processor
// whose handlers cannot switch stacks, context_switch only notes the two contexts there, and the
// port switches when the interrupt returns.
extern "C" void hocket_timer_interrupt();
extern "C" void hocket_reschedule_interrupt();
extern "C" void hocket_interrupt_exit();
