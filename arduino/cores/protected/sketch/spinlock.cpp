// Spinlocks of a sketch: the slow path (board_spinlock.h, lock_record.h).
#include "arduino/cores/protected/sketch/lock_record.h"
#include "arduino/cores/protected/sketch/system.h"
#include "arduino/runtime/system.h"
#include "board_spinlock.h"
#include "kernel/task/ticket_lock.h"
#include "user_level.h"

namespace hocket {
namespace sketch {
namespace {

namespace spinlock = runtime::spinlock;

/// The calling thread's record. Volatile: the kernel may read and write it at any instruction.
volatile LockRecord& record() {
  return *reinterpret_cast<volatile LockRecord*>(static_cast<char*>(__builtin_thread_pointer()) -
                                                 kLockRecordBelow);
}

uint32_t address(const uint32_t* lock) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(lock));
}

static_assert(offsetof(LockRecord, since) == kLockRecordBelow + 8);
static_assert(offsetof(LockRecord, longest) == kLockRecordBelow - 8);

}  // namespace

/// The caller already holds a lock. A lock is identified by 32 bits of its address; another address
/// faults when the ticket is drawn.
[[gnu::noinline]] void spin_lock_nested(uint32_t* lock) {
  volatile LockRecord& own = record();
  const uint64_t count = own.outer_count;
  bool held = (own.held & ~LockRecord::kInner) == address(lock);
  for (uint64_t i = 0; i < count && i < LockRecord::kMostHeld - 1; ++i) {
    held = held || own.outer[i].word == address(lock);
  }
  if (held) sys::fault(spinlock::kTwice, __builtin_return_address(0));
  if (count >= LockRecord::kMostHeld - 1) {
    sys::fault(spinlock::kTooMany, __builtin_return_address(0));
  }
  own.outer[count].word = own.held;
  own.outer[count].since = own.since;
  own.outer_count = count + 1;
  own.held = address(lock) | LockRecord::kInner;
  spin_lock_wait(lock,
                 hocket::detail::lock_word_add(*lock, hocket::detail::kOneTicket, order::acquire));
}

/// The caller has drawn a ticket when the word was `before`. The mark is linked to this function's
/// section (SHF_LINK_ORDER, "o"): it is in the image exactly if linked code takes locks, and then
/// the header says so (kUsesSpinlocks).
[[gnu::noinline]] void spin_lock_wait(uint32_t* lock, uint32_t before) {
  asm volatile(
      ".pushsection hocket_spinlocks, \"ao\", @progbits, _ZN6hocket6sketch14spin_lock_waitEPjj\n\t"
      ".byte 1\n\t"
      ".popsection");
  const uint16_t ticket = hocket::detail::next_ticket(before);
  record().since = LockRecord::kWaits | ticket;
  while (hocket::detail::now_serving(atomic_load(*lock, order::acquire)) != ticket) {
    relax();
  }
  record().since = counter();
}

[[gnu::noinline]] void spin_unlock_slowly(uint32_t* lock) {
  volatile LockRecord& own = record();
  if ((own.held & ~LockRecord::kInner) != address(lock) || lock == nullptr) {
    sys::fault(spinlock::kNotHeld, __builtin_return_address(0));
  }
  const uint64_t hold = counter() - own.since;
  if (hold > own.longest) own.longest = hold;
  ticket_unlock(*lock);
  const uint64_t count = own.outer_count;
  if (count == 0 || count > LockRecord::kMostHeld - 1) return spin_lock_is_free();
  own.since = own.outer[count - 1].since;
  own.held = static_cast<uint32_t>(own.outer[count - 1].word);
  own.outer_count = count - 1;
}

/// The caller has released its last lock and must still withdraw its claim.
[[gnu::noinline]] void spin_lock_is_free() {
  volatile LockRecord& own = record();
  own.held = 0;  // from here on the kernel does not write the record
  if (own.raised == 0) return;
  own.raised = 0;
  sys::lock_given_back();
}

}  // namespace sketch

namespace sys {

void spin_lock(uint32_t* lock) {
  sketch::spin_lock(lock);
}
void spin_unlock(uint32_t* lock) {
  sketch::spin_unlock(lock);
}

}  // namespace sys
}  // namespace hocket
