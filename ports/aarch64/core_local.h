// Per-core data. The core's word points at it (exception_level.h).
#pragma once

#include "exception_level.h"
#include "kernel/base/types.h"
#include "ports/aarch64/layout.h"

namespace hocket::aarch64 {

/// Floating-point and SIMD registers. They are saved only when another thread uses them.
struct alignas(16) FpState {
  uint64_t registers[64];
  uint64_t fpcr;
  uint64_t fpsr;
};

/// A protection domain: what the lower half of the address space maps for the thread that runs in
/// it. Entries of other domains may stay in the TLB, because their numbers (ASID) differ.
struct Domain {
  uint64_t table = 0;  // table of the lower half; its number in the uppermost 16 bits; 0: none
};
constexpr Domain domain_of(uint64_t root, uint16_t number) {
  return {root | uint64_t{number} << 48};
}

/// A thread that is not running. Its other registers are on its stack.
struct Context {
  void* stack_pointer = nullptr;
  uint64_t thread_storage = 0;  // TPIDR_EL0: the sketch's thread-local storage
  Domain domain;                // (adjacent: both are loaded at once)
  FpState fp{};
};

struct alignas(64) CoreLocal {
  uint64_t core = 0;
  union {
    struct {
      bool in_irq;       // in a handler of the real-time level
      bool in_ordinary;  // in a handler of the ordinary level
    };
    uint16_t any = 0;
  } handlers;
  bool deferred = false;  // a switch of threads waits for the end of an ordinary section
  bool fp_live = false;   // floating-point instructions run; the registers are the running thread's
  Context* current = nullptr;       // the running thread's; null: the context that booted the core
  void* emergency_stack = nullptr;  // top of the stack for reports of defects
  Context* fp_owner = nullptr;      // whose values the registers hold while not live
  Domain domain;                    // the domain entered last
  const void* lines = nullptr;      // the handlers' table (lines.h), near what an entry reads
  Context* called = nullptr;        // of a sketch's function that a handler calls

  /// The context whose floating-point registers an instruction uses. (Kernels that call functions
  /// of a sketch have no ordinary handlers, so in_ordinary marks such a call.)
  Context* computing() const {
    return handlers.in_ordinary && called != nullptr ? called : current;
  }
};
static_assert(__builtin_offsetof(CoreLocal, handlers) == HOCKET_LOCAL_IN_IRQ);
static_assert(__builtin_offsetof(CoreLocal, deferred) == HOCKET_LOCAL_DEFERRED);
static_assert(__builtin_offsetof(CoreLocal, emergency_stack) == HOCKET_LOCAL_EMERGENCY);
static_assert(__builtin_offsetof(CoreLocal, lines) == HOCKET_LOCAL_LINES);

inline CoreLocal& core_local() {
  return *static_cast<CoreLocal*>(Level::core_word());
}

}  // namespace hocket::aarch64
