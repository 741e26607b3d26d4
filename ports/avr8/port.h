// The port for AVR (8 bits; a program counter of 16 or 22 bits); it meets the port contract
// (ports/contract/port.h).
//
// One type with inline static members. The board supplies:
//   kCyclesPerSecond     the processor's clock
//   kPrescaler           cycles in a tick of timer 1 (clock.h)
//   kCosts               declared worst cases, checked by tests/contract
//   halt(reason)         how the board says why it stops; `reason` is in data memory
//
// Two levels. A section of the kernel is open while the flag kKernel is set. It leaves interrupts
// unmasked: handlers of devices run at once, on the interrupted stack. They never enter the kernel.
// The threads that they wake are recorded (kRecorded), and so are the clock's own interrupts. The
// end of a section, or of an interrupt outside of one, acts upon the record:
//
//   thread      ──── irq_save ▒▒▒▒▒▒▒▒ irq_restore ─────────     ▒ the kernel: one at a time
//   device           handler ▓│▓ handler                         ▓ masked
//                             ╰─ recorded ╯ hocket_pending, perhaps a switch
//
// The kernel's work, both for interrupts and in calls that stop a thread (on_main_stack()), runs on
// main()'s stack, which is free after boot. The resulting switch is made afterwards, on the
// thread's own stack (switch.S). Only these are truly masked: reading the clock, setting the alarm,
// the two ends of a section, and the switch itself. (docs/decisions/small-processors.md)
//
// Each stack is painted, and its lowest byte is checked when its thread stops running. An overflow
// is therefore found at the next switch, before the kernel uses damaged data for long.
#pragma once

#include "ports/avr8/circular_order.h"
#include "ports/avr8/clock.h"
#include "ports/avr8/lines.h"
#include "ports/avr8/movable_alarm.h"
#include "ports/avr8/switch_numbers.h"
#include "ports/avr8/wide_product.h"
#include "ports/contract/port.h"

extern "C" {
/// Saves the registers that calls preserve on the stack, stores the stack pointer in `from`, and
/// continues with the stack pointer `to` (switch.S). Nothing of the idle thread is saved: its own
/// pointer is null. Returns masked, until the section ends.
void hocket_switch(void* from, void* to);
/// The arguments of the switch that the flag kSwitch announces.
extern void* hocket_switch_from;
extern void* hocket_switch_to;
/// Ends a section that irq_save() began. Acts upon pending events first.
void hocket_close(uint8_t state);
/// Acts upon the events that the flags name (HOCKET_AVR8_VECTORS).
void hocket_pending();
/// Calls `function` on main()'s stack. It may enter the kernel and stop the calling thread; the
/// resulting switch is made afterwards. In a thread, in a section. Returns masked.
void hocket_on_main_stack(void (*function)(void*), void* argument);
/// The caller becomes the idle thread (switch.S).
[[noreturn]] void hocket_idle();
/// Supplied by the board: a thread has overflowed its stack. Called masked; does not return.
[[noreturn]] void hocket_stack_overflow();
/// Where a new thread begins (switch.S).
void hocket_thread_start();
}

namespace hocket::avr8 {

#ifdef __AVR_3_BYTE_PC__
inline constexpr uint8_t kReturnBytes = 3;
#else
inline constexpr uint8_t kReturnBytes = 2;
#endif
inline constexpr uint8_t kPaint = HOCKET_PAINT;
inline uint8_t never_overflows = kPaint;  // lowest byte of the stack of main()

/// switch.S knows the layout.
struct Context {
  void* stack_pointer = nullptr;
  const uint8_t* bottom = &never_overflows;
};

template <class Board>
struct Avr8Port : Lines, port::NoDomains {
  using Clock = avr8::Clock<Board::kPrescaler>;
  /// Whether the board's device handlers move the limit of the running thread.
  static constexpr bool kMovesAlarm = requires { requires Board::kMovesAlarm; };
  static constexpr port::Options kOptions{.masked_clock = true,
                                          .idles_itself = true,
                                          .yields_directly = true,
                                          .moves_alarm = kMovesAlarm};
  using Alarm = ChosenType<kMovesAlarm, MovableAlarm<Board::kPrescaler>, Clock>;
  using IrqState = uint8_t;
  using Context = avr8::Context;
  using Ticks = int32_t;  // circular: docs/decisions/circular-time.md

