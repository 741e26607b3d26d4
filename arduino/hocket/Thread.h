// Thread: a function that runs beside the others, in one of the worker loops of the sketch.
//
//   int work() { …  return 7; }
//   Thread thread(&work);               or new Thread(&work), which needs no heap
//   int status = thread.join();         waits until work() has returned: 7
//
// A sketch that makes threads has HOCKET_THREADS worker loops (1 if it does not say), numbered from
// 254 downwards, each with the budget HOCKET_THREAD_BUDGET: they are admitted with all others
// before anything runs, so a thread that exists is a thread that gets its share. Making more
// threads at a time than there are workers is a fault. A thread cannot be stopped from outside, so
// what destroys it waits for its end. ("Temporal Event Management in EPOS", section 2.)
#pragma once

#include <stddef.h>

#include "hocket/Handler.h"
#include "hocket/ServiceLoop.h"

#ifndef HOCKET_THREADS
#define HOCKET_THREADS 1
#endif
/// Budget, period and options of each worker: 40 ms in every 100 ms, shared by all (defaults.h).
#ifndef HOCKET_THREAD_BUDGET
#define HOCKET_THREAD_BUDGET                                                  \
  ::hocket::defaults::share_of(::hocket::defaults::kThreads, HOCKET_THREADS), \
      ::hocket::defaults::kThreads.period
#endif
static_assert(HOCKET_THREADS >= 1 && HOCKET_THREADS <= 32, "HOCKET_THREADS is from 1 to 32");

class Thread;

namespace hocket::services {

inline constexpr unsigned kThreads = HOCKET_THREADS;
inline constexpr unsigned kHighestThreadLoop = 254;

HOCKET_SERVICE_LOOP_(ThreadLoop, "hocket/Thread.h", kHighestThreadLoop - k, HOCKET_THREAD_BUDGET)

struct Workers {
  Spinlock lock;
  Thread* thread[kThreads] = {};  // whom the worker runs or will
};
inline Workers workers;

/// What the worker with this number does: waits for a thread, or runs it.
inline void work(unsigned number);

template <unsigned k>
struct AllThreadLoops {
  static void use() {
    ThreadLoop<k - 1>::use();
    AllThreadLoops<k - 1>::use();
  }
};
template <>
struct AllThreadLoops<0> {
  static void use() {}
};

}  // namespace hocket::services

class Thread final {
 public:
  using Entry = int();
  enum State : uint8_t { READY, SUSPENDED, FINISHING };

  /// Runs `entry` as soon as its worker has time; created SUSPENDED, after the first resume(). Any
  /// loop and setup(). Never blocks. A fault when no worker is free.
  template <class Loops = hocket::services::AllThreadLoops<hocket::services::kThreads>>
  explicit Thread(Entry* entry, State state = READY) : entry_(entry), state_(state) {
    Loops::use();
    start();
  }
  /// Waits for its end, unless it was never resumed.
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// There is room for HOCKET_THREADS threads at a time; a fault when it is taken.
  static void* operator new(size_t size);
  static void operator delete(void* memory);

  /// Waits until it has ended, and returns what its function returned. Any other loop, setup().
  int join();

  /// The calling thread waits for a resume(). Of another thread: a fault.
  void suspend();
  /// Lets it go on if it is suspended, or not wait when it suspends itself next. Never blocks.
  void resume();
  State state() const;

  /// The calling thread; null in a loop that the sketch has declared and in setup().
  static Thread* self();

 private:
  friend void hocket::services::work(unsigned number);

  void start();
  void run();
  bool withdraw();
  void wake() const;
  // With the lock of the workers:
  bool waits() const { return state_ == SUSPENDED && !resumed_; }
  void go_on() {
    if (state_ == SUSPENDED) resumed_ = false;
    state_ = READY;
  }

  Entry* entry_;
  State state_;
  bool begun_ = false;
  bool resumed_ = false;
  uint8_t worker_ = 0;
  int status_ = 0;
  Semaphore ended_{0};
};

/// A handler that resumes a thread at each event. The thread is made SUSPENDED and suspends itself
/// again when it has handled one. An event meanwhile is kept, several count as one.
class Handler_Thread final : public Handler {
 public:
  explicit constexpr Handler_Thread(Thread* thread) : thread_(thread) {}
  void operator()() override { thread_->resume(); }

