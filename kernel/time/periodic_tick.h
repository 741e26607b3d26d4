// The periodic time base, for a port with an interrupt at a fixed rate instead of a one-shot timer.
//
//   one-shot        |           |          an interrupt when one is requested
//   periodic   |    |    |    |    |    |  always; the tick finds what is due
//
// An adaptor: PeriodicTick<Port, TickOf<2'000>> is a port like Port. A request for the one-shot
// alarm is only noted, and the tick that finds it due calls the kernel. Nothing else changes, so an
// application chooses the time base by one type name.
//
// - Granularity: budgets, sleeps and alarms are up to one tick late, never early. Admission counts
//   one tick as lateness of the timer.
// - Cost: an interrupt at each tick, also if nothing is due and while the core would sleep.
//   Admission counts it as a handler; the interrupted thread should be exempted from it.
// - Exactness: tick n is at start + n periods, for all n. One tick makes up for several that passed
//   while interrupts were masked.
//
// The adaptor sets the port's alarm to the absolute instant of each tick. A port whose timer can
// repeat by itself may supply an adaptor of its own with the same members.
#pragma once

#include "kernel/base/time.h"
#include "ports/contract/port.h"

namespace hocket {

/// A tick length that is known at compile time, in ticks of the port's clock. For any other length,
/// kConstant is false, and admission must be given the length.
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

  /// Call this masked, on each core, once, before Kernel::init_core(). The first tick is one period
  /// from now.
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
  /// Masked: requests a timer interrupt no later than `instant`.
  static void alarm_by(Ticks instant) {
    Core& core = this_core();
    if (!core.is_wanted || Instant(instant) < core.wanted) alarm_set(instant);
  }
  /// Deleted: the hardware's alarm is always set for the next tick.
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

  /// The port's timer interrupt (hocket_timer_interrupt()) calls this. `kernel` is the function
  /// that it would call otherwise, Kernel::on_timer. Returns false if nothing was due.
  template <class Function>
  static bool on_tick(Function kernel) {
    Core& core = this_core();
    const Instant now(Hardware::now());
    do {
      advance(core);
      // One iteration as a rule. The barrier keeps the compiler from replacing the loop by a
      // division, which is slow.
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
    Instant next;    // instant of the next tick
    Instant wanted;  // instant requested by the kernel
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
