// The port to copy: every member the contract asks for, with what to put there. It compiles for
// every target (the build checks that), and halts when it is run.
//
// How to make a port of it: docs/porting/. The behaviour each member must have is in
// ports/contract/port.h; tests/contract tells whether it has it.
#pragma once

#include "ports/contract/port.h"

namespace hocket::template_port {

struct Port {
  // --- Interrupts of the calling core ---

  /// What irq_restore needs: the processor's status register, or one bit of it.
  using IrqState = uint8_t;
  static IrqState irq_save() {
    unfinished();
    return {};
  }
  static void irq_restore(IrqState) { unfinished(); }
  static void irq_enable() { unfinished(); }
  /// Usually a counter that the interrupt entry code keeps.
  static bool in_irq() {
    unfinished();
    return false;
  }

  // --- Contexts ---

  /// Often the stack pointer alone: the registers are on the thread's stack.
  struct Context {
    void* stack_pointer = nullptr;
  };
  /// What a switch must write into the memory management unit; empty where there is none.
  struct Domain {};
  static void enter_domain(Domain) {}
  static constexpr size_t kStackAlignment = 16;
  static constexpr size_t kSmallestStack = 256;
  static void context_init(Context&, port::Stack, port::Entry, void*, Domain) { unfinished(); }
  /// A processor that changes threads at the end of its handlers only notes the two here, and asks
  /// for that (ports/cortex_m).
  static void context_switch(Context&, const Context&) { unfinished(); }

  // --- Time ---

  using Ticks = int64_t;
  static constexpr uint32_t kTickHz = 1'000'000;
  /// A counter narrower than Ticks is extended: count its overflows, and read both consistently, or
  /// add what has passed since the last reading (docs/porting/).
  static Ticks now() {
    unfinished();
    return {};
  }
  /// After writing the compare register read the counter again: the instant may have passed.
  static void alarm_set(Ticks) { unfinished(); }
  static void alarm_off() { unfinished(); }
  /// Measure them: tests/contract fails when one is exceeded (docs/porting/).
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = 1,
            .context_switch = 1,
            .timer_interrupt = 1,
            .timer_lateness = 1,
            .longest_masked = 1};
  }

  // --- Cores ---

  /// On one core a lock is empty: masked interrupts are enough.
  struct Lock {};
  static constexpr unsigned kCores = 1;
  static unsigned core_count() { return kCores; }
  static CoreId core_id() { return 0; }
  /// To the calling core too.
  static void send_reschedule(CoreId) { unfinished(); }
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
  /// At least the compiler must read memory anew: whoever waits in a loop waits for a change there.
  static void relax() { asm volatile("" ::: "memory"); }

  // --- What the processor makes shorter ---

  /// None of it: the general way is right on every processor. An option that is named here has a
  /// member of its own besides.
  static constexpr port::Options kOptions{};

  // --- Lines of devices (ports/contract/lines.h) ---

  /// Often a number: the interrupt controller's.
  using Line = unsigned;
  /// 2: the processor has an entry that the other level cannot delay (FIQ).
  static constexpr unsigned kLineLevels = 1;
  /// False: the controller keeps no edges, and says nothing of a line that is masked.
  static constexpr bool kShowsMaskedLines = true;
  /// Masks the line, sets trigger, level and core, notes the handler for the vectors, and forgets
  /// what was pending: in this order, so that nothing comes for a handler that is not there yet.
  [[nodiscard]] static bool line_attach(Line, port::LineHandler, void*, port::LineUse) {
    unfinished();
    return false;
  }
  /// Reading back, or a barrier, if the controller takes its time.
  static void line_mask(Line) { unfinished(); }
  static void line_unmask(Line) { unfinished(); }
  static void line_acknowledge(Line) { unfinished(); }
  [[nodiscard]] static bool line_pending(Line) {
    unfinished();
    return false;
  }
  [[nodiscard]] static bool line_route(Line, port::Level, CoreId) {
    unfinished();
    return false;
  }

  // --- Waiting and giving up ---

  /// Nothing may be lost between looking for an interrupt and sleeping: most processors have an
  /// instruction that wakes up for a pending interrupt even when it is masked.
  static void idle_wait() { unfinished(); }
  [[noreturn]] static void halt(const char*) {
    for (;;) unfinished();
  }

 private:
  /// Waits for ever; the compiler cannot know that, so it compiles what follows too.
  static void unfinished() {
    static volatile bool written = false;
    while (!written) {
    }
  }
};

}  // namespace hocket::template_port
