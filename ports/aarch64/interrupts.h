// From the vectors to handlers, on both levels. Instantiated once by an image
// (HOCKET_AARCH64_DOORS).
//
// Real-time level: the interrupt is acknowledged and ended at once, because its handler may switch
// threads and return much later. A source that stays asserted must be silenced or masked by its
// handler. The handler is an entry of a table (lines.h). If the controller is accessed through
// processor registers, the vector does all of this, and the code here is not used.
//
// Ordinary level: the handler runs with the real-time level unmasked. During it, and while a driver
// masks the ordinary level, decisions of real-time handlers are kept, and the switch of threads
// happens at the end of the section.
#pragma once

#include "ports/aarch64/port.h"

extern "C" void hocket_after_interrupt(uint64_t state);

namespace hocket::aarch64 {

template <class Port>
struct Interrupts {
  using Controller = typename Port::Controller;
  using Lines = aarch64::Lines<Controller>;

  /// Enables interrupts of the calling core. Returns false if its interrupt controller cannot serve
  /// the real-time level.
  [[nodiscard, gnu::cold]] static bool init_core(CoreId core) {
    if (core == 0) {
      Lines::clear();
      Lines::attached[Controller::kTimerId].handler = &timer;
      Lines::attached[Controller::kRescheduleId].handler = &reschedule;
      if (!Controller::init_distributor()) return false;
    }
    core_local().lines = Lines::attached;
    Port::Level::timer_start();
    return Controller::init_core(core) &&
           Controller::enable(Controller::kTimerId, drivers::Level::RealTime, core);
  }

  static void timer(void*) {
    Port::Level::timer_off();
    hocket_timer_interrupt();
  }

  static void reschedule(void*) { hocket_reschedule_interrupt(); }

  /// The real-time level stays unmasked during this.
  static void run_ordinary() {
    CoreLocal& local = core_local();
    local.handlers.in_ordinary = true;
    const auto id = Controller::acknowledge_ordinary();
    if (id != Controller::kNone) {
      const auto& line = Lines::attached[Controller::number(id)];
      line.handler(line.argument);
      Controller::end_ordinary(id);
    }
    local.handlers.in_ordinary = false;
  }

  /// For a real-time handler. If it has interrupted an ordinary section or an ordinary handler,
  /// returns true, and the end of that section calls run_deferred(), whichever thread is to run.
  static bool defer_in_section() {
    if ((Port::Level::interrupted_state() & kMaskIrq) == 0) return false;
    core_local().deferred = true;
    return true;
  }

  /// At the end of an ordinary section, masked.
  static void run_deferred() {
    core_local().deferred = false;
    if (at_section_end != nullptr) at_section_end();
    hocket_interrupt_exit();
  }

  /// Other deferred work; null: none. Set at boot.
  inline static void (*at_section_end)() = nullptr;
};

}  // namespace hocket::aarch64

/// Defines the functions that vectors.S calls, for the port type `Port` and the kernel type `K`.
/// `state` is the interrupted code's PSTATE. `kCallsUser`: real-time handlers may call functions of
/// a sketch (hocket_call_user); no thread is switched to until they return.
#define HOCKET_AARCH64_DOORS(Port, K, kCallsUser)                                            \
  extern "C" {                                                                               \
  void hocket_real_time_interrupt(void*) {                                                   \
    using Controller = Port::Controller;                                                     \
    const auto id = Controller::acknowledge_real_time();                                     \
    Controller::end_real_time(id);                                                           \
    hocket::aarch64::core_local().handlers.in_irq = true;                                    \
    const auto& line = hocket::aarch64::Lines<Controller>::attached[Controller::number(id)]; \
    [[clang::musttail]] return line.handler(line.argument);                                  \
  }                                                                                          \
  void hocket_after_interrupt(uint64_t state) {                                              \
    if (kCallsUser && hocket::aarch64::core_local().handlers.in_ordinary) [[unlikely]]       \
      return;                                                                                \
    if ((state & hocket::aarch64::kMaskIrq) == 0) {                                          \
      hocket_interrupt_exit();                                                               \
    } else if (K::must_switch()) {                                                           \
      hocket::aarch64::core_local().deferred = true;                                         \
    }                                                                                        \
  }                                                                                          \
  void hocket_ordinary_interrupt() {                                                         \
    hocket::aarch64::Interrupts<Port>::run_ordinary();                                       \
    if (K::must_switch()) hocket::aarch64::core_local().deferred = true;                     \
  }                                                                                          \
  void hocket_run_deferred() {                                                               \
    hocket::aarch64::Interrupts<Port>::run_deferred();                                       \
  }                                                                                          \
  HOCKET_LEVEL_DOORS(Port)                                                                   \
  }