 private:
  Thread* thread_;
};

namespace hocket::services {

struct ThreadRoom {
  alignas(Thread) unsigned char memory[kThreads][sizeof(Thread)];
  bool used[kThreads];
};
inline ThreadRoom thread_room;

}  // namespace hocket::services

inline void Thread::start() {
  using hocket::services::kThreads;
  using hocket::services::workers;
  if (entry_ == nullptr) hocket::sys::fault("made a Thread without a function");
  spinlockLock(workers.lock);
  while (worker_ < kThreads && workers.thread[worker_] != nullptr) ++worker_;
  const bool found = worker_ < kThreads;
  if (found) workers.thread[worker_] = this;
  spinlockUnlock(workers.lock);
  if (!found) hocket::sys::fault("made more threads at a time than HOCKET_THREADS says");
  wake();
}

inline void Thread::wake() const {
  hocket::sys::unpark(hocket::services::kHighestThreadLoop - worker_);
}

/// Gives the worker back, if it has not begun and nobody has told it to.
inline bool Thread::withdraw() {
  using hocket::services::workers;
  const SpinlockGuard guard(workers.lock);
  if (begun_ || !waits()) return false;
  workers.thread[worker_] = nullptr;
  return true;
}

inline Thread::~Thread() {
  if (!withdraw()) join();
}

inline int Thread::join() {
  if (self() == this) hocket::sys::fault("a thread waits for its own end");
  ended_.p();
  ended_.v();  // for others that wait, and for the destructor
  return status_;
}

inline void Thread::suspend() {
  if (self() != this) hocket::sys::fault("suspended another thread than itself");
  using hocket::services::workers;
  const SpinlockGuard guard(workers.lock);
  state_ = SUSPENDED;
  while (waits()) {
    spinlockUnlock(workers.lock);
    hocket::sys::park_until_ns(hocket::services::kNever);
    spinlockLock(workers.lock);
  }
  go_on();
}

inline void Thread::resume() {
  spinlockLock(hocket::services::workers.lock);
  resumed_ = true;
  spinlockUnlock(hocket::services::workers.lock);
  wake();
}

inline Thread::State Thread::state() const {
  const SpinlockGuard guard(hocket::services::workers.lock);
  return state_;
}

inline Thread* Thread::self() {
  using namespace hocket::services;
  const unsigned number = kHighestThreadLoop - hocket::sys::loop_id();
  if (number >= kThreads) return nullptr;
  const SpinlockGuard guard(workers.lock);
  return workers.thread[number];
}

/// The worker may have another thread then, and this one be gone after its v().
inline void Thread::run() {
  using hocket::services::workers;
  status_ = entry_();
  spinlockLock(workers.lock);
  state_ = FINISHING;
  workers.thread[worker_] = nullptr;
  spinlockUnlock(workers.lock);
  ended_.v();
}

inline void* Thread::operator new(size_t) {
  using namespace hocket::services;
  spinlockLock(workers.lock);
  unsigned free = 0;
  while (free < kThreads && thread_room.used[free]) ++free;
  if (free < kThreads) thread_room.used[free] = true;
  spinlockUnlock(workers.lock);
  if (free == kThreads) {
    hocket::sys::fault("made more threads with new, and deleted none, than HOCKET_THREADS says");
  }
  return thread_room.memory[free];
}

inline void Thread::operator delete(void* memory) {
  using namespace hocket::services;
  const SpinlockGuard guard(workers.lock);
  for (unsigned i = 0; i < kThreads; ++i) {
    if (memory == thread_room.memory[i]) thread_room.used[i] = false;
  }
}

namespace hocket::services {

inline void work(unsigned number) {
  spinlockLock(workers.lock);
  Thread* const thread = workers.thread[number];
  const bool go = thread != nullptr && !thread->waits();
  if (go) {
    thread->begun_ = true;
    thread->go_on();
  }
  spinlockUnlock(workers.lock);
  if (go) {
    thread->run();
  } else {
    sys::park_until_ns(kNever);
  }
}

template <unsigned k>
void ThreadLoop<k>::body() {
  work(k);
}

}  // namespace hocket::services
