// What the kernel costs on the Uno, in ticks of half a microsecond, and what its loops may be: for
// the image, and for the computer that does the admission test. tests/contract/avr8 measures the
// costs. Sections of the kernel leave handlers of devices unmasked here: `longest_masked` is for
// how long its own clock may have to wait (docs/decisions/small-processors.md).
#pragma once

#include "kernel/base/tick_rate.h"
#include "kernel/sched/charges.h"

namespace hocket::uno {

using Ticks = int32_t;
inline constexpr uint32_t kTickHz = 2'000'000;
using Rate = TickRate<kTickHz>;
/// An interrupt of the board's own, from its vector to its return: a character of Serial that comes
/// or goes. After so many the limit of the loop that they have interrupted is moved, which takes
/// longer (arduino/cores/avr8/device_time.h; switch.S knows the numbers). Half a turn of a tone is
/// counted as one and takes more: 14 ticks, and 39 where the limit moves.
inline constexpr Ticks kDeviceTicks = 11;
inline constexpr Ticks kDevicesTogether = 4;
/// What the last of them takes more, for it moves the limit. So many take kTogetherTicks then, and
/// each what is paid for a character that is sent (tests/uno/test_serial_account.py measures it).
inline constexpr Ticks kMoveTicks = 21;
inline constexpr Ticks kTogetherTicks = kDevicesTogether * kDeviceTicks + kMoveTicks;
inline constexpr Ticks kCharacterTicks = (kTogetherTicks + kDevicesTogether - 1) / kDevicesTogether;
/// The longest of them, which one of another device may have to wait for.
inline constexpr Ticks kLongestDevice = 33;
/// The same where loops use Wire: the end of a transfer counts as two of them.
inline constexpr Ticks kLongestWireStep = 36;
/// What such interrupts may have taken of a loop without having been given back to it.
inline constexpr Ticks kNotGivenBack = (kDevicesTogether - 1) * kDeviceTicks;
/// By fixed priorities (and where nothing is promised), and by deadlines, where those that wait are
/// compared by their deadlines: for seven loops. Each run measures what they take
/// (simulation/uno/account_watch.h), and tests/uno/test_declared_costs.py looks for the most.
/// Found, in cycles of 8 to a tick: by priorities 145, 3,132, 2,029 and 3,222, by deadlines 145,
/// 7,040, 2,410 and 7,040. The most of an entry is by reckoning: 137, and the overflow of the clock
/// with a far alarm in the midst of it. The interrupt that changes nothing is the one in which the
/// kernel keeps a loop's instants from growing old (Scheduler::refresh): in runs of minutes alone.
inline constexpr port::Costs<Ticks> kCosts = {.interrupt_entry = 44 + kNotGivenBack,
                                              .context_switch = 430,
                                              .timer_interrupt = 280,
                                              .timer_lateness = 20,
                                              .longest_masked = 450};
inline constexpr port::Costs<Ticks> kDeadlineCosts = {.interrupt_entry = 44 + kNotGivenBack,
                                                      .context_switch = 1000,
                                                      .timer_interrupt = 440,
                                                      .timer_lateness = 20,
                                                      .longest_masked = 1020};
constexpr const port::Costs<Ticks>& costs_of(bool by_deadline) {
  return by_deadline ? kDeadlineCosts : kCosts;
}
/// Longest that a loop may hold a spinlock, which masks interrupts here.
inline constexpr Ticks kLongestSpin = 600;

/// For how long handlers of devices wait for the kernel at most
/// (docs/decisions/small-processors.md).
inline constexpr Ticks kLongestDeviceMasked = 25;

/// What a handler of attachInterrupt() may take without being seen in the guarantees.
inline constexpr Ticks kLongestHandler = 600;

inline constexpr unsigned kMostLoops = 7;
inline constexpr unsigned kRefills = 3;
inline constexpr uint16_t kDefaultStack = 192;
inline constexpr uint16_t kSmallestStack = 128;
inline constexpr uint16_t kLargestStack = 1536;
inline constexpr uint64_t kLongestPeriodNs = 240'000'000'000;  // instants wrap after 35 minutes

}  // namespace hocket::uno
