// The kernel's costs on an AVR, in ticks of half a microsecond, and limits of its loops: for the
// image, and for the host that runs the admission test. tests/contract/avr8 measures the costs. On
// the Uno, sections of the kernel leave device handlers unmasked. `longest_masked` is the time that
// the kernel's own clock may have to wait (docs/decisions/small-processors.md).
#pragma once

#include "arduino/cores/avr8/chip.h"
#include "kernel/base/tick_rate.h"
#include "kernel/sched/charges.h"
#include "ports/avr8/switch_numbers.h"

namespace hocket::uno {

using Ticks = int32_t;
inline constexpr uint32_t kTickHz = 2'000'000;
using Rate = TickRate<kTickHz>;
/// An interrupt of the board's own, from its vector to its return, for one character of Serial sent
/// or received. After kDevicesTogether of them the limit of the interrupted loop is moved, which
/// takes longer (arduino/cores/avr8/device_time.h). A half period of a
/// tone counts as one but takes longer: 14 ticks, and 39 when the limit moves.
inline constexpr Ticks kDeviceTicks = Chip::kCosts.device;
inline constexpr Ticks kDevicesTogether = ChipCosts::kTogether;
/// The additional time of the last of them, which moves the limit. All together take
/// kTogetherTicks, and each takes what is charged for a character that is sent
/// (tests/uno/test_serial_account.py).
inline constexpr Ticks kMoveTicks = Chip::kCosts.move;
inline constexpr Ticks kTogetherTicks = Chip::kCosts.together();
static_assert(kTogetherTicks == HOCKET_DEVICES_TOOK);
inline constexpr Ticks kCharacterTicks = Chip::kCosts.character();
/// The longest of them, of a character: how long one device's interrupt may have to wait for
/// another's.
inline constexpr Ticks kLongestDevice = Chip::kCosts.longest_device;
/// The longest interrupt of servos, which ends a pulse and begins the next one: it waits for up to
/// 30 ticks, so that pulses are exact (servo.cpp).
inline constexpr Ticks kLongestServo = Chip::kCosts.longest_servo;
/// The same if loops use Wire: the end of a transfer counts as two.
inline constexpr Ticks kLongestWireStep = Chip::kCosts.longest_wire_step;
/// The most time of such interrupts that may remain charged to a loop.
inline constexpr Ticks kNotGivenBack = Chip::kCosts.not_given_back();
inline constexpr unsigned kMostLoops = Chip::kMostLoops;
/// What the kernel's costs depend on in an image: how ready loops are ordered, how many loops there
/// are (the plain loop() counts), whether devices interrupt loops and the time is given back
/// (arduino/cores/avr8/device_time.h), whether handlers of attachInterrupt() do (storm.h), and
/// whether loops can hold spinlocks.
struct ImageKind {
  bool by_deadline;
  unsigned loops;
  bool devices, handlers, spinlocks;
};
/// With fixed priorities (also for policies that promise nothing), and with deadlines. Each run
/// measures these costs (simulation/avr/account_watch.h), and tests/uno/test_declared_costs.py
/// searches for the worst case; docs/decisions/small-processors.md has the results. The linker uses
/// the values too (arduino/cores/avr8/sketch.ld).
inline constexpr CostByLoops kSwitch = Chip::kCosts.context_switch;
inline constexpr CostByLoops kDeadlineSwitch = Chip::kCosts.deadline_switch;
/// At the end of a section: accounting for the time that pin handlers took in it.
inline constexpr Ticks kBesideHandlersTicks = Chip::kCosts.beside_handlers;
/// A loop that holds a spinlock can overrun its refill by the whole hold (kLongestSpin) again and
/// again. The overrun is taken from the refills that follow, and the switch puts down each of them.
inline constexpr Ticks kBesideSpinlocksTicks = Chip::kCosts.beside_spinlocks;
/// The part of a section that may run before the clock is read.
inline constexpr Ticks kSectionTicks = 20;
/// Calculated: the entry, interrupted by an overflow of the clock with a far alarm.
inline constexpr Ticks kEntryTicks = Chip::kCosts.entry;
/// The longest interrupt without a switch is the one in which the kernel refreshes a loop's
/// instants before they wrap (Scheduler::refresh). It occurs only in runs of minutes. By deadlines,
/// beside spinlocks and storms on pins, another one takes as long: 474 ticks were seen.
inline constexpr Ticks kTimerTicks = Chip::kCosts.timer,
                       kDeadlineTimerTicks = Chip::kCosts.deadline_timer;

/// `costs`: those of the image's chip.
constexpr port::Costs<Ticks> costs_of(const ImageKind& image,
                                      const ChipCosts& costs = Chip::kCosts) {
  const Ticks context_switch =
      (image.by_deadline ? costs.deadline_switch : costs.context_switch).of(image.loops) +
      (image.handlers ? costs.beside_handlers : 0) + (image.spinlocks ? costs.beside_spinlocks : 0);
  return {.interrupt_entry = costs.entry + (image.devices ? costs.not_given_back() : 0),
          .context_switch = context_switch,
          .timer_interrupt = image.by_deadline ? costs.deadline_timer : costs.timer,
          .timer_lateness = 20,
          .longest_masked = context_switch + kSectionTicks};
}
/// For the largest image without spinlocks: used by what is built without a sketch.
inline constexpr port::Costs<Ticks> kCosts = costs_of({.by_deadline = false,
                                                       .loops = kMostLoops,
                                                       .devices = true,
                                                       .handlers = true,
                                                       .spinlocks = false});
/// The longest time that a loop may hold a spinlock, which masks interrupts on the Uno.
inline constexpr Ticks kLongestSpin = 600;

/// The longest time that device handlers wait for the kernel, or for the core's functions that
/// mask interrupts, such as Servo.write() (docs/decisions/small-processors.md).
inline constexpr Ticks kLongestDeviceMasked = 50;

/// The longest handler of attachInterrupt() that the guarantees cover without storm control.
inline constexpr Ticks kLongestHandler = 600;

inline constexpr unsigned kRefills = 3;
inline constexpr uint16_t kDefaultStack = 192;
inline constexpr uint16_t kSmallestStack = 128;
inline constexpr uint16_t kLargestStack = 1536;
inline constexpr uint64_t kLongestPeriodNs = 240'000'000'000;  // instants wrap after 35 minutes

}  // namespace hocket::uno
