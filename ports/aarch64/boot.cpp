// Each core's own data (see boot.h).
#include "ports/aarch64/boot.h"

#include "exception_level.h"

extern "C" {
using Constructor = void (*)();
extern const Constructor hocket_constructors_begin[];  // kernel.ld
extern const Constructor hocket_constructors_end[];
}

namespace hocket::aarch64 {
namespace {

constexpr unsigned kMostCores = 8;  // the number of boot stacks in kernel.ld
constexpr size_t kEmergencyStack = 2048;

CoreLocal locals[kMostCores];
alignas(16) unsigned char emergency_stacks[kMostCores][kEmergencyStack];

}  // namespace

void init_core(CoreId core) {
  CoreLocal& local = locals[core];
  local.core = core;
  local.emergency_stack = emergency_stacks[core] + kEmergencyStack;
  Level::set_core_word(&local);
  Level::limit_sketch();
}

void construct_globals() {
  for (const Constructor* next = hocket_constructors_begin; next != hocket_constructors_end;
       ++next) {
    (*next)();
  }
}

}  // namespace hocket::aarch64