  static constexpr uint32_t kTickHz = Board::kCyclesPerSecond / Board::kPrescaler;
  static_assert(kTickHz * Board::kPrescaler == Board::kCyclesPerSecond,
                "time is counted in whole ticks per second: choose another prescaler");
  static constexpr size_t kStackAlignment = 1;
  // An interrupt's frame (17 bytes), the kernel's calls below it, and a switch. 105 bytes were
  // measured under a body that calls nothing; waiting in a body takes more (docs/guide/uno.md).
  static constexpr size_t kSmallestStack = 128;

  // --- Sections of the kernel ---

  /// For threads, and for the kernel itself; handlers of devices must not call this.
  static IrqState irq_save() {
    uint8_t state = SREG & 1 << SREG_I;
    if (flag<kKernel>()) state |= kNested;
    set_flag<kKernel>();
    return state;
  }
  static void irq_restore(IrqState state) {
    asm volatile("" ::: "memory");
    hocket_close(state);
  }
  static void irq_enable() { irq_restore(1 << SREG_I); }
  static bool in_irq() { return flag<kInIrq>(); }

  /// Runs `work` as a section on main()'s stack. It may stop the calling thread, once, as its last
  /// act. Threads only. A thread that does not run thus has no kernel frame on its stack, and
  /// continues right after the switch to it.
  template <class Work>
  [[gnu::always_inline]] static void on_main_stack(Work work) {
    const IrqState state = irq_save();
    hocket_on_main_stack([](void* it) { (*static_cast<Work*>(it))(); }, &work);
    irq_restore(state);
  }

  // --- Contexts ---

  static void context_init(Context& context, port::Stack stack, port::Entry entry, void* argument,
                           Domain = {}) {
    auto* bottom = static_cast<uint8_t*>(stack.base);
    for (size_t i = 0; i < stack.size; ++i) bottom[i] = kPaint;
    uint8_t* top = bottom + stack.size;
    // SAFETY: the layout in switch.S; a function's address is that of a word, as `ret` wants it.
    const auto start = reinterpret_cast<uint16_t>(&hocket_thread_start);
    *--top = static_cast<uint8_t>(start);
    *--top = static_cast<uint8_t>(start >> 8);
    if constexpr (kReturnBytes == 3) *--top = 0;  // the linker has put it, or a jump to it, there
    const uint16_t words[] = {reinterpret_cast<uint16_t>(entry),
                              reinterpret_cast<uint16_t>(argument)};
    for (const uint16_t word : words) {  // r2:r3 and r4:r5
      *--top = static_cast<uint8_t>(word);
      *--top = static_cast<uint8_t>(word >> 8);
    }
    constexpr unsigned kOtherRegisters = 14;
    context.stack_pointer = top - kOtherRegisters - 1;
    context.bottom = bottom;
  }

  /// While the kernel works for interrupts, the switch is noted and made at the end (switch.S).
  static void context_switch(Context& from, const Context& to) {
    if (!in_irq()) return yield_to(from, to);
    hocket_switch_from = &from;
    hocket_switch_to = to.stack_pointer;
    set_flag<kSwitch>();
  }
  /// The same in a thread's call, to another thread.
  static void yield_to(Context& from, const Context& to) { hocket_switch(&from, to.stack_pointer); }
  [[noreturn]] static void idle() { hocket_idle(); }

  /// Bytes of a stack that were never used. Any context.
  static size_t stack_unused(port::Stack stack) {
    const auto* bottom = static_cast<const uint8_t*>(stack.base);
    size_t unused = 0;
    while (unused < stack.size && bottom[unused] == kPaint) ++unused;
    return unused;
  }

  // --- Time ---

  static Ticks now() { return static_cast<Ticks>(Clock::now()); }
  static Ticks now_masked() { return static_cast<Ticks>(Clock::now_masked()); }
  static void alarm_set(Ticks instant) { Alarm::alarm_set(static_cast<uint32_t>(instant)); }
  static void alarm_off() { Alarm::alarm_off(); }
  static void alarm_moves_until(Ticks instant)
    requires kMovesAlarm
  {
    Alarm::alarm_moves_until(static_cast<uint32_t>(instant));
  }
  static constexpr port::Costs<Ticks> costs() { return Board::kCosts; }

