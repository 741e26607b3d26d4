// The way into a direct handler (direct.cpp), in line where an edge is called for at once.
#pragma once

#include "arduino/cores/aarch64/sketch/lock_record.h"
#include "arduino/runtime/pin_lines.h"
#include "board.h"
#include "ports/aarch64/core_local.h"
#include "user_call.h"

extern "C" {
uint64_t hocket_call_user(uint64_t entry, uint64_t argument, uint64_t stack, uint64_t storage,
                          void** kernel_stack);
}

namespace hocket::direct {

/// Nothing else is around a call (UserCall).
inline constexpr bool kCallsAtOnce = aarch64::UserCall::kIsNothing;

/// How often one is looked at again that may have drawn a ticket just now, and not said so yet:
/// where it is not alone, only that tells whose turn is whose.
inline constexpr unsigned kMostLooks = machine::Board::kCores == 1 ? 0 : 3;

/// Of the one that is in the middle: there is one at a time, on core 0.
struct Call {
  aarch64::Context context;      // its floating-point registers
  void* kernel_stack = nullptr;  // where the kernel goes on
  int64_t limit = 0;
  uint64_t storage = 0;  // its thread pointer
  unsigned looks = 0;    // how often it was let go on after its time
};
inline constinit Call call;

/// It has returned, or was ended: all is again as before. How it ended.
runtime::DirectEnd returned(runtime::DirectEnd ended);

/// No thread's floating-point registers are live.
template <class Port>
HOCKET_IN_LINE runtime::DirectEnd enter(uint64_t entry, uint64_t argument, uint64_t storage,
                                        int64_t limit) {
  aarch64::CoreLocal& local = aarch64::core_local();
  local.handlers.in_ordinary = true;
  call.storage = storage;
  if constexpr (kMostLooks > 0) call.looks = 0;
  call.limit = limit;
  Port::Controller::only_timer(true);
  Port::alarm_set(limit);
  const uint64_t stack = storage - sketch::kLockRecordBelow;
  return returned(static_cast<runtime::DirectEnd>(
      hocket_call_user(entry, argument, stack, storage, &call.kernel_stack)));
}

}  // namespace hocket::direct
