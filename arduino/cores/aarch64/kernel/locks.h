// The spinlocks that threads of the sketch say they hold
// (arduino/cores/aarch64/sketch/lock_record.h).
//
// A thread that says so when another one of its core is about to run instead goes on, above all
// loops, for no longer than admission has counted (runtime::spin_blocking); then it is a loop like
// the others again. What it says is not believed for longer, and no second time before it has told
// the kernel that it holds none (given_back).
#pragma once

#include <stdint.h>

#include "arduino/cores/aarch64/kernel/shared_record.h"
#include "arduino/cores/aarch64/sketch/lock_record.h"
#include "kernel/base/types.h"

namespace hocket::locks {

/// That of the thread whose storage lies there.
inline edge::SharedRecord<sketch::LockRecord> record_at(uint64_t thread_pointer) {
  return edge::SharedRecord<sketch::LockRecord>(thread_pointer - sketch::kLockRecordBelow);
}

/// What is said at `thread_pointer` by the loop `loop` (runtime::Loop) that runs on this core;
/// true: let it go on. Masked.
HOCKET_ASIDE bool go_on(void* loop, uint64_t thread_pointer);

/// The same for a thread, which mostly says nothing. (In line: asked whenever somebody may
/// preempt.)
template <class Thread>
bool held_by(const Thread& thread) {
  const uint64_t storage = thread.context.thread_storage;  // 0 before the thread is there
  if (storage == 0 || record_at(storage).load(&sketch::LockRecord::held) == 0) [[likely]]
    return false;
  return go_on(thread.argument, storage);
}

/// The calling loop holds no lock any more.
void given_back();

/// Gives back what the one holds whose record this is, and who is about to be stopped: the calling
/// loop, or a direct handler. (One that it waits for is its holder's.)
void release(uint64_t thread_pointer);

/// The same of a direct handler, the only one on its core since it began. One that has been ended
/// while it waited leaves the line where it is the last one in it. Where others have come behind
/// it, its place stays: its turn is passed on when it has come (pass_turns).
void release_of_direct(uint64_t thread_pointer);

/// Turns of such places that have come are passed on; true: others are still to come. On the direct
/// handlers' core, masked.
bool pass_turns();

/// A direct handler says that it has a lock, or has just drawn a ticket for one and has not said so
/// yet.
bool draws(uint64_t thread_pointer);

/// The longest that a thread has held a lock, in ticks, as it says itself.
uint64_t longest(uint64_t thread_pointer);

/// The innermost lock that a thread holds or waits for, as it says; 0: none, or it has not begun.
uint32_t said(uint64_t thread_pointer);

}  // namespace hocket::locks
