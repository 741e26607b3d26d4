// Thread: a function that runs in one of the worker loops of the sketch, beside other loops.
//
//   int work() { …  return 7; }
//   Thread thread(&work);               or new Thread(&work), which needs no heap
//   int status = thread.join();         waits until work() has returned: 7
//
// A sketch that makes threads has HOCKET_THREADS worker loops (1 by default), numbered from 253
// downwards, each with the budget HOCKET_THREAD_BUDGET. They are admitted with all other loops
// before anything runs, so every thread gets its budget. Having more threads at a time than workers
// is a fault. A thread cannot be stopped from outside, so its destructor waits for its end.
// ("Temporal Event Management in EPOS", section 2.)
#pragma once

#include <stddef.h>

#include "hocket/Handler.h"
#include "hocket/ServiceLoop.h"

#ifndef HOCKET_THREADS
#define HOCKET_THREADS 1
#endif
/// Budget, period and options of each worker. By default the workers share 40 ms in every 100 ms
/// (defaults.h).
#ifndef HOCKET_THREAD_BUDGET
#define HOCKET_THREAD_BUDGET                                                  \
  ::hocket::defaults::share_of(::hocket::defaults::kThreads, HOCKET_THREADS), \
      ::hocket::defaults::kThreads.period
#endif
static_assert(HOCKET_THREADS >= 1 && HOCKET_THREADS <= 32, "HOCKET_THREADS is from 1 to 32");

class Thread;

namespace hocket::services {

inline constexpr unsigned kThreads = HOCKET_THREADS;
inline constexpr unsigned kHighestThreadLoop = defaults::kHandlersId - 1;

HOCKET_SERVICE_LOOP_(ThreadLoop, "hocket/Thread.h", kHighestThreadLoop - k, HOCKET_THREAD_BUDGET)

struct Workers {
  Spinlock lock;
  Thread* thread[kThreads] = {};  // the thread that each worker runs or will run
};
inline Workers workers;

/// The body of worker `number`: waits for a thread, or runs it.
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

  /// Runs `entry` as soon as its worker has time; if created SUSPENDED, after the first resume().
  /// Context: any loop, setup(). Never blocks. A fault when no worker is free.
  template <class Loops = hocket::services::AllThreadLoops<hocket::services::kThreads>>
  explicit Thread(Entry* entry, State state = READY) : entry_(entry), state_(state) {
    Loops::use();
    start();
  }
  /// Waits for the thread's end, unless it was never resumed.
  ~Thread();
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  /// There is room for HOCKET_THREADS threads at a time. A further one is a fault.
  static void* operator new(size_t size);
  static void operator delete(void* memory);

  /// Waits for the thread's end and returns the result of its function. Context: any other loop,
  /// setup().
  int join();

  /// The calling thread waits for a resume(). For another thread this is a fault.
  void suspend();
  /// Resumes the thread if it is suspended; otherwise its next suspend() does not wait. Never
  /// blocks.
  void resume();
  State state() const;

  /// The calling thread; null in a declared loop and in setup().
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

/// A handler that resumes a thread at each event. Create the thread SUSPENDED; it suspends itself
/// again after each event. An event that comes meanwhile is kept; several count as one.
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

/// Returns the worker if the thread has not begun and was never resumed.
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

/// After its v(), the worker may have another thread and this one may not exist any more.
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
