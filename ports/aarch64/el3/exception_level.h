// The exception level of a kernel with another system beside it: EL3, in the secure state.
//
//   EL3         the kernel: interrupts (FIQ), scheduler, system calls
//   secure EL0  the sketch's loops; secure EL1 is a page that forwards their calls (stub.S)
//   non-secure  the other system, which runs when a core has nothing else to do (normal_world.h)
//
// EL3 has one table (TTBR0_EL3), so the kernel's half is above the sketch's half of 39 bits, and
// not at the end of the address space. No number (ASID) distinguishes domains, so a change of
// domains invalidates the TLB. The sketch's own regime, secure EL1&0, is the same as under a kernel
// at EL1.
//
// There is one level of interrupts, FIQ: IRQ belongs to the other world.
//
// Source: DDI 0487, D17.2 under each register's name; chapter D8 for the regimes.
#pragma once

// Virtual address of the kernel = physical address + this.
#define HOCKET_KERNEL_OFFSET 0x8000000000

// Exception frame (frame.inc): after what every level saves, for a lower level also the priority
// mask and SCR_EL3, whose lowest bit says which world was interrupted.
#define HOCKET_FRAME_SIZE 208
#define HOCKET_FRAME_PMR 184
#define HOCKET_FRAME_SCR 192

// TCR_EL3 and MAIR_EL3: as translation.h composes them (memory_map.cpp compares).
#define HOCKET_TCR 0x80823518
#define HOCKET_MAIR 0xff04

// SCTLR_EL3: the bits that are one in ARMv8.0, MMU and caches (M, C, I), stack alignment check
// (SA).
#define HOCKET_SCTLR (0x30c50830 | (1 << 0) | (1 << 2) | (1 << 12) | (1 << 3))
#define HOCKET_SCTLR_WXN (1 << 19)

// SCR_EL3: EL1 is AArch64 (RW), secure code is never fetched from the other world's memory (SIF),
// FIQ enters EL3 from everywhere, IRQ and external aborts do not; bits 5 and 4 are one. NS selects
// the world.
#define HOCKET_SCR_SECURE ((1 << 10) | (1 << 9) | (3 << 4) | (1 << 2))
#define HOCKET_SCR_NORMAL (HOCKET_SCR_SECURE | 1)

// ICC_PMR_EL1 in the secure state: the other world's interrupts have priorities from 0x80 on (IHI
// 0069, 4.8.6), and would arrive as FIQ.
#define HOCKET_PMR_SECURE 0x80

// CPTR_EL3.TFP: floating point traps, from every level.
#define HOCKET_CPTR_TRAP (1 << 10)

// Address of the stub for secure EL1: the begin of its TTBR1 range of 32 MiB (T1SZ 39).
#define HOCKET_STUB_ADDRESS 0xFFFFFFFFFE000000

// Releases a core that waits since the reset: this word, which memory does not contain by chance,
// plus the core's number.
#define HOCKET_RELEASED 0x68636f6b65740000

// normal_world.h: State::Running
#define HOCKET_NORMAL_WORLD_RUNS 1

#ifndef __ASSEMBLER__

#include "ports/aarch64/translation.h"

extern "C" {
// All functions: masked, on the calling core.

/// Sets the sketch's half in the regimes of the kernel and of the sketch. The secure world's
/// registers are in this core afterwards (worlds.cpp).
void hocket_use_lower_half(uint64_t table);
/// Runs the other world, or waits, until an interrupt comes. Unmasked afterwards
/// (normal_world.cpp).
void hocket_wait();
/// Initialises the sketch's world, and limits what it may use (worlds.cpp).
void hocket_begin_secure_world();
/// Releases a core that waits since the reset (worlds.cpp).
void hocket_release_core(unsigned core);

/// Supplied by the image (HOCKET_LEVEL_DOORS): sends a reschedule interrupt.
void hocket_tell_core(unsigned core);
}

