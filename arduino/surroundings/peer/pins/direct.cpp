// Direct handlers: functions of the sketch that the kernel calls in an interrupt, at EL0.
//
//   edge ─▶ top half ─▶ EL0, on a stack of their own ─▶ returns to where nothing is mapped ─▶ goes on
//                        │ what it declared is over: the timer          │
//                        └ a fault, or a call that it must not make ────┴▶ detached
//
// Nothing else runs on the core meanwhile. The only enabled interrupt is the timer's, set for the
// end of the declared length. If that comes during a system call of the handler, the handler is
// aborted when the call has returned.
#include "arduino/cores/protected/kernel/domain.h"
#include "arduino/cores/protected/kernel/faults.h"
#include "arduino/cores/protected/kernel/locks.h"
#include "board_kernel.h"
#include "board_pins.h"
#include "ports/aarch64/port.h"

extern "C" [[noreturn]] void hocket_end_user(uint64_t result, void* kernel_stack);

namespace hocket {
namespace {

using Port = Board::Port;
using aarch64::CoreLocal;
using runtime::DirectEnd;

/// Ticks until a handler that was in the middle of a call is checked again.
constexpr Port::Ticks kLookAgain = 1'000;
/// The next code that uses floating point traps, and gets its own values.
void leave_floating_point(CoreLocal& local, aarch64::Context* owner) {
  if (!local.fp_live) return;
  local.fp_live = false;
  local.fp_owner = owner;
  aarch64::Level::floating_point(false);
}

[[noreturn]] void end(DirectEnd how) {
  hocket_end_user(static_cast<uint64_t>(how), direct::call.kernel_stack);
}

}  // namespace

/// The thread-local variables of a sketch's direct handlers.
uint64_t PeerPins::storage_of_direct(runtime::Sketch& sketch) {
  aarch64::core_local().called = &direct::call.context;
  return static_cast<const Domain&>(sketch.program()).storage_of(sketch.direct_stack());
}

DirectEnd PeerPins::call_direct(runtime::Sketch& sketch, unsigned, const sys::PinCall& call,
                                int64_t length) {
  const aarch64::UserCall around(static_cast<const Domain&>(sketch.program()));
  CoreLocal& local = aarch64::core_local();
  leave_floating_point(local, local.current);
  static const runtime::Sketch* known;
  static uint64_t storage;
  if (known != &sketch) [[unlikely]] {
    storage = storage_of_direct(sketch);
    known = &sketch;
  }
  return direct::enter<Port>(reinterpret_cast<uint64_t>(call.handler),
                             reinterpret_cast<uint64_t>(call.parameter), storage,
                             Port::now() + length + kOthersTime);
}

DirectEnd direct::returned(DirectEnd ended) {
  if (ended == DirectEnd::Returned && locks::said(call.storage) != 0) [[unlikely]] {
    faults::tell_of_direct("returned with a spinlock that it had locked");
    ended = DirectEnd::Faulted;
  }
  if (ended != DirectEnd::Returned) locks::release_of_direct(call.storage);
  CoreLocal& local = aarch64::core_local();
  leave_floating_point(local, &call.context);
  local.handlers.in_irq = true;  // an interrupt that came meanwhile has ended
  local.handlers.in_ordinary = false;
  Port::Controller::only_timer(false);
  System::rearm(System::InHandler::here());
  return ended;
}

void direct::on_timer() {
  constexpr uint64_t kLevel = 0xf;  // of PSTATE.M: 0 is EL0
  if (Port::now() < call.limit) return Port::alarm_set(call.limit);
  if ((aarch64::Level::interrupted_state() & kLevel) != 0) {
    return Port::alarm_set(Port::now() + kLookAgain);
  }
  if (call.looks < direct::kMostLooks && locks::draws(call.storage)) {
    ++call.looks;
    return Port::alarm_set(Port::now() + kLookAgain);
  }
  end(DirectEnd::TooLong);
}

bool PeerPins::pass_turns() {
  return locks::pass_turns();
}

void direct::keep_limit() {
  Port::alarm_set(call.limit);
}

void direct::end_by_trap(uint64_t instruction) {
  if (instruction == HOCKET_USER_RETURN) end(DirectEnd::Returned);
}

void direct::end_faulted() {
  end(DirectEnd::Faulted);
}

}  // namespace hocket
