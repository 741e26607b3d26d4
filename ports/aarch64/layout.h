// Numbers that assembler and C++ share. Only #defines, because assembler includes this file too.
#pragma once

#include "exception_level.h"  // HOCKET_KERNEL_OFFSET, HOCKET_FRAME_SIZE

// --- Boot stacks, one per core, which become the stacks of the idle threads ---

#define HOCKET_BOOT_STACK 0x4000  // the lowest page of each is never mapped

// --- Exception frame: what an interrupt or trap saves of the interrupted code (frame.inc) ---

#define HOCKET_FRAME_X18 144
#define HOCKET_FRAME_ELR 160
#define HOCKET_FRAME_SP0 176

// --- What a system call saves of the caller (calls.cpp): x16, x17, x30, ELR, SP_EL0 ---

#define HOCKET_CALL_SIZE 48
#define HOCKET_CALL_LINK 16
#define HOCKET_CALL_SP0 32
// Entries of the table of calls. Unused entries lead to hocket_no_such_call.
#define HOCKET_SYSTEM_CALL_ROOM 64

// --- A call from the kernel into a sketch (switch.S) ---

// The return address of such a function: never mapped, so returning traps into the kernel.
#define HOCKET_USER_RETURN 0x7ffffffff0

// --- CoreLocal (core_local.h) ---

#define HOCKET_LOCAL_IN_IRQ 8
#define HOCKET_LOCAL_DEFERRED 10
#define HOCKET_LOCAL_EMERGENCY 24
#define HOCKET_LOCAL_LINES 48
