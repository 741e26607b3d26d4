// A sketch at run time: an object, as many as there are (sketches.h puts them on one machine).
//
//   load()           the table of loops that its program carries, and the plain loop()
//                    (admission of all sketches together, memory for the stacks)
//   create_loops()   on each core: those that were placed there
//   start_setup()    on core 0, best-effort
//   end_setup()      it has returned: all loops are released at the same instant (the critical
//                    instant: later releases only get easier)
#pragma once

#include "arduino/runtime/handler_gate.h"
#include "arduino/runtime/loop_table.h"
#include "arduino/runtime/no_pins.h"
#include "arduino/runtime/pin_lines.h"
#include "arduino/runtime/program.h"
#include "arduino/runtime/promise.h"
#include "arduino/runtime/second_parts.h"
#include "board_kernel.h"
#include "kernel/base/atomic.h"
#include "kernel/task/word_queues.h"

namespace hocket::runtime {

using Ticks = Board::Port::Ticks;
using BoardPins = PinsOf<Board>::Type;
using Rate = TickRate<Board::Port::kTickHz>;
static_assert(LoopDescriptor::kLongestPeriodNs <= Rate::kLongestNs);

/// So many loops may get their contract later (edf_threads.h).
inline constexpr unsigned kMostLaterLoops = 32;

/// A loop of a sketch as it runs, or its setup().
struct Loop {
  Sketch* sketch = nullptr;
  const LoopDescriptor* descriptor = nullptr;  // null: setup()
  const LoopDescriptor* declared = nullptr;    // as it is in the sketch's table
  System::Vcpu vcpu;
  System::Thread thread;
  port::Stack stack{};
  unsigned rank = 0;         // its priority on its core, 0 first
  Ticks response_bound = 0;  // 0: none
  Ticks section_bound = 0;   // of a section between noInterrupts() and interrupts(); 0: none
  /// One whose contract comes later (edf_threads.h): how far that is. (Resumed is seen by whoever
  /// resumes it.)
  enum class Later : uint8_t { Not, Suspended, Admitted, Resumed };
  Later later = Later::Not;
  uint8_t later_number = 0;   // among those
  port::Stack later_stack{};  // the kernel's, made at boot
  unsigned line = 0;          // of a bottom half: its number among those of the machine
  uint64_t iterations = 0;
  System::Instant iteration_logged;
  // Of a periodic loop, whose response is that of one call of its body:
  System::Instant release;   // of the present call, or of the one that it waits for
  uint64_t calls_ended = 0;  // releases whose call has ended, and those that overruns have skipped
  uint64_t deadline_misses = 0;
  uint64_t overruns = 0;  // calls that have run into later releases
  uint64_t skipped = 0;   // releases that have no call for that
  System::Duration worst_response;
  // Where the kernel is told what is held (arduino/cores/aarch64/kernel/locks.h): goes on for it
  // already.
  bool let_go_on = false;
  // Spinlocks it holds, innermost last, and the one that it waits for.
  struct Held {
    uint32_t* lock;
    System::Instant since;
    uint16_t former_slot;
    System::Instant former_hold;
  };
  static constexpr unsigned kMostHeld = 4;
  Held held[kMostHeld] = {};
  unsigned held_count = 0;
  System::Duration longest_hold;
  const uint32_t* waits_for = nullptr;
  System::Instant waits_since;

