// The port for the host: the port contract on top of the simulated machine.
#pragma once

#include "kernel/task/ticket_lock.h"
#include "ports/contract/port.h"
#include "ports/host/machine.h"

namespace hocket::host {

struct HostPort : port::NoDomains {
  using IrqState = bool;
  using Context = host::Context;
  using Ticks = int64_t;  // nanoseconds of virtual time

  struct Relax {
    void operator()() const { Machine::instance().relax(); }
  };
  using Lock = TicketLock<Relax>;

  static constexpr unsigned kCores = 64;
  static constexpr uint64_t kTickHz = 1'000'000'000;
  static constexpr size_t kStackAlignment = 4096;  // a guard page lies below every stack
  static constexpr size_t kSmallestStack = 16 * 1024;

  static IrqState irq_save() {
    const bool masked = machine().masked();
    machine().set_masked(true);
    return masked;
  }
  static void irq_restore(IrqState masked) { machine().set_masked(masked); }
  static void irq_enable() { machine().set_masked(false); }
  static bool in_irq() { return machine().in_irq(); }

  static void context_init(Context& context, port::Stack stack, port::Entry entry, void* argument,
                           Domain = {}) {
    host::context_init(context, stack.base, stack.size, entry, argument);
  }
  static void context_switch(Context& from, const Context& to) {
    machine().switch_context(from, to);
  }

  static Ticks now() { return static_cast<Ticks>(machine().read_clock()); }
  static void alarm_set(Ticks instant) {
    machine().set_alarm(instant < 0 ? 0 : static_cast<Nanos>(instant));
  }
  static void alarm_off() { machine().set_alarm(kNever); }
  /// Worst cases in the model of machine.h, for a few cores with loops in order of priority,
  /// measured by tests/contract. (boards/sim/costs.h has those of the board sim.)
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = 2'000,
            .context_switch = 9'000,
            .timer_interrupt = 7'000,
            .timer_lateness = 1'000,
            .longest_masked = 15'000};
  }

  static unsigned core_count() { return machine().core_count(); }
  static CoreId core_id() { return static_cast<CoreId>(machine().core_id()); }
  static void send_reschedule(CoreId core) { machine().send_reschedule(core); }
  static void lock(Lock& lock) { lock.lock(); }
  static void unlock(Lock& lock) { lock.unlock(); }
  static void relax() { machine().relax(); }
  static constexpr port::Options kOptions{.threads_migrate = true};

  using Line = unsigned;  // below Lines::kCount
  static constexpr unsigned kLineLevels = 1;
  static constexpr bool kShowsMaskedLines = true;
  [[nodiscard]] static bool line_attach(Line line, port::LineHandler handler, void* argument,
                                        port::LineUse use) {
    return machine().attach_line(line, handler, argument, use.trigger == port::Trigger::Edge,
                                 use.core);
  }
  static void line_mask(Line line) { machine().mask_line(line, true); }
  static void line_unmask(Line line) { machine().mask_line(line, false); }
  static void line_acknowledge(Line line) { machine().acknowledge_line(line); }
  [[nodiscard]] static bool line_pending(Line line) { return machine().line_pending(line); }
  [[nodiscard]] static bool line_route(Line line, port::Level, CoreId core) {
    return machine().route_line(line, core);
  }

  static void idle_wait() { machine().wait_for_interrupt(); }
  [[noreturn]] static void halt(const char* reason);

 private:
  static Machine& machine() { return Machine::instance(); }
};

}  // namespace hocket::host
