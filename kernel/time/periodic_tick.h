// The periodic time base: any port with an interrupt at a fixed rate instead of a one-shot timer.
//
//   one-shot        |           |          an interrupt where one is asked for
//   periodic   |    |    |    |    |    |  always; what is due is seen there
//
// An adaptor: PeriodicTick<Port, TickOf<2'000>> is a port as Port is. What is asked of the one-shot
// alarm is only noted, and the tick that finds it due calls the kernel. Nothing else changes, so an
// application has either base by the name of one type.
//
// - Granularity: budgets, sleeps and alarms are up to one tick late, never early. Admission counts
// a
//   tick as lateness of the timer.
// - Cost: an interrupt at each tick, also when nothing is due and while the core would sleep.
//   Admission counts it as a handler; the thread that it interrupts is to be spared it.
// - Exactness: the n-th tick is at start + n periods, for all n. Ticks that passed while interrupts
//   were masked are made up for by one.
//
// The alarm of the port is used for the tick, absolutely. A port whose timer has a mode that
// repeats by itself may supply an adaptor of its own with the same members.
#pragma once

#include "kernel/base/time.h"
#include "ports/contract/port.h"

namespace hocket {

/// The length of a tick that is known to the compiler, in ticks of the port's clock. Of another
/// length (kConstant is false) admission has to know it.
template <auto kLength>
struct TickOf {
  static constexpr bool kConstant = true;
  static constexpr auto ticks() { return kLength; }
};

template <class Hardware, class Length>
struct PeriodicTick : Hardware {
  using Ticks = typename Hardware::Ticks;
  using Instant = BasicInstant<Ticks>;
  using Duration = BasicDuration<Ticks>;

  /// Masked, on each core, once, before Kernel::init_core(): the first tick is a period from now.
  static void start_ticking() {
    Core& core = this_core();
    core = Core{};
    core.next = Instant(Hardware::now());
    advance(core);
    await_tick(core);
  }

  /// Port contract, masked: one timer interrupt at the first tick at or after `instant`.
  static void alarm_set(Ticks instant) {
    Core& core = this_core();
    core.wanted = Instant(instant);
    core.is_wanted = true;
  }
  static void alarm_off() { this_core().is_wanted = false; }
  /// Masked: no later than that.
  static void alarm_by(Ticks instant) {
    Core& core = this_core();
    if (!core.is_wanted || Instant(instant) < core.wanted) alarm_set(instant);
  }
  /// The hardware's alarm is for the next tick, whatever limit moves.
  static void alarm_moves_until(Ticks) = delete;
  static constexpr port::Options kOptions = [] {
    port::Options options = Hardware::kOptions;
    options.moves_alarm = false;
    return options;
  }();

  static constexpr port::Costs<Ticks> costs() {
    port::Costs<Ticks> costs = Hardware::costs();
    if constexpr (Length::kConstant) costs.timer_lateness += Length::ticks() + 1;
    return costs;
  }

  /// What the port's timer interrupt calls (it is hocket_timer_interrupt()); `kernel` is what it
  /// would call otherwise, Kernel::on_timer. False: nothing was due.
  template <class Function>
  static bool on_tick(Function kernel) {
    Core& core = this_core();
    const Instant now(Hardware::now());
    do {
      advance(core);
      // One turn as a rule: a division, as compilers like it, is dear.
      asm volatile("" ::: "memory");
    } while (core.next <= now);
    await_tick(core);
    if (!core.is_wanted || now < core.wanted) return false;
    core.is_wanted = false;
    kernel();
    return true;
  }

 private:
  struct Core {
    Instant next;    // tick
    Instant wanted;  // by the kernel
    bool is_wanted = false;
  };

  static void await_tick(const Core& core) {
    if constexpr (Hardware::kOptions.moves_alarm) Hardware::alarm_moves_until(core.next.ticks());
    Hardware::alarm_set(core.next.ticks());
  }

  static Core& this_core() { return cores_[Hardware::core_id()]; }
  static void advance(Core& core) { core.next += Duration(static_cast<Ticks>(Length::ticks())); }

  inline static Core cores_[Hardware::kCores];
};

}  // namespace hocket