  /// Whether it has a response bound: some policies promise nothing, or not to everybody.
  bool promised() const { return response_bound != 0; }
  bool is_setup() const { return descriptor == nullptr; }
  bool is_periodic() const { return !is_setup() && descriptor->kind == LoopKind::Periodic; }
  bool is(LoopKind kind) const { return !is_setup() && descriptor->kind == kind; }
  /// Those run while setup() does: it may wait for an interrupt.
  bool serves_interrupts() const { return is(LoopKind::Handler) || is(LoopKind::BottomHalf); }
  /// It has no contract, or none has let it begin.
  bool never_began() const { return later == Later::Suspended || later == Later::Admitted; }
  /// …and has not even asked for one: no fact of a run.
  bool never_asked() const { return later == Later::Suspended && descriptor->suspended; }
  unsigned id() const { return is_setup() ? kPlainLoop : descriptor->id; }
  bool holds(const uint32_t* lock) const {
    for (unsigned i = 0; i < held_count; ++i) {
      if (held[i].lock == lock) return true;
    }
    return false;
  }
};

enum class Phase : uint8_t { Loading, Setup, Running };

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

/// Of a loop in two parts, on two cores, the second one; null: it has one (sketches.h: split_of).
inline const System::Vcpu* second_part_of(const Loop& loop) {
  return SecondParts<System>::of(loop.vcpu);
}
/// How often it has used up its budget: of two parts, the second one.
inline uint64_t exhausted_of(const Loop& loop) {
  const System::Vcpu* const second = second_part_of(loop);
  return uint64_t{loop.vcpu.exhausted} + (second == nullptr ? 0 : second->exhausted);
}
/// Its sleep has ended before that instant, but it has had no turn since: the kernel notices that
/// only when it has one (kernel/sched/scheduler.h).
inline bool sleep_has_ended(const System::Vcpu& vcpu, System::Instant now) {
  return vcpu.state == System::Vcpu::State::Sleeping && vcpu.wake_at < now;
}
/// How often the loop's thread became ready after a wait, by that instant: what its virtual CPU has
/// been given besides are the heads that came back while it was ready.
inline uint64_t wakes_of(const Loop& loop, System::Instant now) {
  uint64_t all = loop.vcpu.releases + (sleep_has_ended(loop.vcpu, now) ? 1 : 0);
  if (const System::Vcpu* const second = second_part_of(loop)) {
    all += second->releases + (sleep_has_ended(*second, now) ? 1 : 0);
  }
  return all - exhausted_of(loop);
}

class Sketches;

class Sketch {
 public:
  /// At run time: so much that is not all zeros is not for an image to carry.
  Sketch();

  /// Collects the loops of a program, which lives as long as this. Null, or what is wrong with
  /// them.
  const char* load(Program& program);

  /// Gets memory for the stacks of setup() and all loops. False when there is not enough.
  bool allocate_stacks();

  /// On each core, at boot, in the order of their numbers from `first_thread` on: creates the loops
  /// that admission gave to it, at the priorities it gave them.
  void create_loops(CoreId core, unsigned first_thread, const Sketches& all);
  /// On core 0, then: creates setup() and starts it.
  void start_setup(unsigned slot, unsigned first_thread);

  /// On setup()'s thread, before anything of the sketch runs: its global objects and setup() may
  /// name any of its loops, on any core, so all of them are there first.
  void wait_for_loops() const;
  /// A loop whose contract comes later; null: there is none of that number.
  Loop* loop_with_later_contract(unsigned id);
  /// In setup(): it has been admitted, and is there from now on. (Any core.)
  void create_later(Loop& loop, const Sketches& all);
  /// It begins with all others, or now. False: it has not been admitted, or has begun.
  bool resume_later(Loop& loop);
  /// setup() has returned, on its own thread: releases all loops.
  void end_setup();

  Program& program() { return *program_; }
  Phase phase() const { return phase_; }
  unsigned loop_count() const { return loops_used_; }
  Loop& loop(unsigned index) { return loops_[index]; }
  /// No loop of it has a budget that the sketch chose.
  bool is_plain() const;
  Loop& setup() { return setup_; }
  /// What noInterrupts() holds back (interrupts.h).
  HandlerSections<System>& handlers() { return handlers_; }
  /// The bottom half of a pin; null: the sketch has no handlers.
  Loop* bottom_half_for(unsigned pin);
  /// An entry of the table for an I/O virtual CPU, which may be known by its address alone; null:
  /// it is none. And the bottom half of the same pins.
  const LoopDescriptor* budget_of_bottom_half(const LoopDescriptor* declared) const;
  Loop* bottom_half_like(const LoopDescriptor& declared);
  /// With which it was admitted, once its loops are there.
  const Sketches& all() const { return *all_; }
  unsigned direct_count() const { return table_.direct_count(); }
  const LoopDescriptor& direct(unsigned index) const { return table_.direct(index); }
  /// Of direct handlers, which run one after the other, where they do not run on the interrupted
  /// thread's.
  const port::Stack& direct_stack() const { return direct_stack_; }
  /// Numbers that its threads take: setup() first, then its loops.
  unsigned thread_count() const { return loops_used_ + 1; }

