// The port to copy: every member that the contract requires, with a comment on what to put there.
// It compiles for every target (the build checks that), and waits for ever when it is run.
//
// docs/porting/ says how to make a port of it. ports/contract/port.h defines the behaviour of each
// member; tests/contract checks it.
#pragma once

#include "ports/contract/port.h"

namespace hocket::template_port {

struct Port {
  // --- Interrupts of the calling core ---

  /// The state for irq_restore: the processor's status register, or one bit of it.
  using IrqState = uint8_t;
  static IrqState irq_save() {
    unfinished();
    return {};
  }
  static void irq_restore(IrqState) { unfinished(); }
  static void irq_enable() { unfinished(); }
  /// Usually a counter that the interrupt entry code maintains.
  static bool in_irq() {
    unfinished();
    return false;
  }

  // --- Contexts ---

  /// Often only the stack pointer: the registers are on the thread's stack.
  struct Context {
    void* stack_pointer = nullptr;
  };
  /// What a switch must write into the memory management unit. Empty on a processor without one.
  struct Domain {};
  static void enter_domain(Domain) {}
  static constexpr size_t kStackAlignment = 16;
  static constexpr size_t kSmallestStack = 256;
  static void context_init(Context&, port::Stack, port::Entry, void*, Domain) { unfinished(); }
  /// If the processor switches threads at the end of its handlers, this only notes the two contexts
  /// and requests the switch (ports/cortex_m).
  static void context_switch(Context&, const Context&) { unfinished(); }

  // --- Time ---

  using Ticks = int64_t;
  static constexpr uint32_t kTickHz = 1'000'000;
  /// To extend a counter narrower than Ticks, either count its overflows and read both
  /// consistently, or add the time since the last reading (docs/porting/).
  static Ticks now() {
    unfinished();
    return {};
  }
  /// Read the counter again after writing the compare register: the instant may have passed.
  static void alarm_set(Ticks) { unfinished(); }
  static void alarm_off() { unfinished(); }
  /// Measure these: tests/contract fails if one is exceeded (docs/porting/).
  static constexpr port::Costs<Ticks> costs() {
    return {.interrupt_entry = 1,
            .context_switch = 1,
            .timer_interrupt = 1,
            .timer_lateness = 1,
            .longest_masked = 1};
  }

  // --- Cores ---

  /// On one core a lock is empty: masked interrupts suffice.
  struct Lock {};
  static constexpr unsigned kCores = 1;
  static unsigned core_count() { return kCores; }
  static CoreId core_id() { return 0; }
  /// Also to the calling core.
  static void send_reschedule(CoreId) { unfinished(); }
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
  /// At least, the compiler must read memory again, because the polling loop waits for a change
  /// there.
  static void relax() { asm volatile("" ::: "memory"); }

  // --- Options ---

  /// No options: the general way is right on every processor. An option that is set here needs its
  /// member.
  static constexpr port::Options kOptions{};

  // --- Lines of devices (ports/contract/lines.h) ---

  /// Often the number in the interrupt controller.
  using Line = unsigned;
  /// 2: the processor has an entry that the other level cannot delay (FIQ).
  static constexpr unsigned kLineLevels = 1;
  /// False: the controller keeps no edges, and shows nothing of a masked line.
  static constexpr bool kShowsMaskedLines = true;
  /// Masks the line; sets trigger, level and core; stores the handler for the vectors; and forgets
  /// what was pending. In this order, so that no interrupt finds a handler that is not there yet.
  [[nodiscard]] static bool line_attach(Line, port::LineHandler, void*, port::LineUse) {
    unfinished();
    return false;
  }
  /// Read back, or use a barrier, if the controller reacts late.
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

  /// No interrupt may be lost between testing for one and sleeping. Most processors have an
  /// instruction that wakes up for a pending interrupt even if it is masked.
  static void idle_wait() { unfinished(); }
  [[noreturn]] static void halt(const char*) {
    for (;;) unfinished();
  }

 private:
  /// Waits for ever. The compiler cannot know that, so it compiles the following code too.
  static void unfinished() {
    static volatile bool written = false;
    while (!written) {
    }
  }
};

}  // namespace hocket::template_port
