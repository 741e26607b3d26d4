// What the kernel asks of an interrupt controller: a type with static members, chosen at compile
// time.
//
// Two levels. RealTime interrupts (timer, inter-processor interrupts, real-time pins) enter as FIQ,
// Ordinary ones (UARTs and the like) as IRQ. A core that masks or handles Ordinary interrupts takes
// RealTime ones all the same.
//
//     device ── enable(id, level, core) ──▶ acknowledge_…() ──▶ handler ──▶ end_…(what acknowledge
//                                                                           returned)
//
// Invariants
// - Between acknowledge and end no interrupt of the same level reaches the core (by the controller,
//   or because the processor masks the level on entry).
// - What happens between acknowledge and end is not lost: an inter-processor interrupt or an edge
//   that comes then enters again after end; a level that still stands does so too.
// - End may come at once, before the handler, where the processor keeps the level masked: a level
//   that has been served by the time it is unmasked does not enter again.
// - number(acknowledged) is the interrupt's Id. The acknowledged value may carry more (GICv2: who
//   sent an inter-processor interrupt), belongs to the matching end, and equals the Id for
//   everything but those.
#pragma once

#include "ports/contract/lines.h"

namespace hocket::drivers {

using port::Level;
using port::Trigger;

/// Contexts and results
/// - init_distributor(): once, on core 0, masked, before all else. False: this controller has no
///   RealTime level to offer (its security state keeps it), or it is not there.
/// - init_core(core): on that core, masked, after init_distributor. Enables the inter-processor
///   interrupt. False: no interface was found for this core.
/// - enable(id, level, target), disable(id): masked, on one core at a time (registers are shared).
///   Interrupts private to a core (timers): on the target itself, after its init_core. False, with
///   nothing changed: the controller has no such interrupt, or cannot deliver it like that.
///   disable() has taken effect when it returns.
/// - route(id, level, target): as enable, but the interrupt stays masked or not as it was.
/// - mask(id), unmask(id): of an interrupt that was enabled or routed once; anywhere, on any core,
///   an interrupt private to a core on its own. mask() has taken effect when it returns.
/// - pending(id), clear_pending(id), set_pending(id): as mask. What is set becomes pending as an
/// edge
///   does. Where kShowsMasked is false the controller has levels only: nothing to set or clear, and
///   nothing is seen of what is masked.
/// - set_trigger(id, trigger): as enable, and while disabled. False: fixed otherwise.
/// - acknowledge_…(): in the level's handler; kNone when nothing is pending any more; its
///   end_real_time does nothing, and need not be called.
/// - send_reschedule(core): anywhere. What the caller wrote to memory before is seen by that core's
///   handler. A core that has not run init_core is not interrupted.
/// None blocks; waits for registers to take effect are a few bus accesses.
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
