// A sketch at run time: its loops are collected, admitted as a whole, and started after setup().
//
//   load()   the table of loops that the image carries, and the plain loop()
//   admit()  places them on cores and proves that each keeps its guarantee, or says why not
//   boot()   on each core: the kernel starts; core 0 runs setup(), best-effort, then all loops are
//            released at the same instant (the critical instant: later releases only get easier)
#pragma once

#include "arduino/runtime/admission.h"
#include "board_kernel.h"

namespace hocket::runtime {

using Ticks = Board::Port::Ticks;

/// A loop of the sketch as it runs.
struct Loop {
  const LoopDescriptor* descriptor = nullptr;
  const LoopDescriptor* declared = nullptr;  // the table's entry
  System::Vcpu vcpu;
  System::Thread thread;
  port::Stack stack{};
  unsigned rank = 0;  // its priority on its core, 0 first
  Ticks response_bound = 0;
  uint64_t iterations = 0;
  System::Instant iteration_logged;
  // Of a periodic loop, whose response is that of one call of its body:
  System::Instant release;   // of the present call, or of the one that it waits for
  uint64_t calls_ended = 0;  // releases whose call has ended, and those that overruns have skipped
  uint64_t deadline_misses = 0;
  System::Duration worst_response;
  // Where the kernel is told what is held (arduino/cores/aarch64/kernel/locks.h): goes on for it
  // already.
  bool let_go_on = false;
  // Spinlocks it holds, innermost last.
  struct Held {
    uint32_t* lock;
    System::Instant since;
    uint16_t former_slot;
    System::Instant former_hold;
  };
  static constexpr unsigned kMostHeld = 4;
  Held held[kMostHeld];
  unsigned held_count = 0;
  System::Duration longest_hold;
};

enum class Phase : uint8_t { Loading, Setup, Running };

using Rate = TickRate<Board::Port::kTickHz>;
static_assert(LoopDescriptor::kLongestPeriodNs <= Rate::kLongestNs);
inline constexpr uint16_t kSetupThread = 0;  // loop i is thread i + 1

/// What a loop was promised, in ticks.
inline TickDemand promise(const LoopDescriptor& descriptor) {
  return promise_in<Rate>(descriptor);
}

/// What has come of a loop's releases by an instant.
struct Outcome {
  uint64_t releases;
  uint64_t deadline_misses;
  System::Duration worst_response;
};

/// At the end of a run. What is pending and has missed its deadline counts: a call that has not
/// ended, with the releases that it keeps from beginning, and a budget that was due.
Outcome outcome_of(const Loop& loop, System::Instant end);

/// Collects the loops. Null, or what is wrong with them.
const char* load();

/// Gets memory for the stacks of setup() and all loops. False when there is not enough.
bool allocate_stacks();

/// Places the loops on `cores` cores. False when some loop cannot be guaranteed: reasons() says
/// why.
bool admit(unsigned cores);

/// What admission reckons with when so many cores run, and enforcement with it.
Overheads<Ticks> overheads(unsigned cores);

/// How long an edge takes to its handler at most, when nothing that came before it waits: what is
/// guaranteed, and what the paper has (kernel/sched/delivery.h). Of a handler's loop, after admit().
struct DelayBounds {
  Ticks sound;
  Ticks paper;
};
DelayBounds delay_bounds(const Loop& handler);

/// What a loop asked admission for.
Demand<Ticks> demand_of(const Loop& loop);

/// Entry of a core; `core` is its number. Never returns.
[[noreturn]] void boot(void* core);

/// setup() has returned, on its own thread: releases all loops.
void end_setup();

/// The body of the calling loop has returned once. A periodic loop waits here for its next release.
void end_iteration(Loop& loop);

unsigned loop_count();
/// Those that run the sketch's code: without the bottom half of interrupts.
unsigned sketch_loop_count();
Loop& loop(unsigned index);
CoreReport core_report(unsigned core);
unsigned reason_count();
const char* reason(unsigned index);
Phase phase();

/// The loop that is running; null in setup() and outside of threads.
inline Loop* current_loop() {
  const System::Thread* thread = System::this_core()->current;
  return thread == nullptr ? nullptr : static_cast<Loop*>(thread->argument);  // create_loops()
}

/// The stack that setup() runs on.
const port::Stack& setup_thread_stack();

// --- Parking (parking.cpp): see sys::park_until_ns() and sys::unpark() ---

bool park_until(uint64_t instant_ns);
bool unpark(unsigned id);

// --- Semaphores (semaphore.cpp): sys::semaphore_take() and sys::semaphore_give() ---

bool take_semaphore(int* count, uint64_t until_ns);
/// True: to somebody who waited.
bool give_semaphore(int* count);

/// The thread that a loop's number means now: 0 is setup() while that runs. Null: there is none.
System::Thread* thread_of(unsigned id);

// --- Spinlocks (spinlock.cpp) ---

/// Takes or gives back a lock for the calling loop, or for setup(). Null, or what the loop did
/// wrong; nothing has changed then. Taking may wait.
const char* take_spinlock(uint32_t* lock);
const char* give_spinlock(uint32_t* lock);

/// Gives back what a loop held that is about to be stopped.
void release_locks(Loop& loop);

/// Longest that the calling core can be kept from its other loops by spinlocks, 0 when the sketch
/// uses none.
Ticks spin_blocking(unsigned cores);

}  // namespace hocket::runtime
