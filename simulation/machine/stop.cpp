// What happens on the simulated board when a loop faults.
#include "arduino/runtime/interrupts.h"
#include "arduino/runtime/sketches.h"
#include "kernel/task/doors.h"
#include "ports/host/faults.h"
#include "simulation/machine/attempts.h"
#include "simulation/machine/program.h"

namespace hocket {
namespace {

using runtime::Loop;

constexpr uint32_t kFaultBySystem = 100;  // in the event log: a call that the host refused

/// The direct handler in progress, on core 0 only. (Not `handler`: a fault may come as soon as it
/// begins and as late as its end.)
struct DirectCall {
  bool runs = false;
  unsigned pin = 0;
  void* point[5] = {};  // for __builtin_setjmp()
} direct_call;

/// Ends the direct handler.
void end_direct_handler(sim::FaultRecord fault) {
  direct_call.runs = false;
  fault.loop = -1;
  fault.pin = direct_call.pin;
  sim::record_fault(fault);
  if (sim::fault_policy() == OnFault::StopSketch) {
    host::Machine::instance().stop(host::StopReason::Fault);
  }
  runtime::release_locks_of_direct_handler();
}

/// Leaves the direct handler; call_direct() continues.
[[noreturn]] void leave_direct_handler(const sim::FaultRecord& fault) {
  end_direct_handler(fault);
  __builtin_longjmp(direct_call.point, 1);
}

/// Records that the running thread stops for good. The others keep their guarantees, unless the
/// sketch wants to stop as a whole. The run ends when no loop is left. Returns null if it ends now.
Loop* note_stop(sim::FaultRecord fault) {
  if (hocket_calls_sketch_masked()) leave_direct_handler(fault);
  Loop* const loop = runtime::current_loop();
  fault.loop = loop == nullptr ? -1 : static_cast<int>(loop->descriptor->id);
  const unsigned stopped = sim::record_fault(fault);
  // A fault in setup() ends the run, because the loops have not been started.
  const bool whole_sketch = sim::fault_policy() == OnFault::StopSketch;
  if (loop != nullptr && !whole_sketch && stopped < runtime::sketches().own_loop_count()) {
    return loop;
  }
  host::Machine::instance().stop(host::StopReason::Fault);
  return nullptr;
}

/// On the thread's own stack, unmasked. Wakes the threads that waited for what its loop held, one
/// after the other, on its own budget, as if it had released that itself.
[[noreturn]] void stop_thread(Loop* loop, uint32_t code) {
  if (loop != nullptr) {
    runtime::release_locks(*loop);
    runtime::interrupts::loop_stops(*loop);
  }
  System::stop_self(code);
}

/// For each core: the last fault that was handled on its emergency stack.
struct Stopping {
  Loop* loop;
  uint32_t code;
} stopping[System::Processor::kCores];

/// The first function on the thread's own stack again.
void leave_emergency_stack(void* argument) {
  const Stopping of = *static_cast<const Stopping*>(argument);
  System::Processor::irq_enable();
  stop_thread(of.loop, of.code);
}

/// Masked, on the core's emergency stack, where the thread cannot be preempted. Continues at the
/// top of the thread's own stack, whose content is not needed any more.
[[noreturn]] void stop_on_own_stack(Loop& loop, uint32_t code) {
  Stopping& of = stopping[System::Processor::core_id()];
  of = {.loop = &loop, .code = code};
  host::Context& context = loop.thread.context;
  host::context_init(context, const_cast<void*>(context.stack_base), context.stack_size,
                     &leave_emergency_stack, &of);
  host::Context left;
  host::Machine::instance().switch_context(left, context);
  __builtin_unreachable();
}

}  // namespace

namespace sys {

void fault(const char* text, const void* where) {
  std::optional<std::uint64_t> code;
  // A return address is just after the call.
  if (where != nullptr) code = reinterpret_cast<std::uintptr_t>(where) - 1;
  Loop* const loop =
      note_stop({.loop = 0, .kind = "call", .address = {}, .code = code, .text = text});
  stop_thread(loop, kFaultBySystem);
}

}  // namespace sys
}  // namespace hocket

