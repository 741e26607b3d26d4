// The port for Cortex-M (Armv6-M and later, one core, no floating-point unit); it meets the port
// contract (ports/contract/port.h).
//
// One type with static members. The board supplies:
//   Counter         the device that counts time (clock.h)
//   kLines          interrupt lines that the vector table has
//   kRescheduleLine one of them that no device uses: the core's interrupt to itself
//   kCosts          declared worst cases, checked by tests/contract
//   prepare()       clocks and power of its devices, before anything else
//   halt(reason)    how the board says why it stops
//
// Threads, including main(), run on the process stack; handlers share the main stack. A handler
// cannot change the thread to which it returns, because the return frame lies on the main stack
// below those of other handlers. context_switch() therefore only notes the two contexts and
// requests PendSV, the exception of the lowest priority. The processor takes it when no handler is
// active, and it exchanges the registers (switch.S).
//
//   in a handler    the switch is noted, and made when the last handler has returned. A second call
//                   before that keeps `from` and replaces `to`
//   in a thread     the switch is noted, and PendSV is let in at once; the call returns after a
//                   switch back
//
// To let PendSV in, interrupts are unmasked for one instruction before a switch and one after it. A
// caller must therefore have finished all its work: the switch is its last act.
//
// Each stack is painted. PendSV checks how much of it is left: a stack that has overflowed halts
// the board before registers are written below it.
#pragma once

#include "drivers/nvic/lines.h"
#include "ports/cortex_m/clock.h"

namespace hocket::cortex_m {

/// switch.S knows the layout. A Context that context_init() has not made is that of main().
struct Context;
struct Switch;
inline constexpr uint32_t kPaint = 0xa5a5'a5a5;  // HOCKET_PAINT in switch.S

}  // namespace hocket::cortex_m

extern "C" {
extern uint32_t hocket_main_stack[];  // lowest word; painted (start.S)
/// The first code of a new thread: masks interrupts and calls r1 with r0 (switch.S).
void hocket_thread_start();
/// The requested switch (switch.S); `to` is null if there is none.
extern hocket::cortex_m::Switch hocket_switch;
/// Supplied by the board: a thread has overflowed its stack. Called in a handler; does not return.
[[noreturn]] void hocket_stack_overflow();
}

namespace hocket::cortex_m {

struct Context {
  uint32_t* stack_pointer = nullptr;
  uint32_t* bottom = hocket_main_stack;
};

struct Switch {
  Context* from;
  const Context* to;
};

template <class Board>
struct CortexMPort : drivers::NvicLines<Board::kLines, SystemControl::kKernelPriority>,
                     port::NoDomains {
  using Clock = cortex_m::Clock<typename Board::Counter>;

  // --- Masking ---

  using IrqState = uint32_t;  // PRIMASK

  static IrqState irq_save() {
    IrqState state;
    asm volatile("mrs %0, primask\n cpsid i" : "=r"(state)::"memory");
    return state;
  }
  static void irq_restore(IrqState state) {
    asm volatile("msr primask, %0" ::"r"(state) : "memory");
  }
  static void irq_enable() { asm volatile("cpsie i" ::: "memory"); }
  static bool in_irq() { return SystemControl::exception() != 0; }

  // --- Contexts ---

  using Context = cortex_m::Context;
  static constexpr size_t kStackAlignment = 8;
  // An exception's frame and the registers of a switch take 64 bytes. 444 bytes were measured under
  // a body that only waits (Armv6-M; 224 on Armv7-M).
  static constexpr size_t kSmallestStack = 512;

  static void context_init(Context& context, port::Stack stack, port::Entry entry, void* argument,
                           Domain = {}) {
    auto* bottom = static_cast<uint32_t*>(stack.base);
    uint32_t* top = bottom + stack.size / 8 * 2;
    for (uint32_t* word = bottom; word < top; ++word) *word = kPaint;
    // The frame that an exception would leave (DDI 0403, B1.5.6) if it had interrupted
    // hocket_thread_start before its first instruction.
    uint32_t* frame = top - 8;
    frame[0] = word_of(argument);  // r0
    frame[1] = word_of(entry);     // r1
    frame[5] = 0;                  // lr: there is no return
    frame[6] = word_of(&hocket_thread_start) & ~1u;
    frame[7] = 1 << 24;  // xPSR: Thumb
    context.stack_pointer = frame - 8;
    context.bottom = bottom;
  }

  static void context_switch(Context& from, const Context& to) {
    if (hocket_switch.to == nullptr) hocket_switch.from = &from;
    hocket_switch.to = &to;
    SystemControl::pend_switch();
    if (in_irq()) return;
    // SAFETY: PendSV saves all registers of the thread that it leaves. The barriers make pending
    // and unmasking take effect before the next instruction (DDI 0419, B2.5 and A6.7.21).
    asm volatile("dsb\n cpsie i\n isb\n cpsid i" ::: "memory");
  }

  /// Bytes of a stack that were never used. Any context.
  static size_t stack_unused(port::Stack stack) {
    const auto* word = static_cast<const uint32_t*>(stack.base);
    size_t unused = 0;
    for (; unused + 4 <= stack.size && *word == kPaint; ++word) unused += 4;
    return unused;
  }

  // --- Time ---

  using Ticks = typename Clock::Ticks;
  static constexpr uint32_t kTickHz = Board::Counter::kTickHz;

  static Ticks now() {
    const IrqState state = irq_save();
    const Ticks now = Clock::now();
    irq_restore(state);
    return now;
  }
  static Ticks now_masked() { return Clock::now(); }
  static constexpr port::Options kOptions{.masked_clock = true};
  static void alarm_set(Ticks instant) { Clock::alarm_set(instant); }
  static void alarm_off() { Clock::alarm_off(); }
  static constexpr port::Costs<Ticks> costs() { return Board::kCosts; }

  // --- Cores: one ---

  struct Lock {};
  static constexpr unsigned kCores = 1;
  static constexpr unsigned core_count() { return kCores; }
  static constexpr CoreId core_id() { return 0; }
  static void send_reschedule(CoreId) { SystemControl::pend(Board::kRescheduleLine); }
  static void lock(Lock&) {}
  static void unlock(Lock&) {}
  static void relax() { asm volatile("" ::: "memory"); }

  // --- Waiting and giving up ---

  /// WFI ends for a pending interrupt, masked or not (DDI 0419, B1.5.17).
  static void idle_wait() { asm volatile("dsb\n wfi\n cpsie i\n isb" ::: "memory"); }

  [[noreturn]] static void halt(const char* reason) { Board::halt(reason); }

  // --- Beyond the contract ---

  /// Masked, once, at boot: starts the clock.
  static void start() {
    Board::prepare();
    SystemControl::order_switch_last();
    SystemControl::enable(Board::kRescheduleLine);
    Clock::start();
  }

 private:
  template <class T>
  static uint32_t word_of(T* pointer) {
    return reinterpret_cast<uint32_t>(pointer);
  }
};

}  // namespace hocket::cortex_m
