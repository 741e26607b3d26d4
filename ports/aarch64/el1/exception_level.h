// Everything that depends on the kernel's exception level. This file has what C++ does with the
// level's registers; exception_level.inc, how assembler names them and enters the level; maps.S,
// how the level's maps change; vectors.S, how exceptions enter.
//
// This folder is for EL1, the usual level. A kernel with Linux beside it runs at EL3
// (ports/aarch64/el3). The build chooses the folder (HOCKET_LEVEL). No other file of the port or
// the AArch64 kernel names a register of a level (tests/tree/test_exception_level.py), except for
// the GIC's registers, which are the same at every level.
#pragma once

// Virtual address of the kernel = physical address + this (39-bit TTBR1 half; DDI 0487, D8.2).
#define HOCKET_KERNEL_OFFSET 0xFFFFFF8000000000

// Exception frame: what an interrupt or trap saves of the interrupted code (frame.inc).
#define HOCKET_FRAME_SIZE 192

// TCR_EL1, as translation.h composes it (memory_map.cpp compares).
#define HOCKET_TCR 0x2B5193519

// MAIR_EL1, likewise. Attribute 0 is device nGnRE, attribute 1 write-back normal memory.
#define HOCKET_MAIR 0xff04

// SCTLR_EL1 (D17.2.118): the bits that are one in ARMv8.0 (29, 28, 23, 22, 20, 11), MMU and caches
// (M, C, I), stack alignment checks at EL1 and EL0 (SA, SA0), and for EL0: DC ZVA, CTR, WFI, WFE.
#define HOCKET_SCTLR                                                                             \
  ((1 << 29) | (1 << 28) | (1 << 23) | (1 << 22) | (1 << 20) | (1 << 11) | (1 << 0) | (1 << 2) | \
   (1 << 12) | (1 << 3) | (1 << 4) | (1 << 14) | (1 << 15) | (1 << 16) | (1 << 18))
// No writable memory is executable. Set when the final tables are in place.
#define HOCKET_SCTLR_WXN (1 << 19)

#ifndef __ASSEMBLER__

#include "ports/aarch64/translation.h"

namespace hocket::aarch64 {

/// EL1 with the virtual counter and timer, which count from boot (start.S clears their offset if it
/// starts at EL2).
struct El1 {
  /// Interrupt number of the timer at a GIC (BSA, "PPI assignments").
  static constexpr uint32_t kTimerId = 27;

  /// Ticks since boot. There is no barrier: a value may be early by as much as the processor reads
  /// ahead (a few cycles), but never late (DDI 0487, D11.1.2).
  static uint64_t count() {
    uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
  }
  static uint64_t frequency() {
    uint64_t value;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(value));
    return value;
  }
  /// Enables the timer, set for no instant.
  static void timer_start() {
    timer_off();
    asm volatile("msr cntv_ctl_el0, %0" ::"r"(uint64_t{1}));
  }
  /// The timer's interrupt is asserted while count() ≥ `instant` (D11.2.4).
  static void timer_set(uint64_t instant) { asm volatile("msr cntv_cval_el0, %0" ::"r"(instant)); }
  /// Sets an instant that does not come. The timer is silent then, and one instruction sets it
  /// again.
  static void timer_off() { timer_set(INT64_MAX); }

  static constexpr uint64_t kTcr = kTcrTwoHalves;
  static constexpr Regime kKernelRegime = regime_of(Half::High);

  /// Two levels of interrupts: FIQ for what must be in time, IRQ for the rest.
  static constexpr unsigned kInterruptLevels = 2;
  /// TPIDR_EL0 belongs to the running thread, also to one that runs only in the kernel.
  static constexpr bool kStorageIsOfDomains = false;

  /// Sets the table of the lower half of the address space, with the number (ASID) of its contents
  /// (D17.2.144). No address there may be in use.
  static void use_lower_half(uint64_t table) {
    asm volatile("msr ttbr0_el1, %0\n isb" ::"r"(table) : "memory");
  }

  /// Invalidates this core's TLB.
  static void forget_translations() { asm volatile("tlbi vmalle1\n dsb nsh\n isb" ::: "memory"); }

  /// A word per core, for the kernel.
  static void* core_word() {
    void* word;
    // Not volatile: a thread never changes its core, so the value may be kept.
    asm("mrs %0, tpidr_el1" : "=r"(word));
    return word;
  }
  static void set_core_word(void* word) {
    asm volatile("msr tpidr_el1, %0" ::"r"(word) : "memory");
  }

  /// Limits what the sketch at EL0 may use. It may read the virtual counter (CNTKCTL_EL1.EL0VCTEN,
  /// D17.2). Registers that a reset leaves unchanged, and that could allow more, allow nothing:
  /// PMUSERENR_EL0 (the processor's counters), MDSCR_EL1.TDCC (the debugger's mailbox traps),
  /// TPIDRRO_EL0.
  static void limit_sketch() {
    constexpr uint64_t kVirtualCounter = 2;
    constexpr uint64_t kNoMailbox = 1 << 12;
    asm volatile(
        "msr cntkctl_el1, %0\n msr mdscr_el1, %1\n"
        "msr pmuserenr_el0, xzr\n msr tpidrro_el0, xzr\n isb" ::"r"(kVirtualCounter),
        "r"(kNoMailbox)
        : "memory");
  }

  /// Whether floating-point instructions run or trap (CPACR_EL1.FPEN, D17.2.33).
  static void floating_point(bool runs) {
    asm volatile("msr cpacr_el1, %0\n isb" ::"r"(runs ? uint64_t{3} << 20 : uint64_t{0}));
  }

  /// Waits for an interrupt, and unmasks then. Masked.
  static void wait() { asm volatile("dsb sy\n wfi\n msr daifclr, #3\n isb" ::: "memory"); }

  /// The address of the code that the running handler has interrupted.
  static uint64_t interrupted_at() {
    uint64_t value;
    asm volatile("mrs %0, elr_el1" : "=r"(value));
    return value;
  }
  /// The PSTATE of that code.
  static uint64_t interrupted_state() {
    uint64_t value;
    asm volatile("mrs %0, spsr_el1" : "=r"(value));
    return value;
  }
};

/// The level of this kernel.
using Level = El1;

}  // namespace hocket::aarch64

/// Functions of the port type that the level needs (interrupts.h): none.
#define HOCKET_LEVEL_DOORS(Port)

#endif
