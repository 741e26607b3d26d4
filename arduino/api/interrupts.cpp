// attachInterrupt() and related functions on boards where loops call handlers. All handlers that
// are attached this way share one loop, which is in the program if this file is linked.
#include "hocket/InterruptVcpu.h"

namespace {
constexpr auto kReservation = hocket::defaults::kHandlers;
}

/// The default of HOCKET_INTERRUPT_LOOP().
extern "C" [[gnu::weak]] constinit const hocket::LoopDescriptor hocket_interrupt_loop =
    hocket::services::describe_handler("attachInterrupt()", 0, hocket::defaults::kHandlersId,
                                       kReservation.budget, kReservation.period);
[[gnu::used,
  gnu::section("hocket_loops")]] static constexpr const hocket::LoopDescriptor* the_entry =
    &hocket_interrupt_loop;

extern "C" {

void attachInterruptParam(int interrupt, voidFuncPtrParam handler, int mode, void* parameter) {
  static_cast<void>(hocket::sys::attach_pin(
      {static_cast<unsigned>(interrupt), mode, {handler, parameter}, &hocket_interrupt_loop}));
}

void attachInterrupt(int interrupt, voidFuncPtr handler, int mode) {
  static_cast<void>(
      hocket::sys::attach_pin({static_cast<unsigned>(interrupt), mode,
                               hocket::services::plain_call(handler), &hocket_interrupt_loop}));
}

}  // extern "C"
