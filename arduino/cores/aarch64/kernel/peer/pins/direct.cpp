// Direct handlers: functions of the sketch that the kernel calls in an interrupt, protected.
//
//   edge ─▶ top half ─▶ EL0, on a stack of their own ─▶ returns to where nothing is mapped ─▶ goes on
//                        │ what it declared is over: the timer          │
//                        └ a fault, or a call that it must not make ────┴▶ detached
//
// Nobody else runs on the core meanwhile: of all interrupts only the timer's comes through, which
// is set for the end of the declared length. A handler that is in the middle of a call then is
// ended when that has returned.
#include "arduino/cores/aarch64/kernel/domain.h"
#include "arduino/cores/aarch64/kernel/faults.h"
#include "arduino/cores/aarch64/kernel/locks.h"
#include "arduino/cores/aarch64/sketch/lock_record.h"
#include "board_kernel.h"
#include "board_pins.h"
#include "ports/aarch64/port.h"
#include "user_call.h"

extern "C" {
uint64_t hocket_call_user(uint64_t entry, uint64_t argument, uint64_t stack, void** kernel_stack);
[[noreturn]] void hocket_end_user(uint64_t result, void* kernel_stack);
}

namespace hocket {
namespace {

using Port = Board::Port;
using aarch64::CoreLocal;
using runtime::DirectEnd;

// Of the one that is in the middle: there is one at a time, on core 0.
aarch64::Context context;  // its floating-point registers
void* kernel_stack;        // where the kernel goes on
uint64_t storage_of_it;    // its thread pointer
unsigned looks;            // how often it was let go on after its time
Port::Ticks limit;

/// Where the variables of a sketch's direct handlers lie: of the last one that had any, kept.
uint64_t storage_for(runtime::Sketch& sketch) {
  static const runtime::Sketch* known;
  static uint64_t storage;
  if (known != &sketch) [[unlikely]] {
    storage = static_cast<const Domain&>(sketch.program()).storage_of(sketch.direct_stack());
    known = &sketch;
  }
  return storage;
}

/// How long a call that is in the middle gets until it is looked at again.
constexpr Port::Ticks kLookAgain = 1'000;
/// How often one is looked at again that may have drawn a ticket just now, and not said so yet:
/// where it is not alone, only that tells whose turn is whose.
constexpr unsigned kMostLooks = Port::kCores == 1 ? 0 : 3;

/// The next one that computes with floating point traps, and finds its own values.
void leave_floating_point(CoreLocal& local, aarch64::Context* owner) {
  if (!local.fp_live) return;
  local.fp_live = false;
  local.fp_owner = owner;
  aarch64::Level::floating_point(false);
}

[[noreturn]] void end(DirectEnd how) {
  hocket_end_user(static_cast<uint64_t>(how), kernel_stack);
}

}  // namespace

DirectEnd PeerPins::call_direct(runtime::Sketch& sketch, unsigned, const sys::PinCall& call,
                                int64_t length) {
  const uint64_t storage = storage_for(sketch);
  const aarch64::UserCall around(static_cast<const Domain&>(sketch.program()));
  CoreLocal& local = aarch64::core_local();
  aarch64::Context* const interrupted = local.current;
  leave_floating_point(local, interrupted);
  local.current = &context;
  local.handlers.in_ordinary = true;
  uint64_t own_storage;
  asm volatile("mrs %0, tpidr_el0\n msr tpidr_el0, %1" : "=&r"(own_storage) : "r"(storage));
  Port::Controller::only_timer(true);
  if constexpr (kMostLooks > 0) {
    storage_of_it = storage;
    looks = 0;
  }
  limit = Port::now() + length + kOthersTime;
  Port::alarm_set(limit);
  const uint64_t result = hocket_call_user(reinterpret_cast<uint64_t>(call.handler),
                                           reinterpret_cast<uint64_t>(call.parameter),
                                           storage - sketch::kLockRecordBelow, &kernel_stack);
  asm volatile("msr tpidr_el0, %0" ::"r"(own_storage));
  auto ended = static_cast<DirectEnd>(result);
  if (ended == DirectEnd::Returned && locks::said(storage) != 0) [[unlikely]] {
    faults::tell_of_direct("returned with a spinlock that it had locked");
    ended = DirectEnd::Faulted;
  }
  if (ended != DirectEnd::Returned) locks::release_of_direct(storage);
  leave_floating_point(local, &context);
  local.current = interrupted;
  local.handlers.in_irq = true;  // an interrupt meanwhile has ended
  local.handlers.in_ordinary = false;
  Port::Controller::only_timer(false);
  System::rearm(System::InHandler::here());
  return ended;
}

void direct::on_timer() {
  constexpr uint64_t kLevel = 0xf;  // of PSTATE.M: 0 is EL0
  if (Port::now() < limit) return Port::alarm_set(limit);
  if ((aarch64::Level::interrupted_state() & kLevel) != 0) {
    return Port::alarm_set(Port::now() + kLookAgain);
  }
  if (looks < kMostLooks && locks::draws(storage_of_it)) {
    ++looks;
    return Port::alarm_set(Port::now() + kLookAgain);
  }
  end(DirectEnd::TooLong);
}

bool PeerPins::pass_turns() {
  return locks::pass_turns();
}

void direct::keep_limit() {
  Port::alarm_set(limit);
}

void direct::end_by_trap(uint64_t instruction) {
  if (instruction == HOCKET_USER_RETURN) end(DirectEnd::Returned);
}

void direct::end_faulted() {
  end(DirectEnd::Faulted);
}

}  // namespace hocket
