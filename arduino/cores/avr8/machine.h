// The Arduino Uno as the port needs it, and the kernel in the configuration of its sketches.
#pragma once

#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/kernel_policies.h"
#include "arduino/cores/avr8/tick_costs.h"
#include "kernel/task/kernel.h"
#include "kernel/time/periodic_tick.h"
#include "ports/avr8/port.h"

/// The system cannot continue: masks interrupts and sleeps for ever. `hocket run` prints the
/// reason.
extern "C" [[noreturn]] void hocket_stop();
/// A loop was woken while another one runs. If handlers can wake loops, this is
/// hocket_pay_for_wake_up() (kernel.cpp, woken_behind.h); otherwise it does nothing.
extern "C" void hocket_woken_behind(void* thread);

namespace hocket::uno {

struct Machine {
  static constexpr uint32_t kCyclesPerSecond = F_CPU;
  static constexpr unsigned kPrescaler = 8;
  static constexpr bool kByDeadline = kernel_policies::Chosen::kComparesDeadlines;
  static constexpr port::Costs<int32_t> kCosts =  // upper bounds: those of the largest image
      costs_of({.by_deadline = kByDeadline,
                .loops = kMostLoops,
                .devices = true,
                .handlers = true,
                .spinlocks = true});
  static constexpr bool kMovesAlarm = true;  // hocket_pass_over()
  /// The text is not kept, because it would be in RAM. The simulator says what was wrong.
  [[noreturn]] static inline void halt(const char*) { hocket_stop(); }
};
#ifdef HOCKET_KERNEL_TICK
extern "C" const uint8_t hocket_tick[];  // a number, not an address (board_tick.h)
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

}  // namespace hocket::uno

extern "C" {
// Numbers, not addresses: costs that the linker computes for the image (sketch.ld).
extern const uint8_t hocket_entry_ticks[], hocket_switch_ticks[], hocket_ending_ticks[],
    hocket_activation_ticks[];
}

namespace hocket {

/// The account of an image with this many loops. Admission on the host uses the same values
/// (arduino/cores/avr8/image/declared.cpp compares them).
template <>
struct PortCharges<uno::Port> {
  using Duration = BasicDuration<uno::Port::Ticks>;
  static constexpr bool kOneCore = true, kThreadsMigrate = false;
  static Duration entry() { return of(hocket_entry_ticks); }
  static Duration switching() { return of(hocket_switch_ticks); }
  static constexpr Duration interrupt() { return Duration(uno::Machine::kCosts.timer_interrupt); }
  static Duration ending() { return of(hocket_ending_ticks); }
  static Duration activation() { return of(hocket_activation_ticks); }
  static Duration smallest() { return activation(); }

 private:
  static Duration of(const uint8_t* number) {
    return Duration(static_cast<int32_t>(reinterpret_cast<uint16_t>(number)));
  }
};

}  // namespace hocket

namespace hocket::uno {
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
                                          .alarm_frame = kMaxAlarms > 0 ? kFrameOfAlarms : 0u,
                                          .tells_woken_behind = true};
  template <class Thread>
  static void woken_behind(Thread& woken) {
    hocket_woken_behind(&woken);
  }
  static constexpr unsigned kSlots = kMostLoops;
  static constexpr unsigned kRefills = uno::kRefills;
  using Trace = NoTrace;
  template <class Observer>
  using Policy =
      kernel_policies::Chosen::Plain<Port::Ticks, kSlots, kRefills, Observer, PortCharges<Port>>;
};
}  // namespace
using System = Kernel<Port, Config>;

}  // namespace hocket::uno
