// The way into a direct handler (direct.cpp), inlined for edges that are called for at once.
#pragma once

#include "arduino/cores/protected/sketch/lock_record.h"
#include "arduino/runtime/pin_lines.h"
#include "board.h"
#include "handler_call.h"

namespace hocket::direct {

/// A call needs no other preparation.
inline constexpr bool kCallsAtOnce = HandlerCall::Around::kIsNothing;

/// How often to check again a handler that may just have drawn a ticket without having claimed the
/// lock. With several cores, only the claim tells whose turn is whose.
inline constexpr unsigned kMostLooks = machine::Board::kCores == 1 ? 0 : 3;

/// The call in progress: there is at most one, on core 0.
struct Call {
  HandlerCall::State state;
  void* kernel_stack = nullptr;  // where the kernel continues
  int64_t limit = 0;
  uint64_t storage = 0;  // the handler's thread pointer
  unsigned looks = 0;    // how often it was allowed to go on after its time
};
inline constinit Call call;

/// Restores the state after a call that has returned or was aborted. Returns how it ended.
runtime::DirectEnd returned(runtime::DirectEnd ended);

/// Saves live floating-point registers: after this no thread's are live.
template <class Port>
HOCKET_IN_LINE runtime::DirectEnd enter(uint64_t entry, uint64_t argument, uint64_t storage,
                                        int64_t limit) {
  HandlerCall::begin();
  call.storage = storage;
  if constexpr (kMostLooks > 0) call.looks = 0;
  call.limit = limit;
  Port::Controller::only_timer(true);
  Port::alarm_set(limit);
  const uint64_t stack = storage - sketch::kLockRecordBelow;
  return returned(static_cast<runtime::DirectEnd>(
      HandlerCall::call(entry, argument, stack, storage, &call.kernel_stack)));
}

}  // namespace hocket::direct
