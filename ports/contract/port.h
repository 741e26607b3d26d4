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
#include "ports/contract/lines.h"

namespace hocket::port {

/// Where a thread starts. The port calls it once, masked, on the new stack; it never returns.
using Entry = void (*)(void* argument);

/// Memory for a thread's stack, lowest address first.
struct Stack {
  void* base;
  size_t size;
};

/// What the kernel costs on this port, in ticks: worst cases, measured by `tests/contract` (which
/// fails when one is exceeded). Admission reckons with them and the scheduler charges them, to
/// whoever causes them (docs/decisions/who-pays.md, where they are E, S, I, L and M).
template <class Ticks>
struct Costs {
  /// From the interrupted code's last instruction to the kernel's reading of the clock.
  Ticks interrupt_entry;
  /// From a reading of the clock in the kernel to the next thread's first instruction.
  Ticks context_switch;
  /// An interrupt that switches nothing (the timer's, or another core's), from vector to return.
  Ticks timer_interrupt;
  /// How late the timer's interrupt may begin when nothing is masked.
  Ticks timer_lateness;
  /// The longest section of the kernel with interrupts masked.
  Ticks longest_masked;
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

/// Contexts. `context_init` prepares a context that calls `entry(argument)` masked, on `stack`, in
/// the protection domain `domain` (below).
/// `context_switch` (masked) saves the caller in `from` and goes on where `to` was saved. The
/// kernel calls it in threads and, as the last thing of an interrupt, in hocket_interrupt_exit();
/// the interrupted thread goes on when somebody switches back. It is the last thing that its caller
/// does: in an interrupt the switch may come when the last handler has returned, and until then
/// another one may say who is switched to instead (Cortex-M); in a thread interrupts may be let in
/// on both sides of it.
template <class P>
concept SwitchesContexts =
    requires(typename P::Context& from, const typename P::Context& to, Stack stack, Entry entry) {
      P::context_init(from, stack, entry, nullptr, typename P::Domain{});
      P::context_switch(from, to);
      requires P::kStackAlignment > 0;
      requires P::kSmallestStack > 0;
    };

/// Protection domains. A context belongs to one, for good, and a switch to it enters that: what the
/// domain maps can be accessed then, and what others map cannot. `Domain` names a domain; what it
/// maps is the port's and the system's business. One that is made without a value is none of its
/// own: its context is the kernel's alone, and whatever was entered last stays. On a processor
/// without protection it is empty, and costs nothing. `enter_domain` (masked): the calling context,
/// which no context_init has made (it booted the core), goes on in that domain.
template <class P>
concept HasDomains = requires(typename P::Domain domain) { P::enter_domain(domain); };

/// For a processor without protection.
struct NoDomains {
  struct Domain {};
  static void enter_domain(Domain) {}
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

/// Cores. `kCores` is what the image is built for, `core_count()` what is there. `send_reschedule`
/// makes a core, another or the calling one, call `hocket_reschedule_interrupt()` masked, soon (an
/// inter-processor interrupt). Locks are fair spinlocks (masked); on
/// a port with one core they are empty. `relax` is the hint of a waiting loop; it also has the
/// compiler read memory anew.
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

/// Waiting and giving up. `idle_wait` (masked) sleeps until an interrupt is pending, then lets it
/// in and returns unmasked. `halt` stops everything for good and says why where the port can.
template <class P>
concept WaitsAndHalts = requires(const char* reason) {
  P::idle_wait();
  P::halt(reason);
};

/// What a port may have besides, because its processor makes it shorter; the kernel uses it in
/// place of the general way. A port names what it has, and has the member: one without the other
/// does not compile (check_options), so neither is misspelt and passed over.
struct Options {
  /// now_masked: now() where interrupts are masked already.
  bool masked_clock = false;
  /// idle (masked): becomes the core's idle context and waits for interrupts for good. Nothing of
  /// it is kept between two waits, so the kernel must never call anything else there: one core, no
  /// statistics.
  bool idles_itself = false;
  /// yield_to: context_switch in a thread, not in a handler, for another thread (not the idle
  /// context).
  bool yields_directly = false;
  /// alarm_set takes an instruction or two, so it is called whenever there may be another instant;
  /// and one that never comes is as good as alarm_off.
  bool short_alarm = false;
  /// alarm_moves_until (masked, before alarm_set): the port moves an alarm by itself when it is set
  /// for the limit of who runs, and that limit moves (Policy::pass_over). Not beyond this instant:
  /// others wait for it.
  bool moves_alarm = false;
  /// A context that was switched away from on one core may be gone on with on another one.
  /// core_id() is asked anew behind every switch.
  bool threads_migrate = false;
  /// may_migrate: is called for a context that does so, before it begins. Where a core keeps
  /// something of a context that does not run, it does so of none of these.
  bool prepares_migrants = false;
};

template <class P>
concept NamesOptions = Same<decltype(P::kOptions), const Options>;
template <class P>
concept ThreadsMigrate = P::kCores > 1 && P::kOptions.threads_migrate;

template <class P>
concept Port = MasksInterrupts<P> && HasDomains<P> && SwitchesContexts<P> && KeepsTime<P> &&
               HasCores<P> && HasLines<P> && WaitsAndHalts<P> && NamesOptions<P>;

/// Says what is wrong with an option: its member is missing, is there and not named, or what it
/// rests on does not hold.
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

/// Says by name which part of the contract a port lacks; a kernel instantiates it first of all.
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

// The doors through which a port calls the kernel, masked, on the interrupted thread's stack or one
// that all handlers share. Whoever instantiates the kernel defines them (kernel/task/doors.h).
//
// What handlers do is recorded: these two and whatever else wakes threads in a handler only decide
// who runs next. The last thing of an interrupt that may have called the kernel is the third door:
// it goes on with that thread, by Port::context_switch, and so may come back much later. A
// processor whose handlers cannot switch stacks lets its context_switch keep the two contexts
// there, and switches where the interrupt returns.
extern "C" void hocket_timer_interrupt();
extern "C" void hocket_reschedule_interrupt();
extern "C" void hocket_interrupt_exit();