  // --- Cores: one ---

  struct Lock {};
  static constexpr unsigned kCores = 1;
  static constexpr unsigned core_count() { return kCores; }
  static constexpr CoreId core_id() { return 0; }
  static void send_reschedule(CoreId) {
    if (flag<kKernel>()) return set_flag<kRescheduleDue>();
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    Clock::send_reschedule();
    SREG = state;
  }
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
  static void relax() { asm volatile("" ::: "memory"); }

  // --- Waiting ---

  /// No interrupt comes between `sei` and `sleep`: the instruction after `sei` runs first (AVR
  /// instruction set manual, SEI). The clock's overflows end the wait too.
  static void idle_wait() {
    asm volatile("cli" ::: "memory");
    if ((GPIOR0 & kPending) == 0) {
      clear_flag<kKernel>();
      asm volatile("sei\n sleep" ::: "memory");
    }
    irq_enable();
  }

  [[noreturn]] static void halt(const char* reason) { Board::halt(reason); }

  // --- Beyond the contract ---

  /// Masked, once, at boot: starts the clock.
  static void start() {
    Clock::start();
    idle_mode();
  }
  /// Enables `sleep`, in the mode that keeps the clock running.
  static void idle_mode() { SMCR = 1 << SE; }

  /// hocket_pending(): runs like an interrupt of the kernel. `recorded` acts upon what handlers of
  /// devices have recorded. The flag is cleared before, so that later events set it again.
  template <class Recorded>
  [[gnu::always_inline]] static void act_upon_pending(Recorded recorded) {
    if (flag<kRecorded>()) {
      clear_flag<kRecorded>();
      recorded();
    }
    if (flag<kTimerDue>()) {
      clear_flag<kTimerDue>();
      Clock::alarm_came();
      hocket_timer_interrupt();
    }
    if (flag<kRescheduleDue>()) {
      clear_flag<kRescheduleDue>();
      Clock::reschedule_came();
      hocket_reschedule_interrupt();
    }
    hocket_interrupt_exit();
  }

 private:
  static constexpr uint8_t kNested = 1;  // a bit of irq_save()'s result; hocket_close knows it
  static constexpr uint8_t kPending = 1 << kTimerDue | 1 << kRescheduleDue | 1 << kRecorded;
};

}  // namespace hocket::avr8

/// Head of an interrupt handler, which saves what it uses and ends with `reti`. (clang does not
/// know the attributes of avr-libc's ISR().)
#define HOCKET_AVR8_HANDLER(vector)                       \
  extern "C" __attribute__((signal, used)) void vector(); \
  void vector()

/// Head of a handler that may record wake-ups (flag kRecorded). At its end, the thread that is to
/// run continues (hocket_interrupt in switch.S).
#define HOCKET_AVR8_WAKING_HANDLER(vector) HOCKET_AVR8_WAKING_HANDLER_(vector)
// clang-format off
#define HOCKET_AVR8_WAKING_HANDLER_(vector)              \
  extern "C" __attribute__((used)) void vector##_work(); \
  asm(".section .text." #vector ",\"ax\",@progbits\n"    \
      ".global " #vector "\n"                            \
      #vector ":\n"                                      \
      " push r30\n"                                      \
      " push r31\n"                                      \
      " ldi r30, lo8(gs(" #vector "_work))\n"            \
      " ldi r31, hi8(gs(" #vector "_work))\n"            \
      " jmp hocket_interrupt\n"                          \
      " .text\n");                                       \
  void vector##_work()
// clang-format on

/// Functions that the port needs for its type. Use this once per image; `recorded()` is that of
/// act_upon_pending(). (switch.S has the interrupts of alarm and reschedule.)
#define HOCKET_AVR8_VECTORS(Port, recorded)  \
  extern "C" void hocket_pending() {         \
    Port::act_upon_pending(recorded);        \
  }                                          \
  extern "C" void hocket_send_reschedule() { \
    Port::Clock::send_reschedule();          \
  }                                          \
  HOCKET_AVR8_HANDLER(hocket_far_alarm) {    \
    Port::Alarm::alarm_nearer();             \
  }