namespace hocket::aarch64 {

/// EL3 with the secure physical timer and the virtual counter. The latter equals the physical
/// counter, unless the simulated world around an emulator's board moves it (spare_timer.h).
struct El3 {
  /// Interrupt number of the timer at a GIC (BSA, "PPI assignments").
  static constexpr uint32_t kTimerId = 29;

  static uint64_t count() {
    uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
  }
  /// How far the physical counter is ahead of count(): set at EL2, zero without EL2 (D17.11).
  static uint64_t counter_offset() {
    uint64_t value;
    asm volatile("mrs %0, cntvoff_el2" : "=r"(value));
    return value;
  }
  static uint64_t frequency() {
    uint64_t value;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(value));
    return value;
  }
  static void timer_start() {
    timer_off();
    asm volatile("msr cntps_ctl_el1, %0" ::"r"(uint64_t{1}));
  }
  static void timer_set(uint64_t instant) {
    asm volatile("msr cntps_cval_el1, %0" ::"r"(instant + counter_offset()));
  }
  static void timer_off() { timer_set(INT64_MAX); }

  static constexpr uint64_t kTcr = kTcrOneRange;
  static constexpr Regime kKernelRegime = kUpperAtEl3;

  static constexpr unsigned kInterruptLevels = 1;
  /// TPIDR_EL0 may be the other world's while a thread runs that is only in the kernel.
  static constexpr bool kStorageIsOfDomains = true;

  static void use_lower_half(uint64_t table) { hocket_use_lower_half(table); }

  /// The kernel's entries and the sketch's. Only when the secure world's registers are in this
  /// core.
  static void forget_translations() {
    asm volatile("tlbi alle3\n tlbi alle1\n dsb nsh\n isb" ::: "memory");
  }

  static void* core_word() {
    void* word;
    asm("mrs %0, tpidr_el3" : "=r"(word));
    return word;
  }
  static void set_core_word(void* word) {
    asm volatile("msr tpidr_el3, %0" ::"r"(word) : "memory");
  }

  static void limit_sketch() { hocket_begin_secure_world(); }

  static void floating_point(bool runs) {
    asm volatile("msr cptr_el3, %0\n isb" ::"r"(runs ? uint64_t{0} : uint64_t{HOCKET_CPTR_TRAP}));
  }

  static void wait() { hocket_wait(); }
  static void mask() { asm volatile("msr daifset, #3" ::: "memory"); }
  static void unmask() { asm volatile("msr daifclr, #3" ::: "memory"); }

  static uint64_t interrupted_at() {
    uint64_t value;
    asm volatile("mrs %0, elr_el3" : "=r"(value));
    return value;
  }
  /// Whether the running handler has interrupted a lower level of the other world, whose registers
  /// are still in this core.
  static bool interrupted_other_world() {
    uint64_t world;
    asm volatile("mrs %0, scr_el3" : "=r"(world));
    return (world & 1) != 0 && interrupted_state() == 0;
  }
  /// Whether, moreover, the other world had masked its own interrupts.
  static bool other_world_masks() {
    uint64_t state;
    asm volatile("mrs %0, spsr_el3" : "=r"(state));
    constexpr uint64_t kIrq = 1 << 7;
    return interrupted_other_world() && (state & kIrq) != 0;
  }
  /// The masks of a lower level are its own and do not concern the kernel.
  static uint64_t interrupted_state() {
    uint64_t value;
    asm volatile("mrs %0, spsr_el3" : "=r"(value));
    constexpr uint64_t kLevel = 3 << 2;
    return (value & kLevel) == kLevel ? value : 0;
  }
};

using Level = El3;

}  // namespace hocket::aarch64

/// Functions of the port type that the level needs (interrupts.h).
#define HOCKET_LEVEL_DOORS(Port)                              \
  void hocket_tell_core(unsigned core) {                      \
    Port::send_reschedule(static_cast<hocket::CoreId>(core)); \
  }

#endif
