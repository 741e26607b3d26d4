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
inline constexpr unsigned kMostLoops = 7;
/// What the kernel's work depends on, of an image: what those that wait are compared by, how many
/// loops there are (the plain loop() is one), whether devices interrupt them whose time is given
/// back (arduino/cores/avr8/device_time.h), and whether handlers of attachInterrupt() do (storm.h).
struct ImageKind {
  bool by_deadline;
  unsigned loops;
  bool devices, handlers;
};
/// One loop is never chosen among others; each beyond the second is one more that is looked at.
struct CostByLoops {
  Ticks one, two, each_further;
  constexpr Ticks of(unsigned loops) const {
    return loops <= 1 ? one : two + static_cast<Ticks>(loops - 2) * each_further;
  }
};
/// By fixed priorities (and where nothing is promised), and by deadlines. Each run measures what
/// they take (simulation/uno/account_watch.h), and tests/uno/test_declared_costs.py looks for the
/// most; docs/decisions/small-processors.md has what was found. The linker reckons with them, too
/// (arduino/cores/avr8/sketch.ld).
inline constexpr CostByLoops kSwitch{.one = 315, .two = 400, .each_further = 12};
inline constexpr CostByLoops kDeadlineSwitch{.one = 340, .two = 620, .each_further = 70};
/// What handlers of pins have taken in a section is looked at when it ends.
inline constexpr Ticks kBesideHandlersTicks = 45;
/// A section may begin before the clock is read.
inline constexpr Ticks kSectionTicks = 20;
/// By reckoning: the entry, and the overflow of the clock with a far alarm in the midst of it.
inline constexpr Ticks kEntryTicks = 44;
/// The interrupt that changes nothing is the one in which the kernel keeps a loop's instants from
/// growing old (Scheduler::refresh), in runs of minutes alone.
inline constexpr Ticks kTimerTicks = 280, kDeadlineTimerTicks = 440;

constexpr port::Costs<Ticks> costs_of(const ImageKind& image) {
  const Ticks context_switch = (image.by_deadline ? kDeadlineSwitch : kSwitch).of(image.loops) +
                               (image.handlers ? kBesideHandlersTicks : 0);
  return {.interrupt_entry = kEntryTicks + (image.devices ? kNotGivenBack : 0),
          .context_switch = context_switch,
          .timer_interrupt = image.by_deadline ? kDeadlineTimerTicks : kTimerTicks,
          .timer_lateness = 20,
          .longest_masked = context_switch + kSectionTicks};
}
/// Of the largest image: for what is built without a sketch.
inline constexpr port::Costs<Ticks> kCosts =
    costs_of({.by_deadline = false, .loops = kMostLoops, .devices = true, .handlers = true});
/// Longest that a loop may hold a spinlock, which masks interrupts here.
inline constexpr Ticks kLongestSpin = 600;

/// For how long handlers of devices wait for the kernel at most
/// (docs/decisions/small-processors.md).
inline constexpr Ticks kLongestDeviceMasked = 25;

/// What a handler of attachInterrupt() may take without being seen in the guarantees.
inline constexpr Ticks kLongestHandler = 600;

inline constexpr unsigned kRefills = 3;
inline constexpr uint16_t kDefaultStack = 192;
inline constexpr uint16_t kSmallestStack = 128;
inline constexpr uint16_t kLargestStack = 1536;
inline constexpr uint64_t kLongestPeriodNs = 240'000'000'000;  // instants wrap after 35 minutes

}  // namespace hocket::uno
