// The port for AArch64; it meets the port contract (ports/contract/port.h).
//
// One type with inline static members. The board supplies:
//   kCores, kTickHz      what the image is built for
//   Controller           interrupt controller (drivers/interrupt_controller.h)
//   kCosts               declared worst cases, checked by tests/contract
//   halt(reason)         how the board says why it stops
//
// There are two levels of interrupts. FIQ is the real-time level: timer, inter-processor
// interrupts, real-time pins. IRQ is the ordinary level. irq_save masks both, since handlers of
// both may use the kernel; ordinary_save masks only IRQ and never delays FIQ. A real-time handler
// runs at once even while the ordinary level is masked or one of its handlers runs. Only a switch
// of threads waits for the end of that section (interrupts.h), so that no ordinary handler is left
// half done behind another thread.
#pragma once

#include "exception_level.h"
#include "kernel/task/ticket_lock.h"
#include "ports/aarch64/core_local.h"
#include "ports/aarch64/lines.h"
#include "ports/contract/port.h"

extern "C" {
/// The first code of a new thread: calls the function that lies on its stack, with the argument
/// behind it (switch.S).
void hocket_thread_start();
/// Does what real-time interrupts have put off to the end of an ordinary section (interrupts.h).
/// Masked.
void hocket_run_deferred();
}

#ifdef __ARM_FP
#define HOCKET_AARCH64_SWITCH [[gnu::noinline]]
#else
#define HOCKET_AARCH64_SWITCH [[gnu::always_inline]]
#endif

namespace hocket::aarch64 {

/// PSTATE.I and PSTATE.F in the DAIF register (DDI 0487, C5.2.2).
inline constexpr uint64_t kMaskIrq = 1 << 7;
inline constexpr uint64_t kMaskFiq = 1 << 6;

/// Ticket lock whose waiters sleep until the word changes. The load sets the exclusive monitor, the
/// holder's store clears it, and that is an event (DDI 0487, D1.6.1 and B2.9).
class WaitingTicketLock {
 public:
  constexpr WaitingTicketLock() = default;
  WaitingTicketLock(const WaitingTicketLock&) = delete;
  WaitingTicketLock& operator=(const WaitingTicketLock&) = delete;

  void lock() {
    const uint32_t before =
        hocket::detail::lock_word_add(word_, hocket::detail::kOneTicket, order::acquire);
    const uint16_t ticket = hocket::detail::next_ticket(before);
    if (hocket::detail::now_serving(before) != ticket) wait(ticket);
  }
  /// See ticket_lock_as_next().
  bool lock_as_next() {
    uint16_t ticket;
    if (!ticket_draw_as_next(word_, ticket)) return false;
    wait(ticket);
    return true;
  }
  void unlock() { ticket_unlock(word_); }

 private:
  [[gnu::noinline]] void wait(uint16_t ticket) {
    for (;;) {
      uint32_t seen;
      asm volatile("ldaxr %w0, %1" : "=r"(seen) : "Q"(word_) : "memory");
      if (hocket::detail::now_serving(seen) == ticket) return;
      asm volatile("wfe" ::: "memory");
    }
  }

  uint32_t word_ = 0;
};

/// On one core, masked interrupts suffice.
struct NoLock {
  static void lock() {}
  static void unlock() {}
};

template <bool kMany>
struct LockFor {
  using Type = WaitingTicketLock;
};
template <>
struct LockFor<false> {
  using Type = NoLock;
};

template <class Board>
struct Aarch64Port {
  using Level = aarch64::Level;
  using Controller = typename Board::Controller;
  using IrqState = uint64_t;
  using Context = aarch64::Context;
  using Ticks = int64_t;

  static constexpr unsigned kCores = Board::kCores;
  static constexpr uint64_t kTickHz = Board::kTickHz;
  static constexpr size_t kStackAlignment = 16;
  static constexpr size_t kSmallestStack = 4096;
  using Lock = typename LockFor<(kCores > 1)>::Type;

  // --- Masking ---

  static IrqState irq_save() {
    IrqState state;
    asm volatile("mrs %0, daif\n msr daifset, #3" : "=r"(state)::"memory");
    return state;
  }
  static void irq_restore(IrqState state) { asm volatile("msr daif, %0" ::"r"(state) : "memory"); }
  static void irq_enable() { asm volatile("msr daifclr, #3" ::: "memory"); }
  static bool in_irq() { return core_local().handlers.any != 0; }

  // --- Contexts ---

  using Domain = aarch64::Domain;

  static void context_init(Context& context, port::Stack stack, port::Entry entry, void* argument,
                           Domain domain = {}) {
    auto* top = reinterpret_cast<uint64_t*>((reinterpret_cast<uintptr_t>(stack.base) + stack.size) &
                                            ~uintptr_t{15});
    uint64_t* saved = top - 4;  // as context_switch leaves it: frame pointer, return address
    saved[0] = 0;
    saved[1] = reinterpret_cast<uint64_t>(&hocket_thread_start);
    saved[2] = reinterpret_cast<uint64_t>(entry);
    saved[3] = reinterpret_cast<uint64_t>(argument);
    context.stack_pointer = saved;
    context.thread_storage = 0;
    context.domain = domain;
    context.fp = FpState{};
    if (core_local().fp_owner == &context) core_local().fp_owner = nullptr;
  }

