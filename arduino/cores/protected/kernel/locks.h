// The spinlocks that threads of the sketch claim to hold
// (arduino/cores/protected/sketch/lock_record.h).
//
// When another thread of its core is about to preempt a thread that claims a lock, the thread goes
// on above all loops, but no longer than admission has counted (runtime::spin_blocking). After that
// it is scheduled normally. Its claim is not accepted a second time before it has told the kernel
// that it holds no lock (given_back).
#pragma once

#include <stdint.h>

#include "arduino/cores/protected/kernel/shared_record.h"
#include "arduino/cores/protected/sketch/lock_record.h"
#include "kernel/base/types.h"

namespace hocket::locks {

/// The record of the thread with this storage.
inline edge::SharedRecord<sketch::LockRecord> record_at(uint64_t thread_pointer) {
  return edge::SharedRecord<sketch::LockRecord>(thread_pointer - sketch::kLockRecordBelow);
}

/// Reads the claim at `thread_pointer` of the loop `loop` (runtime::Loop), which runs on this core.
/// Returns true if it may go on. Masked.
HOCKET_ASIDE bool go_on(void* loop, uint64_t thread_pointer);

/// The same for a thread, with a fast path for no claim. (Inlined, because it runs at every
/// possible preemption.)
template <class Thread>
bool held_by(const Thread& thread) {
  const uint64_t storage = thread.context.thread_storage;  // 0 before the thread has started
  if (storage == 0 || record_at(storage).load(&sketch::LockRecord::held) == 0) [[likely]]
    return false;
  return go_on(thread.argument, storage);
}

/// The calling loop no longer holds a lock.
void given_back();

/// Releases the locks in the record of a thread that is about to be stopped: the calling loop, or a
/// direct handler. (A lock that it waits for belongs to its holder.)
void release(uint64_t thread_pointer);

/// The same for a direct handler, which has run alone on its core. If it was aborted while it
/// waited, its ticket is withdrawn if it is the last in line. Otherwise its place remains, and its
/// turn is passed on when it comes (pass_turns).
void release_of_direct(uint64_t thread_pointer);

/// Passes on the turns of such places that have come. Returns true if more are still to come. On
/// the core of direct handlers, masked.
bool pass_turns();

/// Whether a direct handler claims a lock, or has just drawn a ticket and not claimed the lock yet.
bool draws(uint64_t thread_pointer);

/// The longest time (ticks) that a thread has held a lock, by its own claim.
uint64_t longest(uint64_t thread_pointer);

/// The innermost lock that a thread claims to hold or to wait for; 0: none, or it has not started.
uint32_t said(uint64_t thread_pointer);

}  // namespace hocket::locks
