// Numbers that assembler and C++ must agree on. Only #defines: assembler reads this file too.
#pragma once

// --- Address space ---

// Virtual address of the kernel = physical address + this (39-bit TTBR1 half; DDI 0487, D8.2).
#define HOCKET_KERNEL_OFFSET 0xFFFFFF8000000000

// TCR_EL1: as translation.h composes it (memory_map.cpp compares).
#define HOCKET_TCR 0x2B5193519

// MAIR_EL1: likewise. Attribute 0 is device nGnRE, attribute 1 write-back normal memory.
#define HOCKET_MAIR 0xff04

// SCTLR_EL1 (D17.2.118): the bits that are one in ARMv8.0 (29, 28, 23, 22, 20, 11), MMU and caches
// (M, C, I), stack alignment checks at EL1 and EL0 (SA, SA0), and for EL0: DC ZVA, CTR, WFI, WFE.
#define HOCKET_SCTLR                                                                             \
  ((1 << 29) | (1 << 28) | (1 << 23) | (1 << 22) | (1 << 20) | (1 << 11) | (1 << 0) | (1 << 2) | \
   (1 << 12) | (1 << 3) | (1 << 4) | (1 << 14) | (1 << 15) | (1 << 16) | (1 << 18))
// What is writable can never be executed. Set when the final tables are in place.
#define HOCKET_SCTLR_WXN (1 << 19)

// --- Boot stacks, one per core, which become the stacks of the idle threads ---

#define HOCKET_BOOT_STACK 0x4000  // the lowest page of each is never mapped

// --- Exception frame: what an interrupt or trap keeps of the interrupted code (frame.inc) ---

#define HOCKET_FRAME_SIZE 192
#define HOCKET_FRAME_X18 144
#define HOCKET_FRAME_ELR 160
#define HOCKET_FRAME_SP0 176

// --- What a system call keeps of the caller (calls.cpp): x16, x17, x30, ELR, SP_EL0 ---

#define HOCKET_CALL_SIZE 48
#define HOCKET_CALL_LINK 16
#define HOCKET_CALL_SP0 32
// Entries of the table of calls; those without a call lead to hocket_no_such_call.
#define HOCKET_SYSTEM_CALL_ROOM 64

// --- CoreLocal (core_local.h) ---

#define HOCKET_LOCAL_IN_IRQ 8
#define HOCKET_LOCAL_DEFERRED 10
#define HOCKET_LOCAL_EMERGENCY 24