// A separate function, so that the registers saved at the point are complete.
[[gnu::noinline]] hocket::runtime::DirectEnd hocket::SimPins::call_direct(
    runtime::Sketch&, unsigned pin, const sys::PinCall& handler, int64_t) {
  DirectCall& call = direct_call;
  call.pin = pin;
  if (__builtin_setjmp(call.point) != 0) return runtime::DirectEnd::Faulted;
  call.runs = true;
  handler.handler(handler.parameter);
  if (runtime::direct_handler_holds_locks()) {
    end_direct_handler({.loop = -1,
                        .kind = "call",
                        .address = {},
                        .code = {},
                        .text = "returned with a spinlock that it had locked"});
    return runtime::DirectEnd::Faulted;
  }
  call.runs = false;
  return runtime::DirectEnd::Returned;
}

bool hocket_calls_sketch_masked() {
  return hocket::direct_call.runs && hocket::host::Machine::instance().core_id() == 0;
}

namespace {

const char* words_of(hocket::host::FaultKind kind) {
  using hocket::host::FaultKind;
  switch (kind) {
    case FaultKind::Endless:
      return "computes without end where nothing can interrupt it";
    case FaultKind::Signal:
      return "sent itself a signal of the host";
    case FaultKind::SystemCall:
      return hocket::sim::words_of_attempt(hocket::host::refused_call());
    default:
      return "";
  }
}

}  // namespace

void hocket_fault(hocket::host::FaultKind kind, std::uintptr_t address, std::uintptr_t code) {
  using hocket::host::FaultKind;
  const bool access = kind == FaultKind::BadAccess || kind == FaultKind::StackOverflow;
  const auto number = static_cast<uint32_t>(kind);
  hocket::runtime::Loop* const loop =
      hocket::note_stop({.loop = 0,
                         .kind = hocket::host::fault_name(kind),
                         .address = access ? std::optional<std::uint64_t>(address) : std::nullopt,
                         .code = code,
                         .text = words_of(kind)});
  if (loop == nullptr) hocket::stop_thread(loop, number);
  hocket::stop_on_own_stack(*loop, number);
}

// exit(), raise() and similar functions of a sketch (simulation/machine/CMakeLists.txt wraps them):
// a board has nothing to return to and no process to signal.
extern "C" {
[[noreturn]] void __wrap_exit(int) {
  hocket::sys::fault("called exit()", __builtin_return_address(0));
}
[[noreturn]] void __wrap__exit(int) {
  hocket::sys::fault("called _exit()", __builtin_return_address(0));
}
[[noreturn]] void __wrap__Exit(int) {
  hocket::sys::fault("called _Exit()", __builtin_return_address(0));
}
[[noreturn]] void __wrap_quick_exit(int) {
  hocket::sys::fault("called quick_exit()", __builtin_return_address(0));
}
[[noreturn]] void __wrap_raise(int) {
  hocket::sys::fault("called raise()", __builtin_return_address(0));
}
[[noreturn]] void __wrap_kill(int, int) {
  hocket::sys::fault("called kill()", __builtin_return_address(0));
}
[[noreturn]] void __wrap_pthread_kill(unsigned long, int) {
  hocket::sys::fault("called pthread_kill()", __builtin_return_address(0));
}
}

namespace {
[[noreturn]] void refuse(const char* text, void* where) {
  const auto code = hocket::host::caller_in_program(reinterpret_cast<std::uintptr_t>(where));
  hocket::sys::fault(text, reinterpret_cast<void*>(code));
}
}  // namespace

// Functions that start a process or a thread of the host block all signals, so the host would end
// the whole program for the attempt (simulation/confined/calls.h). They are refused here, even if a
// library calls them. Weak, because a sketch may define functions with these names.
#define HOCKET_REFUSE(function, what)                                                          \
  extern "C" [[noreturn, gnu::weak]] void refuse_##function() asm(#function);                  \
  void refuse_##function() {                                                                   \
    refuse("tried to " what " of this computer (" #function ")", __builtin_return_address(0)); \
  }
HOCKET_REFUSE(system, "start a program")
HOCKET_REFUSE(popen, "start a program")
HOCKET_REFUSE(posix_spawn, "start a program")
HOCKET_REFUSE(posix_spawnp, "start a program")
HOCKET_REFUSE(pthread_create, "begin a thread")
#undef HOCKET_REFUSE

HOCKET_DOORS(hocket::System)