  /// The thread that a loop's number means now: 0 is setup() while that runs. Null: there is none.
  System::Thread* thread_of(unsigned id);
  /// See sys::unpark().
  bool unpark(unsigned id);

  // sys::semaphore_take() and sys::semaphore_give() (semaphore.cpp).
  bool take_semaphore(int* count, uint64_t until_ns);
  /// True: to somebody who waited.
  bool give_semaphore(int* count);

 private:
  struct Who {
    System::Thread* thread;
    bool for_a_time;  // sleeps meanwhile
  };
  using Queues = WordQueues<Board::kMaxLoops + 1, Who>;
  class Locked;

  void add(const TableEntry& entry);
  void prepare_later(Loop& loop, unsigned thread);
  void start_loop(Loop& loop, System::Instant at);
  /// The number of one of its threads among them, for the queues.
  unsigned number(const System::Thread& thread) const { return thread.id - setup_.thread.id; }
  Queues::Answer take_or_block(int& count, System::Thread& self);
  Queues::Answer take_or_block_until(int& count, System::Thread& self, System::Instant until);
  bool take_until(int& count, uint64_t until_ns);

  Program* program_ = nullptr;
  const Sketches* all_ = nullptr;
  LoopDescriptor plain_loop_{};
  LoopTable<Board::kMaxLoops> table_;
  HandlerSections<System> handlers_;
  Loop setup_;
  Loop loops_[Board::kMaxLoops];  // in the order of their numbers
  unsigned loops_used_ = 0;
  port::Stack direct_stack_{nullptr, 0};
  Phase phase_ = Phase::Loading;
  Atomic<uint32_t> cores_ready_;  // where its loops can be started
  // Who waits for a semaphore.
  Queues queues_;
  Board::Port::Lock queues_lock_;
};

/// The running thread's loop, or setup(); null outside of threads. (create_loops() has put it
/// there.)
inline Loop* current() {
  // (Where it may go on on another core, that must not happen between two halves of the question.)
  const System::Thread* thread =
      System::kMigrates ? System::self_anywhere() : System::this_core()->current;
  return thread == nullptr ? nullptr : static_cast<Loop*>(thread->argument);
}
/// The loop that is running; null in setup() and outside of threads.
inline Loop* current_loop() {
  Loop* const self = current();
  return self == nullptr || self->is_setup() ? nullptr : self;
}
namespace interrupts {
Sketch* direct_sketch();
}
/// The sketch whose thread is running, or whose direct handler. Those only.
inline Sketch& current_sketch() {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    if (Board::Port::in_irq()) [[unlikely]]
      return *interrupts::direct_sketch();
  }
  return *current()->sketch;
}

using OverrunHandler = void (*)();
/// The body of the calling loop has returned once. A periodic loop waits here for its next release.
/// What is to be called before the next call of the body, as this one has run into later releases;
/// null: nothing.
OverrunHandler end_iteration(Loop& loop);

/// At the end of a run. What is pending and has missed its deadline counts: a call that has not
/// ended, with the releases that it keeps from beginning, and a budget that was due.
Outcome outcome_of(const Loop& loop, System::Instant end);

// --- Spinlocks (spinlock.cpp) ---

/// Takes or gives back a lock for the calling loop, or for setup(). Null, or what it did wrong;
/// nothing has changed then. Taking may wait.
const char* take_spinlock(uint32_t* lock);
const char* give_spinlock(uint32_t* lock);

/// Gives back what a loop held that is about to be stopped, or a direct handler.
void release_locks(Loop& loop);
void release_locks_of_direct_handler();
/// The direct handler in the middle does.
bool direct_handler_holds_locks();

/// Longest that a core can be kept from its other loops by spinlocks where so many cores run: by
/// its own holder and, before that, by the holders on all others in turn.
constexpr Ticks spin_blocking(unsigned cores) {
  return Board::kLongestSpin * static_cast<Ticks>(cores);
}

}  // namespace hocket::runtime
