// A processor that a test turns by hand: two cores, a circular clock, locks that know who holds
// them. Contexts are not switched: the test goes on as whoever the kernel has made current.
#pragma once

#include <stdexcept>
#include <type_traits>
#include <vector>

#include "ports/contract/port.h"

namespace hocket::test {

/// `Number` counts its ticks of a microsecond; `OfThread` is what it keeps of a thread.
template <class Number, class OfThread>
struct TurnedPort : port::NoLines, port::NoDomains {
  using IrqState = bool;
  using Ticks = Number;
  using Context = OfThread;
  struct Lock {
    int holder = -1;
  };

  static constexpr unsigned kCores = 2;
  static constexpr port::Options kOptions{};
  static constexpr std::make_unsigned_t<Ticks> kTickHz = 1'000'000;
  static constexpr size_t kStackAlignment = 16;
  static constexpr size_t kSmallestStack = 16;

  static inline CoreId on = 0;  // which core the test is
  static inline Ticks clock = 0;
  static inline bool masked = false;
  static inline bool handler = false;
  static inline std::vector<CoreId> asked;  // reschedule interrupts that were sent
  static inline unsigned switches = 0;
  static inline void (*at_switch)() = nullptr;  // called at the end of each

  static IrqState irq_save() {
    const bool before = masked;
    masked = true;
    return before;
  }
  static void irq_restore(IrqState before) { masked = before; }
  static void irq_enable() { masked = false; }
  static bool in_irq() { return handler; }

  static void context_init(Context&, port::Stack, port::Entry, void*, Domain) {}
  static void context_switch(Context&, const Context&) {
    ++switches;
    if (at_switch != nullptr) at_switch();
  }

  static Ticks now() { return clock; }
  static void pass(uint32_t ticks) {
    clock = static_cast<Ticks>(static_cast<std::make_unsigned_t<Ticks>>(clock) + ticks);
  }
  static void alarm_set(Ticks) {}
  static void alarm_off() {}
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = 2,
            .context_switch = 3,
            .timer_interrupt = 4,
            .timer_lateness = 1,
            .longest_masked = 9};
  }

  static unsigned core_count() { return kCores; }
  static CoreId core_id() { return on; }
  static void send_reschedule(CoreId core) { asked.push_back(core); }
  static void lock(Lock& lock) {
    if (lock.holder != -1) throw std::logic_error("a lock that is held for ever");
    lock.holder = on;
  }
  static void unlock(Lock& lock) {
    if (lock.holder != on) throw std::logic_error("a lock that this core does not hold");
    lock.holder = -1;
  }
  /// The reschedule interrupt of the core that the test is, from entry to exit.
  template <class System>
  static void reschedule_interrupt() {
    masked = handler = true;
    System::on_reschedule();
    handler = false;
    System::after_interrupt();
    masked = false;
  }
  static void relax() {}
  static void idle_wait() {}
  [[noreturn]] static void halt(const char* reason) { throw std::logic_error(reason); }
};

}  // namespace hocket::test
