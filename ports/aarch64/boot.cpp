// Each core's own data (see boot.h).
#include "ports/aarch64/boot.h"

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
  asm volatile("msr tpidr_el1, %0\n msr cntkctl_el1, %1\n isb" ::"r"(&local), "r"(uint64_t{2})
               : "memory");
}

}  // namespace hocket::aarch64
