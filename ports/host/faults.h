// Faults of simulated code: a bad access, a stack that ran over, a division by zero …
//
// The host's signals become a call of `hocket_fault`, masked, on an emergency stack of the core, so
// that the kernel can stop the thread that made it and go on with the others. A fault of the kernel
// or of the simulator itself ends the program with exit status 70: of what is masked, unless the
// system says that it has called the sketch there, and of what works beside a core (machine.h). The
// kernel works on the stacks of threads; where one of them ends, the system may give it a reserve.
//
// The signal handler runs outside of the machine: nothing that it calls may be instrumented.
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
  Signal = 7,      // sent by a program: nothing was accessed
  SystemCall = 8,  // one that the host refuses to this program
};

const char* fault_name(FaultKind kind);

/// Takes over the signals of faults for the rest of the program.
void install_fault_handlers();

/// Interrupts of the machine come between basic blocks: code that never begins another one
/// (`asm("1: jmp 1b")`) would keep it for ever. From here on such code is a fault, when it has used
/// several seconds of the host's processor and neither the block clock nor `hardware()` has
/// changed. Nothing else depends on that time. `hardware` must be safe in a signal handler.
void watch_for_endless(std::uint64_t (*hardware)());

/// A call of the host's system that a filter has stopped (seccomp(2), SECCOMP_RET_TRAP).
struct RefusedCall {
  long number;
  long arguments[6];
};
/// From here on such a call of the sketch is a fault of the kind SystemCall (refused_call()). One
/// of the simulator itself gets its result from `perform`; so does one of the sketch for which
/// `harmless` is true. Both must be safe in a signal handler.
void judge_refused_calls(long (*perform)(const RefusedCall&), bool (*harmless)(const RefusedCall&));

/// Of an address that a call returns to: itself, or where the program has called the library that
/// it lies in. The caller is below it on the stack.
std::uintptr_t caller_in_program(std::uintptr_t return_address);

/// The call of the last fault of the kind SystemCall.
const RefusedCall& refused_call();

}  // namespace hocket::host

/// Supplied by the system: stops the running thread, or the handler that it has called masked.
/// `address` is what was accessed, `code` where: in the program, also where a library was called.
extern "C" [[noreturn]] void hocket_fault(hocket::host::FaultKind kind, std::uintptr_t address,
                                          std::uintptr_t code);
/// Supplied by the system, not instrumented: whether `address` lies below the stack that
/// `stack_pointer` is on.
extern "C" bool hocket_in_stack_guard(std::uintptr_t address, std::uintptr_t stack_pointer);
/// Supplied by the system, not instrumented: simulated code has reached the end of a thread's stack
/// at `address`; it is the kernel when it is masked. True when it can go on there now.
extern "C" bool hocket_open_stack_reserve(std::uintptr_t address, bool masked);
/// Supplied by the system, not instrumented: masked, but what runs is the sketch's.
extern "C" bool hocket_calls_sketch_masked();