  /// In line only in code that never computes with floating point (the kernel's). Elsewhere the
  /// compiler could move a floating-point instruction to where the registers change their owner.
  HOCKET_AARCH64_SWITCH static void context_switch(Context& from, const Context& to) {
    CoreLocal& local = core_local();
    const uint64_t storage = to.thread_storage;  // loaded together
    const Domain domain = to.domain;
    if (local.fp_live) [[unlikely]] {  // the next thread traps when it uses the registers
      local.fp_live = false;
      local.fp_owner = &from;
      Level::floating_point(false);
    }
    local.handlers.in_irq = false;  // the next thread was not left in a handler
    local.current = const_cast<Context*>(&to);
    if constexpr (!Level::kStorageIsOfDomains) asm volatile("msr tpidr_el0, %0" ::"r"(storage));
    if (domain.table != local.domain.table) [[unlikely]] {
      if (domain.table != 0) enter_domain(domain);
    }
    if constexpr (Level::kStorageIsOfDomains) {
      if (domain.table != 0) asm volatile("msr tpidr_el0, %0" ::"r"(storage));
    }
    switch_stacks(&from.stack_pointer, to.stack_pointer);
  }

  /// The core that made the tables sees them. Other cores need a barrier first.
  [[gnu::always_inline]] static void enter_domain(Domain domain) {
    core_local().domain = domain;
    Level::use_lower_half(domain.table);
  }

  // --- Time ---

  static Ticks now() { return static_cast<Ticks>(Level::count()); }
  static void alarm_set(Ticks instant) {
    Level::timer_set(static_cast<uint64_t>(instant & ~(instant >> 63)));  // negative becomes 0
  }
  static void alarm_off() { Level::timer_off(); }
  static constexpr port::Options kOptions{.short_alarm = true};
  static constexpr port::Costs<Ticks> costs() { return Board::kCosts; }

  // --- Cores ---

  static unsigned core_count() { return kCores == 1 ? 1 : cores_there; }
  static CoreId core_id() {
    if constexpr (kCores == 1) return 0;
    return static_cast<CoreId>(core_local().core);
  }
  static void send_reschedule(CoreId core) { Controller::send_reschedule(core); }
  static void lock(Lock& lock) { lock.lock(); }
  static void unlock(Lock& lock) { lock.unlock(); }
  static void relax() { asm volatile("yield" ::: "memory"); }

  // --- Lines ---

  using Line = typename Controller::Id;
  static constexpr unsigned kLineLevels = Level::kInterruptLevels;
  static constexpr bool kShowsMaskedLines = Controller::kShowsMasked;

  [[nodiscard]] static bool line_attach(Line line, port::LineHandler handler, void* argument,
                                        port::LineUse use) {
    return Lines<Controller>::attach(line, handler, argument, use);
  }
  static void line_mask(Line line) { Controller::mask(line); }
  static void line_unmask(Line line) { Controller::unmask(line); }
  static void line_acknowledge(Line line) { Controller::clear_pending(line); }
  [[nodiscard]] static bool line_pending(Line line) { return Controller::pending(line); }
  [[nodiscard]] static bool line_route(Line line, port::Level level, CoreId core) {
    return Controller::route(line, level, core);
  }

  // --- Waiting ---

  static void idle_wait() { Level::wait(); }
  [[noreturn]] static void halt(const char* reason) { Board::halt(reason); }

  // --- Beyond the contract ---

  /// Stores the stack pointer in `from`, and continues where the stack `to` was left.
  ///
  /// SAFETY: every register that a function may not change is declared as changed, so the compiler
  /// keeps on the stack what it still needs, and nothing else. The frame pointer cannot be declared
  /// and is saved here. Floating-point registers are switched elsewhere (floating_point.cpp).
  [[gnu::always_inline]] static void switch_stacks(void** from, void* to) {
    register void** keep asm("x0") = from;
    register void* next asm("x1") = to;
    asm volatile(
        "adr x30, 1f\n"
        "stp x29, x30, [sp, #-16]!\n"
        "mov x9, sp\n"
        "str x9, [x0]\n"
        "mov sp, x1\n"
        "ldp x29, x30, [sp], #16\n"
        "ret\n"
        "1:\n"
        : "+r"(keep), "+r"(next)
        :
        : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
          "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
          "x30", "cc", "memory");
  }

  /// Masks only the ordinary level. Code up to ordinary_restore delays no real-time handler, but
  /// may delay a switch of threads. Keep it short, and wake no thread in it: that would switch at
  /// once, with the section half done.
  static IrqState ordinary_save() {
    IrqState state;
    asm volatile("mrs %0, daif\n msr daifset, #2" : "=r"(state)::"memory");
    return state;
  }

  /// Restores the ordinary level. A switch of threads that had to wait happens now. The real-time
  /// level is masked for three instructions, so that nothing can be put off after the test.
  static void ordinary_restore(IrqState state) {
    if ((state & kMaskIrq) == 0) {
      const CoreLocal* local = &core_local();
      uint32_t deferred;
      asm volatile("msr daifset, #1\n ldrb %w0, [%1, %2]"
                   : "=r"(deferred)
                   : "r"(local), "i"(HOCKET_LOCAL_DEFERRED)
                   : "memory");
      if (deferred != 0) [[unlikely]]
        hocket_run_deferred();
    }
    irq_restore(state);
  }

  inline static unsigned cores_there = 1;  // set at boot, before other cores run
};

}  // namespace hocket::aarch64
