// The Arduino Uno as the port sees it, and the kernel as its sketches have it.
#pragma once

#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/kernel_policies.h"
#include "arduino/cores/avr8/tick_costs.h"
#include "boards/uno/costs.h"
#include "kernel/task/kernel.h"
#include "kernel/time/periodic_tick.h"
#include "ports/avr8/port.h"

/// The system cannot go on: masked, asleep, for good. `hocket run` says why.
extern "C" [[noreturn]] void hocket_stop();

namespace hocket::uno {

struct Machine {
  static constexpr uint32_t kCyclesPerSecond = F_CPU;
  static constexpr unsigned kPrescaler = 8;
  static constexpr port::Costs<int32_t> kCosts =
      costs_of(kernel_policies::Chosen::kComparesDeadlines);
  static constexpr bool kMovesAlarm = true;  // hocket_pass_over()
  /// The text would be in RAM: what was wrong is told by the simulator, which sees all.
  [[noreturn]] static inline void halt(const char*) { hocket_stop(); }
};
#ifdef HOCKET_KERNEL_TICK
extern "C" const uint8_t hocket_tick[];  // a number, no place (board_tick.h)
struct SketchTick {
  static constexpr bool kConstant = false;
  static int32_t ticks() { return static_cast<int32_t>(reinterpret_cast<uint16_t>(hocket_tick)); }
};
using Port = PeriodicTick<avr8::Avr8Port<Machine>, SketchTick>;
inline constexpr unsigned kFrameOfAlarms = kAlarmFrame + kTickOfAlarms;
#else
using Port = avr8::Avr8Port<Machine>;
inline constexpr unsigned kFrameOfAlarms = kAlarmFrame;
#endif

namespace {
struct Config {
#ifdef HOCKET_KERNEL_ALARMS
  static constexpr unsigned kMaxAlarms = 1;  // kernel_alarms.h
  template <class LockedCore, class Duration>
  static void alarms_took(LockedCore& core, Duration took);
#else
  static constexpr unsigned kMaxAlarms = 0;
#endif
  static constexpr KernelOptions kOptions{.statistics = false,
                                          .lone_threads = true /* a loop's */,
                                          .one_object = true,
                                          .alarm_frame = kMaxAlarms > 0 ? kFrameOfAlarms : 0u};
  static constexpr unsigned kSlots = kMostLoops;
  static constexpr unsigned kRefills = uno::kRefills;
  using Trace = NoTrace;
  template <class Observer>
  using Policy =
      kernel_policies::Chosen::Policy<Port::Ticks, kSlots, kRefills, Observer, PortCharges<Port>>;
};
}  // namespace
using System = Kernel<Port, Config>;

}  // namespace hocket::uno
