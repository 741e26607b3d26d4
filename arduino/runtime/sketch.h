// A sketch at run time, as an object. sketches.h puts several sketches on one machine.
//
//   load()           the table of loops that its program carries, and the plain loop()
//                    (admission of all sketches together, memory for the stacks)
//   create_loops()   on each core: those that were placed there
//   start_setup()    on core 0, best-effort
//   end_setup()      setup() has returned: all loops are released at the same instant (the critical
//                    instant: later releases only get easier)
#pragma once

#include "arduino/runtime/handler_gate.h"
#include "arduino/runtime/loop_table.h"
#include "arduino/runtime/no_pins.h"
#include "arduino/runtime/pin_lines.h"
#include "arduino/runtime/program.h"
#include "arduino/runtime/promise.h"
#include "arduino/runtime/second_parts.h"
#include "arduino/runtime/spinlock_words.h"
#include "board_kernel.h"
#include "kernel/base/atomic.h"
#include "kernel/task/word_queues.h"

namespace hocket::runtime {

using Ticks = Board::Port::Ticks;
using BoardPins = PinsOf<Board>::Type;
using Rate = TickRate<Board::Port::kTickHz>;
static_assert(LoopDescriptor::kLongestPeriodNs <= Rate::kLongestNs);

/// The most loops whose contract may come later (edf_threads.h).
inline constexpr unsigned kMostLaterLoops = 32;

/// A loop of a sketch at run time, or its setup().
struct Loop {
  Sketch* sketch = nullptr;
  const LoopDescriptor* descriptor = nullptr;  // null: setup()
  const LoopDescriptor* declared = nullptr;    // its entry in the sketch's table
  System::Vcpu vcpu;
  System::Thread thread;
  port::Stack stack{};
  unsigned rank = 0;         // priority on its core; 0 is the highest
  Ticks response_bound = 0;  // ticks; 0: no bound
  Ticks section_bound = 0;  // ticks; bound of a section between noInterrupts() and interrupts(); 0:
                            // none
  /// The state of a loop whose contract comes later (edf_threads.h).
  enum class Later : uint8_t { Not, Suspended, Admitted, Resumed };
  Later later = Later::Not;
  uint8_t later_number = 0;   // its index among loops with a later contract
  port::Stack later_stack{};  // made at boot, because it includes kernel memory
  unsigned line = 0;          // of a bottom half: its index among those of the machine
  uint64_t iterations = 0;
  System::Instant iteration_logged;
  // Only for a periodic loop, whose response time is that of one call of its body:
  System::Instant release;   // of the present call, or of the one it waits for
  uint64_t calls_ended = 0;  // releases whose call has ended or that overruns have skipped
  uint64_t deadline_misses = 0;
  uint64_t overruns = 0;  // calls that have run past later releases
  uint64_t skipped = 0;   // releases without a call because of that
  System::Duration worst_response;
  // Where the kernel records held locks (arduino/cores/protected/kernel/locks.h): the loop already
  // continues in order to release one.
  bool let_go_on = false;
  // The spinlocks that the loop holds, innermost last, and the one that it waits for.
  struct Held {
    uint32_t* lock;
    System::Instant since;
    uint16_t former_slot;
  };
  static constexpr unsigned kMostHeld = spinlock::kMostHeld;
  Held held[kMostHeld] = {};
  unsigned held_count = 0;
  System::Duration longest_hold;
  const uint32_t* waits_for = nullptr;
  System::Instant waits_since;

