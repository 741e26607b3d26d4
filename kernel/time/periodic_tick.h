// The periodic time base: any port with an interrupt at a fixed rate instead of a one-shot timer.
//
//   one-shot        |           |          an interrupt where one is asked for
//   periodic   |    |    |    |    |    |  always; what is due is seen there
//
// An adaptor: PeriodicTick<Port, hertz(1000)> is a port as Port is. What is asked of the one-shot
// alarm is only noted, and the tick that finds it due calls the kernel. Nothing else changes, so an
// application has either base by the name of one type.
//
// - Granularity: budgets, sleeps and alarms are up to one tick late, never early. costs() says so,
//   and the admission test reckons with it.
// - Cost: an interrupt at each tick, also when nothing is due and while the core would sleep. It is
//   not in the admission test: subtract its share, timer_interrupt / tick, from what a core has.
// - Exactness: the n-th tick is at start + n periods, rounded to the nearest tick of the port's
//   clock, for all n. Ticks that passed while interrupts were masked are made up for by one.
//
// The alarm of the port is used for the tick, absolutely. A port whose timer has a mode that
// repeats by itself may supply an adaptor of its own with the same members.
#pragma once

#include "kernel/base/time.h"
#include "kernel/time/exact_steps.h"
#include "kernel/time/microseconds.h"
#include "port/contract.h"

namespace hocket {

/// The time from tick to tick: seconds/parts of a second.
struct TickPeriod {
  uint64_t seconds;
  uint64_t parts;
};
constexpr TickPeriod hertz(uint32_t rate) {
  return {1, rate};
}
constexpr TickPeriod every(Microseconds span) {
  const uint64_t common = greatest_common_divisor(span.count(), 1'000'000);
  return {span.count() / common, 1'000'000 / common};
}

template <class Hardware, TickPeriod kPeriod>
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
  /// The hardware's alarm is for the next tick, whatever limit moves.
  static void alarm_moves_until(Ticks) = delete;

  static constexpr port::Costs<Ticks> costs() {
    port::Costs<Ticks> costs = Hardware::costs();
    costs.timer_lateness += kWhole + 1;
    return costs;
  }

  /// What the port's timer interrupt calls (it is hocket_timer_interrupt()); `kernel` is what it
  /// would call otherwise, Kernel::on_timer.
  template <class Function>
  static void on_tick(Function kernel) {
    Core& core = this_core();
    const Instant now(Hardware::now());
    do {
      advance(core);
      // One turn as a rule: a division, as compilers like it, is dear.
      asm volatile("" ::: "memory");
    } while (core.next <= now);
    await_tick(core);
    if (!core.is_wanted || now < core.wanted) return;
    core.is_wanted = false;
    kernel();
  }

 private:
  // A period in ticks of the hardware's clock: kWhole and kRest/kDenominator.
  static constexpr uint64_t kCommon =
      greatest_common_divisor(Hardware::kTickHz * kPeriod.seconds, kPeriod.parts);
  static constexpr uint64_t kLength = Hardware::kTickHz * kPeriod.seconds / kCommon;
  static constexpr uint64_t kDenominator = kPeriod.parts / kCommon;
  static_assert(kPeriod.seconds > 0 && kPeriod.parts > 0 && kDenominator < 0x80000000);
  static_assert(kLength / kDenominator < uint64_t{Instant::quarter_turn().ticks()} / 4,
                "so long a tick is no time base on this clock");
  static constexpr auto kWhole = static_cast<Ticks>(kLength / kDenominator);
  using Steps = ExactSteps<static_cast<uint32_t>(kDenominator)>;

  struct Core {
    Instant next;    // tick
    Instant wanted;  // by the kernel
    bool is_wanted = false;
    [[no_unique_address]] Steps steps{static_cast<uint32_t>(kLength % kDenominator)};
  };

  static void await_tick(const Core& core) {
    if constexpr (port::MovesAlarm<Hardware>) Hardware::alarm_moves_until(core.next.ticks());
    Hardware::alarm_set(core.next.ticks());
  }

  static Core& this_core() { return cores_[Hardware::core_id()]; }
  static void advance(Core& core) { core.next += Duration(kWhole) + Duration(core.steps.next()); }

  inline static Core cores_[Hardware::kCores];
};

}  // namespace hocket
