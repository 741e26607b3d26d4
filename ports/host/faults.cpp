// Faults of simulated code (see faults.h).
#include "ports/host/faults.h"

#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "ports/host/machine.h"

namespace hocket::host {
namespace {

struct PendingFault {
  FaultKind kind;
  std::uintptr_t address;
  std::uintptr_t code;
};
PendingFault pending;

RefusedCall refused{};
long (*perform_call)(const RefusedCall&) = nullptr;
bool (*is_harmless)(const RefusedCall&) = nullptr;

// How often the host tests for progress, in seconds of its processor, and how many failed tests
// make a fault.
constexpr int kLookEvery = 1;
constexpr unsigned kPatience = 5;
std::uint64_t (*hardware_progress)() = nullptr;
std::uint64_t seen[2];
unsigned looked_in_vain = 0;

constexpr std::size_t kSignalStackBytes = 64 * 1024;
alignas(16) char signal_stack[kSignalStackBytes];

/// Runs on the core's emergency stack, outside of signal context.
[[noreturn]] void deliver() {
  Machine::instance().set_masked(true);
  hocket_fault(pending.kind, pending.address, pending.code);
}

#if defined(__x86_64__)
std::uintptr_t program_counter(const ucontext_t& u) {
  return static_cast<std::uintptr_t>(u.uc_mcontext.gregs[REG_RIP]);
}
std::uintptr_t stack_pointer(const ucontext_t& u) {
  return static_cast<std::uintptr_t>(u.uc_mcontext.gregs[REG_RSP]);
}
// Registers of a system call: syscall(2), "Architecture calling conventions".
RefusedCall call_in(const ucontext_t& u, int number) {
  const auto& r = u.uc_mcontext.gregs;
  return {number, {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]}};
}
void set_result(ucontext_t& u, long result) {
  u.uc_mcontext.gregs[REG_RAX] = result;
}
void go_on_at(ucontext_t& u, void (*function)(), void* stack_top) {
  // SAFETY: System V AMD64 ABI, section 3.2.2: at a function's entry the stack pointer is 8 below a
  // multiple of 16, as if a return address had been pushed.
  const auto top = (reinterpret_cast<std::uintptr_t>(stack_top) & ~std::uintptr_t{15}) - 8;
  u.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(top);
  u.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
}
#elif defined(__aarch64__)
std::uintptr_t program_counter(const ucontext_t& u) {
  return u.uc_mcontext.pc;
}
std::uintptr_t stack_pointer(const ucontext_t& u) {
  return u.uc_mcontext.sp;
}
RefusedCall call_in(const ucontext_t& u, int number) {
  const auto& r = u.uc_mcontext.regs;
  const auto word = [&](int i) { return static_cast<long>(r[i]); };
  return {number, {word(0), word(1), word(2), word(3), word(4), word(5)}};
}
void set_result(ucontext_t& u, long result) {
  u.uc_mcontext.regs[0] = static_cast<unsigned long long>(result);
}
void go_on_at(ucontext_t& u, void (*function)(), void* stack_top) {
  u.uc_mcontext.sp = reinterpret_cast<std::uintptr_t>(stack_top) & ~std::uintptr_t{15};
  u.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(function);
}
#endif

FaultKind kind_of(int signal, bool sent, std::uintptr_t address, std::uintptr_t stack) {
  if (sent && signal != SIGABRT && signal != SIGVTALRM) return FaultKind::Signal;
  switch (signal) {
    case SIGFPE:
      return FaultKind::Arithmetic;
    case SIGILL:
    case SIGTRAP:
      return FaultKind::BadInstruction;
    case SIGABRT:
      return FaultKind::Abort;
    case SIGVTALRM:
      return FaultKind::Endless;
    case SIGSYS:
      return FaultKind::SystemCall;
    default:
      return hocket_in_stack_guard(address, stack) ||
                     Machine::instance().in_guard_of_first_stack(address)
                 ? FaultKind::StackOverflow
                 : FaultKind::BadAccess;
  }
}

/// Finds where the program called the library in which the fault lies.
struct Search {
  std::uintptr_t fault;
  bool below;  // the frames are those of the faulting code, no longer the handler's
  std::uintptr_t found;
};

extern "C" const char __executable_start;
extern "C" const char etext;
bool in_program(std::uintptr_t code) {
  return code >= reinterpret_cast<std::uintptr_t>(&__executable_start) &&
         code < reinterpret_cast<std::uintptr_t>(&etext);
}

_Unwind_Reason_Code look_at(_Unwind_Context* frame, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const std::uintptr_t code = _Unwind_GetIP(frame);
  search.below = search.below || code == search.fault;
  if (!search.below || !in_program(code)) return _URC_NO_REASON;
  search.found = code - 1;  // a return address is just behind its call
  return _URC_END_OF_STACK;
}

/// The place in the program. A library ends itself only inside calls with sound frames, which can
/// be unwound.
std::uintptr_t place_in_program(std::uintptr_t fault) {
  if (in_program(fault)) return fault;
  Search search{fault, false, fault};
  _Unwind_Backtrace(&look_at, &search);
  return search.found;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  auto& u = *static_cast<ucontext_t*>(context);
  const std::uintptr_t at = program_counter(u);
  const bool asked = signal == SIGABRT || signal == SIGSYS;
  const std::uintptr_t code = asked ? place_in_program(at) : at;
  const bool sent = info->si_code <= 0;  // sent by kill() or similar, not by the processor
  const auto address = (signal == SIGSEGV || signal == SIGBUS) && !sent
                           ? reinterpret_cast<std::uintptr_t>(info->si_addr)
                           : std::uintptr_t{0};
  const bool simulated = Machine::exists() && Machine::instance().running();
  const bool masked = simulated && Machine::instance().masked();
  if (simulated && hocket_open_stack_reserve(address, masked)) return;
  const bool beside = simulated && Machine::instance().is_beside();
  if (!simulated || beside || (masked && !hocket_calls_sketch_masked())) {
    std::fprintf(stderr, "hocket: defect of the simulator: signal %d at %#lx, address %#lx\n",
                 signal, static_cast<unsigned long>(code), static_cast<unsigned long>(address));
    end_as_defect();
  }
  pending = {kind_of(signal, sent, address, stack_pointer(u)), address, code};
  go_on_at(u, &deliver, Machine::instance().emergency_stack_top());
}

/// Whether the running code is the sketch's and not the simulator's.
bool sketch_runs() {
  if (!Machine::exists() || !Machine::instance().running()) return false;
  const Machine& machine = Machine::instance();
  return !machine.is_beside() && (!machine.masked() || hocket_calls_sketch_masked());
}

void on_refused_call(int signal, siginfo_t* info, void* context) {
  auto& u = *static_cast<ucontext_t*>(context);
  const RefusedCall call = call_in(u, info->si_syscall);
  if (!sketch_runs() || is_harmless(call)) {
    set_result(u, perform_call(call));
    return;
  }
  refused = call;
  on_signal(signal, info, context);
}

void on_watch(int signal, siginfo_t* info, void* context) {
  const bool simulated = Machine::exists() && Machine::instance().running();
  const std::uint64_t now[] = {Machine::exists() ? Machine::instance().now() : 0,
                               hardware_progress()};
  const bool progress = !simulated || now[0] != seen[0] || now[1] != seen[1];
  seen[0] = now[0];
  seen[1] = now[1];
  looked_in_vain = progress ? 0 : looked_in_vain + 1;
  if (looked_in_vain < kPatience) return;
  looked_in_vain = 0;
  on_signal(signal, info, context);
}

void take(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

const char* fault_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::BadAccess:
      return "bad access";
    case FaultKind::StackOverflow:
      return "stack overflow";
    case FaultKind::Arithmetic:
      return "arithmetic";
    case FaultKind::BadInstruction:
      return "bad instruction";
    case FaultKind::Abort:
      return "abort";
    case FaultKind::Endless:
      return "endless";
    case FaultKind::Signal:
      return "signal";
    case FaultKind::SystemCall:
      return "system call";
  }
  return "fault";
}

void install_fault_handlers() {
  stack_t stack{};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) {
    take(signal, &on_signal, 0);
  }
}

void watch_for_endless(std::uint64_t (*hardware)()) {
  hardware_progress = hardware;
  take(SIGVTALRM, &on_watch, SA_RESTART);
  const itimerval often{{kLookEvery, 0}, {kLookEvery, 0}};
  setitimer(ITIMER_VIRTUAL, &often, nullptr);
}

void judge_refused_calls(long (*perform)(const RefusedCall&),
                         bool (*harmless)(const RefusedCall&)) {
  perform_call = perform;
  is_harmless = harmless;
  take(SIGSYS, &on_refused_call, 0);
}

std::uintptr_t caller_in_program(std::uintptr_t return_address) {
  return place_in_program(return_address);
}

const RefusedCall& refused_call() {
  return refused;
}

}  // namespace hocket::host
