// Faults of simulated code: a bad access, a stack overflow, a division by zero, and so on.
//
// A signal of the host becomes a call of `hocket_fault`, masked, on an emergency stack of the core,
// so that the kernel can stop the faulting thread and continue with the others. A fault of the
// kernel or of the simulator itself ends the program with exit status 70. That means any fault in
// masked code, unless the system says that it has called the sketch there, and any fault of code
// that works beside a core (machine.h). The kernel works on the stacks of threads; at the end of
// one, the system may give it a reserve.
//
// The signal handler runs outside of the machine: it must call nothing that is instrumented.
#pragma once

#include <cstdint>

namespace hocket::host {

enum class FaultKind : std::uint32_t {
  BadAccess = 1,
  StackOverflow = 2,
  Arithmetic = 3,
  BadInstruction = 4,
  Abort = 5,
  Endless = 6,
  Signal = 7,      // sent by a program; no access was involved
  SystemCall = 8,  // a system call that is refused to this program
};

const char* fault_name(FaultKind kind);

/// Installs handlers for the signals of faults, for the rest of the program.
void install_fault_handlers();

/// Interrupts of the machine come between basic blocks, so code that never begins another block
/// (`asm("1: jmp 1b")`) would keep it for ever. From here on such code is a fault: it has used
/// several seconds of the host's processor while neither the block clock nor `hardware()` has
/// changed. Nothing else depends on that time. `hardware` must be safe in a signal handler.
void watch_for_endless(std::uint64_t (*hardware)());

/// A system call that a filter of the host has stopped (seccomp(2), SECCOMP_RET_TRAP).
struct RefusedCall {
  long number;
  long arguments[6];
};
/// From here on such a call by the sketch is a fault of the kind SystemCall (refused_call()). A
/// call by the simulator itself gets its result from `perform`, as does a call by the sketch for
/// which `harmless` is true. Both functions must be safe in a signal handler.
void judge_refused_calls(long (*perform)(const RefusedCall&), bool (*harmless)(const RefusedCall&));

/// For a return address: the address itself if it is in the program, or else where the program
/// called the library in which it lies. The caller must be below it on the stack.
std::uintptr_t caller_in_program(std::uintptr_t return_address);

/// The call of the last fault of the kind SystemCall.
const RefusedCall& refused_call();

}  // namespace hocket::host

/// Supplied by the system: stops the running thread, or the handler that it has called masked.
/// `address` is what was accessed. `code` is where in the program; for a fault in a library, where
/// it was called.
extern "C" [[noreturn]] void hocket_fault(hocket::host::FaultKind kind, std::uintptr_t address,
                                          std::uintptr_t code);
/// Supplied by the system, not instrumented: whether `address` lies below the stack that contains
/// `stack_pointer`.
extern "C" bool hocket_in_stack_guard(std::uintptr_t address, std::uintptr_t stack_pointer);
/// Supplied by the system, not instrumented: simulated code has reached the end of a thread's stack
/// at `address`. If `masked`, that code is the kernel. Returns true if it can continue there now.
extern "C" bool hocket_open_stack_reserve(std::uintptr_t address, bool masked);
/// Supplied by the system, not instrumented: whether masked code belongs to the sketch.
extern "C" bool hocket_calls_sketch_masked();