  /// Whether it has a response bound. Some policies promise none, or not to every loop.
  bool promised() const { return response_bound != 0; }
  bool is_setup() const { return descriptor == nullptr; }
  bool is_periodic() const { return !is_setup() && descriptor->kind == LoopKind::Periodic; }
  bool is(LoopKind kind) const { return !is_setup() && descriptor->kind == kind; }
  /// Loops that serve interrupts also run during setup(), because setup() may wait for an
  /// interrupt.
  bool serves_interrupts() const { return is(LoopKind::Handler) || is(LoopKind::BottomHalf); }
  /// The loop has no contract, or has not been resumed.
  bool never_began() const { return later == Later::Suspended || later == Later::Admitted; }
  /// The loop has not even asked for a contract. The report leaves it out.
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

/// A loop's contract, in ticks.
inline TickDemand promise(const LoopDescriptor& descriptor) {
  return promise_in<Rate>(descriptor);
}

/// The result of a loop's releases up to an instant.
struct Outcome {
  uint64_t releases;
  uint64_t deadline_misses;
  System::Duration worst_response;
};

/// The virtual CPU of a split loop's second part; null: the loop is not split (sketches.h:
/// split_of).
inline const System::Vcpu* second_part_of(const Loop& loop) {
  return SecondParts<System>::of(loop.vcpu);
}
/// How often the loop has used up its budget. Passing from the first part of a split loop to the
/// second does not count.
inline uint64_t exhausted_of(const Loop& loop) {
  const System::Vcpu* const second = second_part_of(loop);
  return uint64_t{loop.vcpu.exhausted} + (second == nullptr ? 0 : second->exhausted);
}
/// Its sleep has ended before `now`, but the kernel has not noticed yet: it does so only when the
/// virtual CPU would be the first to run (kernel/sched/scheduler.h).
inline bool sleep_has_ended(const System::Vcpu& vcpu, System::Instant now) {
  return vcpu.state == System::Vcpu::State::Sleeping && vcpu.wake_at < now;
}
/// How often the loop's thread became ready after a wait, up to `now`: the releases of its virtual
/// CPU minus replenishments that came while it was ready.
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
  /// Out of line: an object that is not all zeros is built at run time, so that no image carries
  /// it.
  Sketch();

  /// Collects the loops of a program, which must outlive this object. Returns null, or a sentence
  /// that says what is wrong.
  const char* load(Program& program);

  /// Allocates the stacks of setup() and all loops. Returns false when memory is exhausted.
  bool allocate_stacks();

  /// On each core, at boot. Creates the loops that admission placed on this core, with the
  /// priorities it gave them. Thread numbers begin at `first_thread`.
  void create_loops(CoreId core, unsigned first_thread, const Sketches& all);
  /// On core 0, after create_loops(): creates setup()'s thread and starts it.
  void start_setup(unsigned slot, unsigned first_thread);

  /// On setup()'s thread, before any code of the sketch. Waits until all loops on all cores exist,
  /// because global objects and setup() may name any of them.
  void wait_for_loops() const;
  /// The loop with this number whose contract comes later; null: there is none.
  Loop* loop_with_later_contract(unsigned id);
  /// In setup(): creates the thread of a loop that admit_later() has accepted. On any core.
  void create_later(Loop& loop, const Sketches& all);
  /// Starts the loop: with all others if setup() still runs, otherwise soon. Returns false if it
  /// has not been admitted or was resumed before.
  bool resume_later(Loop& loop);
  /// On setup()'s thread, after setup() has returned: releases all loops.
  void end_setup();

  Program& program() { return *program_; }
  Phase phase() const { return phase_; }
  unsigned loop_count() const { return loops_used_; }
  Loop& loop(unsigned index) { return loops_[index]; }
  /// Whether no loop of the sketch has a budget that the sketch chose.
  bool is_plain() const;
  Loop& setup() { return setup_; }
  /// The gate of noInterrupts() (interrupts.h).
  HandlerSections<System>& handlers() { return handlers_; }
  /// The bottom half that serves this pin; null: the sketch has no handlers.
  Loop* bottom_half_for(unsigned pin);
  /// budget_of_bottom_half(): `declared` if it is a table entry of an I/O virtual CPU; null: it is
  /// not. The pointer comes from the sketch and is not read before it is found in the table.
  /// bottom_half_like(): the bottom half for the same pins.
  const LoopDescriptor* budget_of_bottom_half(const LoopDescriptor* declared) const;
  Loop* bottom_half_like(const LoopDescriptor& declared);
  /// The sketches with which this one was admitted. Only after create_loops().
  const Sketches& all() const { return *all_; }
  unsigned direct_count() const { return table_.direct_count(); }
  const LoopDescriptor& direct(unsigned index) const { return table_.direct(index); }
  /// The stack of direct handlers, which run one after the other, on a board that does not run them
  /// on the interrupted thread's stack.
  const port::Stack& direct_stack() const { return direct_stack_; }
  /// How many thread numbers the sketch takes: setup() first, then its loops.
  unsigned thread_count() const { return loops_used_ + 1; }

