// The interface of an interrupt controller for the kernel: a type with static members, chosen at
// compile time.
//
// There are two levels. RealTime interrupts (timer, inter-processor interrupts, real-time pins)
// enter as FIQ, Ordinary ones (UARTs and similar devices) as IRQ. A core that masks or handles
// Ordinary interrupts still takes RealTime ones.
//
//     device ── enable(id, level, core) ──▶ acknowledge_…() ──▶ handler ──▶ end_…(what acknowledge
//                                                                           returned)
//
// Invariants
// - Between acknowledge and end no interrupt of the same level reaches the core (by the controller,
//   or because the processor masks the level on entry).
// - An interrupt that comes between acknowledge and end is not lost: an inter-processor interrupt
// or
//   an edge enters again after end, and so does a level that is still active.
// - End may be called before the handler if the processor keeps the level masked. A level that has
//   been served by the time it is unmasked does not enter again.
// - number(acknowledged) is the interrupt's Id. The acknowledged value may carry more (GICv2: the
//   sender of an inter-processor interrupt). It must be passed to the matching end, and equals the
//   Id for all other interrupts.
#pragma once

#include "ports/contract/lines.h"

namespace hocket::drivers {

using port::Level;
using port::Trigger;

/// Contexts and results
/// - init_distributor(): once, on core 0, masked, before all other calls. Returns false if the
///   controller is missing, or has no RealTime level (its security state reserves it).
/// - init_core(core): on that core, masked, after init_distributor. Enables the inter-processor
///   interrupt. Returns false if there is no interface for this core.
/// - enable(id, level, target), disable(id): masked, on one core at a time (registers are shared).
///   For interrupts private to a core (timers): on the target itself, after its init_core. Returns
///   false, and changes nothing, if the controller lacks the interrupt or cannot deliver it so.
///   disable() has taken effect when it returns.
/// - route(id, level, target): like enable, but does not change whether the interrupt is masked.
/// - mask(id), unmask(id): for an interrupt that was enabled or routed before. Anywhere, on any
///   core; an interrupt private to a core only there. mask() has taken effect when it returns.
/// - pending(id), clear_pending(id), set_pending(id): context as mask. set_pending() acts like an
///   edge. If kShowsMasked is false the controller has levels only: there is nothing to set or
///   clear, and masked interrupts are not visible.
/// - set_trigger(id, trigger): context as enable, while disabled. Returns false if the trigger is
///   fixed otherwise.
/// - acknowledge_…(): in the level's handler; kNone if nothing is pending any more. For kNone,
///   end_real_time does nothing and need not be called.
/// - send_reschedule(core): anywhere. That core's handler sees the caller's earlier stores. A core
///   that has not run init_core is not interrupted.
/// No function blocks. Waits for registers to take effect are a few bus accesses.
template <class C>
concept InterruptController =
    requires(typename C::Id id, Level level, Trigger trigger, CoreId core) {
      requires Same<typename C::Id, uint32_t>;
      { C::init_distributor() } -> Same<bool>;
      { C::init_core(core) } -> Same<bool>;
      { C::enable(id, level, core) } -> Same<bool>;
      { C::disable(id) } -> Same<bool>;
      { C::route(id, level, core) } -> Same<bool>;
      C::mask(id);
      C::unmask(id);
      { C::pending(id) } -> Same<bool>;
      C::clear_pending(id);
      C::set_pending(id);
      requires Same<decltype(C::kShowsMasked), const bool>;
      { C::set_trigger(id, trigger) } -> Same<bool>;
      { C::acknowledge_real_time() } -> Same<typename C::Id>;
      { C::acknowledge_ordinary() } -> Same<typename C::Id>;
      { C::number(id) } -> Same<typename C::Id>;
      C::end_real_time(id);
      C::end_ordinary(id);
      C::send_reschedule(core);
      requires C::kIds > C::kNone;  // every number(…) is below
      requires C::kNone != C::kTimerId;
      requires C::kNone != C::kRescheduleId;
    };

}  // namespace hocket::drivers
