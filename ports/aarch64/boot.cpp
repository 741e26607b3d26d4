// Each core's own data (see boot.h).
#include "ports/aarch64/boot.h"

extern "C" {
using Constructor = void (*)();
extern const Constructor hocket_constructors_begin[];  // kernel.ld
extern const Constructor hocket_constructors_end[];
}

namespace hocket::aarch64 {
namespace {

constexpr unsigned kMostCores = 8;  // as many boot stacks as kernel.ld has
constexpr size_t kEmergencyStack = 2048;

CoreLocal locals[kMostCores];
alignas(16) unsigned char emergency_stacks[kMostCores][kEmergencyStack];

}  // namespace

void init_core(CoreId core) {
  CoreLocal& local = locals[core];
  local.core = core;
  local.emergency_stack = emergency_stacks[core] + kEmergencyStack;
  // Registers that a reset leaves as they are and that could give EL0 more: PMUSERENR_EL0 (counters
  // of the processor), MDSCR_EL1.TDCC (the debugger's mailbox traps), TPIDRRO_EL0.
  constexpr uint64_t kVirtualCounter = 2;
  constexpr uint64_t kNoMailbox = 1 << 12;
  asm volatile(
      "msr tpidr_el1, %0\n msr cntkctl_el1, %1\n msr mdscr_el1, %2\n"
      "msr pmuserenr_el0, xzr\n msr tpidrro_el0, xzr\n isb" ::"r"(&local),
      "r"(kVirtualCounter), "r"(kNoMailbox)
      : "memory");
}

void construct_globals() {
  for (const Constructor* next = hocket_constructors_begin; next != hocket_constructors_end;
       ++next) {
    (*next)();
  }
}

}  // namespace hocket::aarch64
