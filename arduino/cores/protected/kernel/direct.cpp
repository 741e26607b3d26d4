// Direct handlers: functions of the sketch that the kernel calls in an interrupt, at user level.
//
//   edge ─▶ top half ─▶ the sketch, on a stack of their own ─▶ returns to where nothing is mapped ─▶ goes on
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

namespace hocket {
namespace {

using Port = Board::Port;
using runtime::DirectEnd;

/// Ticks until a handler that was in the middle of a call is checked again.
constexpr Port::Ticks kLookAgain = 1'000;

static_assert(protection::CallsSketches<HandlerCall>);

[[noreturn]] void end(DirectEnd how) {
  HandlerCall::end(static_cast<uint64_t>(how), direct::call.kernel_stack);
}

}  // namespace

/// The thread-local variables of a sketch's direct handlers.
uint64_t PeerPins::storage_of_direct(runtime::Sketch& sketch) {
  HandlerCall::use(direct::call.state);
  return static_cast<const Domain&>(sketch.program()).storage_of(sketch.direct_stack());
}

DirectEnd PeerPins::call_direct(runtime::Sketch& sketch, unsigned, const sys::PinCall& call,
                                int64_t length) {
  const HandlerCall::Around around(static_cast<const Domain&>(sketch.program()));
  HandlerCall::prepare();
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
  HandlerCall::done(call.state);
  Port::Controller::only_timer(false);
  System::rearm(System::InHandler::here());
  return ended;
}

void direct::on_timer() {
  if (Port::now() < call.limit) return Port::alarm_set(call.limit);
  if (HandlerCall::in_kernel()) return Port::alarm_set(Port::now() + kLookAgain);
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
  if (HandlerCall::returned(instruction)) end(DirectEnd::Returned);
}

void direct::end_faulted() {
  end(DirectEnd::Faulted);
}

}  // namespace hocket