  /// The thread that a loop number means now. Number 0 is setup() while that runs. Null: there is
  /// none.
  System::Thread* thread_of(unsigned id);
  /// See sys::unpark().
  bool unpark(unsigned id);

  // sys::semaphore_take() and sys::semaphore_give() (semaphore.cpp).
  bool take_semaphore(int* count, uint64_t until_ns);
  /// Returns true if a waiting thread got it.
  bool give_semaphore(int* count);

 private:
  struct Who {
    System::Thread* thread;
    bool for_a_time;  // waits with a time limit
  };
  using Queues = WordQueues<Board::kMaxLoops + 1, Who>;
  class Locked;

  void add(const TableEntry& entry);
  void prepare_later(Loop& loop, unsigned thread);
  void start_loop(Loop& loop, System::Instant at);
  /// The index of one of its threads, for the queues.
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
  Loop loops_[Board::kMaxLoops];  // sorted by number
  unsigned loops_used_ = 0;
  port::Stack direct_stack_{nullptr, 0};
  Phase phase_ = Phase::Loading;
  Atomic<uint32_t> cores_ready_;  // cores on which all loops can be started
  // Threads that wait for a semaphore.
  Queues queues_;
  Board::Port::Lock queues_lock_;
};

/// The running thread's loop or setup(); null outside of threads. (create_loops() stores it in the
/// thread.)
inline Loop* current() {
  // (A thread that may migrate must not do so between reading the core and its current thread.)
  const System::Thread* thread =
      System::kMigrates ? System::self_anywhere() : System::this_core()->current;
  return thread == nullptr ? nullptr : static_cast<Loop*>(thread->argument);
}
/// The running loop; null in setup() and outside of threads.
inline Loop* current_loop() {
  Loop* const self = current();
  return self == nullptr || self->is_setup() ? nullptr : self;
}
namespace interrupts {
Sketch* direct_sketch();
}
/// The sketch whose thread or direct handler is running. Only in those contexts.
inline Sketch& current_sketch() {
  if constexpr (PinLines<BoardPins>::kHasDirect) {
    if (Board::Port::in_irq()) [[unlikely]]
      return *interrupts::direct_sketch();
  }
  return *current()->sketch;
}

using OverrunHandler = void (*)();
/// Called when the calling loop's body has returned. A periodic loop waits here for its next
/// release. Returns the function to call before the body is called again, because this call has run
/// past later releases; null: none.
OverrunHandler end_iteration(Loop& loop);

/// At the end of a run. Pending work whose deadline has passed counts as missed: a call that has
/// not ended, the releases that it holds up, and a budget that was due.
Outcome outcome_of(const Loop& loop, System::Instant end);

// --- Spinlocks (spinlock.cpp) ---

/// Takes or releases a lock for the calling loop, for setup(), or for a direct handler.
/// take_spinlock() may wait. Returns null, or the text of the caller's fault; then nothing has
/// changed.
const char* take_spinlock(uint32_t* lock);
const char* give_spinlock(uint32_t* lock);

/// Releases the locks of a loop, or of a direct handler, that is about to be stopped.
void release_locks(Loop& loop);
void release_locks_of_direct_handler();
/// Whether the running direct handler holds a lock.
bool direct_handler_holds_locks();

/// The longest time (ticks) that spinlocks can keep a core from its other loops when `cores` cores
/// run: its own holder's, and before that the holders' on all other cores in turn.
constexpr Ticks spin_blocking(unsigned cores) {
  return Board::kLongestSpin * static_cast<Ticks>(cores);
}

}  // namespace hocket::runtime
