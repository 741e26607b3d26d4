// AArch64: calls of a sketch's functions at EL0 out of an interrupt
// (arduino/cores/protected/kernel/contract.h, CallsSketches).
#pragma once

#include "ports/aarch64/core_local.h"
#include "ports/aarch64/layout.h"
#include "spare_timer.h"
#include "user_call.h"

extern "C" {
// switch.S
uint64_t hocket_call_user(uint64_t entry, uint64_t argument, uint64_t stack, uint64_t storage,
                          void** kernel_stack);
[[noreturn]] void hocket_end_user(uint64_t result, void* kernel_stack);
}

namespace hocket {

struct HandlerCall {
  using Around = aarch64::UserCall;
  using State = aarch64::Context;  // its floating-point registers

  /// (Kernels with such calls have no driver at the ordinary level, so its flag is free for this.)
  [[gnu::always_inline]] static bool runs() { return aarch64::core_local().handlers.in_ordinary; }
  /// No thread's floating-point registers are live.
  [[gnu::always_inline]] static bool ready() { return !aarch64::core_local().fp_live; }
  [[gnu::always_inline]] static bool in_kernel() {
    constexpr uint64_t kLevel = 0xf;  // of PSTATE.M: 0 is EL0
    return (aarch64::Level::interrupted_state() & kLevel) != 0;
  }
  [[gnu::always_inline]] static bool returned(uint64_t instruction) {
    return instruction == HOCKET_USER_RETURN;
  }

  /// From now on functions of the sketch have these floating-point registers.
  [[gnu::always_inline]] static void use(State& state) { aarch64::core_local().called = &state; }
  [[gnu::always_inline]] static void prepare() {
    aarch64::CoreLocal& local = aarch64::core_local();
    leave_floating_point(local, local.current);
  }
  [[gnu::always_inline]] static void begin() { aarch64::core_local().handlers.in_ordinary = true; }
  [[gnu::always_inline]] static uint64_t call(uint64_t entry, uint64_t argument, uint64_t stack,
                                              uint64_t storage, void** kernel_stack) {
    return hocket_call_user(entry, argument, stack, storage, kernel_stack);
  }
  [[noreturn, gnu::always_inline]] static void end(uint64_t result, void* kernel_stack) {
    hocket_end_user(result, kernel_stack);
  }
  [[gnu::always_inline]] static void done(State& state) {
    aarch64::CoreLocal& local = aarch64::core_local();
    leave_floating_point(local, &state);
    local.handlers.in_irq = true;  // an interrupt that came meanwhile has ended
    local.handlers.in_ordinary = false;
  }

 private:
  /// The next code that uses floating point traps, and gets its own values.
  static void leave_floating_point(aarch64::CoreLocal& local, aarch64::Context* owner) {
    if (!local.fp_live) return;
    local.fp_live = false;
    local.fp_owner = owner;
    aarch64::Level::floating_point(false);
  }
};

/// A timer that the kernel does not use: the peer's generator of edges has it.
using aarch64::SpareTimer;

}  // namespace hocket
