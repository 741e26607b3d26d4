// Stress of semaphores, alarms and threads of sketches, each loop a host thread.
//
// The system under them is a few lines here: permits with condition variables, the kernel's ticket
// lock. Time only makes races: no check is of time. ThreadSanitizer sees what the services forget
// to order; objects on the threads' stacks, gone as soon as a call returns, show what is used too
// long (best under AddressSanitizer).
#define HOCKET_THREADS 3
#include <TimeServices.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "kernel/task/ticket_lock.h"
#include "kernel/task/word_queues.h"

namespace {

struct Permit {
  std::mutex mutex;
  std::condition_variable given;
  bool there = false;
};
std::array<Permit, 256> permits;
thread_local unsigned this_loop = 0;

// As arduino/runtime/semaphore.cpp has them, with permits instead of a kernel.
using Queues = hocket::WordQueues<256, bool>;
Queues queues;
std::mutex queues_lock;

}  // namespace

namespace hocket::sys {

uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
void sleep_until_ns(uint64_t) {}
unsigned loop_id() {
  return this_loop;
}
bool park_until_ns(uint64_t instant_ns) {
  Permit& own = permits[this_loop];
  std::unique_lock lock(own.mutex);
  const auto there = [&] { return own.there; };
  if (instant_ns == UINT64_MAX) {
    own.given.wait(lock, there);
  } else {
    const std::chrono::steady_clock::time_point until{
        std::chrono::nanoseconds(static_cast<int64_t>(instant_ns))};
    own.given.wait_until(lock, until, there);
  }
  return std::exchange(own.there, false);
}
bool unpark(unsigned loop) {
  const std::lock_guard lock(permits[loop].mutex);
  permits[loop].there = true;
  permits[loop].given.notify_one();
  return true;
}
bool semaphore_take(int* count, uint64_t until_ns) {
  for (;;) {
    const std::lock_guard lock(queues_lock);
    const auto answer = queues.take_or_wait(*count, this_loop, true);
    if (answer == Queues::Answer::Taken) return true;
    if (answer == Queues::Answer::None) break;
  }
  for (bool in_time = true;;) {
    in_time = park_until_ns(until_ns);
    const std::lock_guard lock(queues_lock);
    if (!queues.waits(this_loop)) return true;
    if (in_time) continue;
    queues.leave(this_loop);
    return false;
  }
}
void semaphore_give(int* count) {
  Queues::Given given{false, Queues::kNobody};
  while (!given.done) {
    const std::lock_guard lock(queues_lock);
    given = queues.give(*count);
  }
  if (given.number != Queues::kNobody) unpark(given.number);
}
void spin_lock(uint32_t* lock) {
  ticket_lock(*lock, [] { std::this_thread::yield(); });
}
void spin_unlock(uint32_t* lock) {
  ticket_unlock(*lock);
}
void fault(const char* text, const void*) {
  std::fprintf(stderr, "fault: %s\n", text);
  std::abort();
}

}  // namespace hocket::sys

namespace {

#if __has_feature(thread_sanitizer)
constexpr unsigned kRounds = 2'000;
#else
constexpr unsigned kRounds = 20'000;
#endif

/// Threads as the loops 1, 2, …; waits for their end.
template <class... Bodies>
void run_loops(Bodies... bodies) {
  std::vector<std::thread> loops;
  unsigned next = 0;
  const auto start = [&](auto body) {
    loops.emplace_back([body, number = ++next] {
      this_loop = number;
      body();
    });
  };
  (start(bodies), ...);
  for (std::thread& loop : loops) loop.join();
}

/// A loop that a header brings along, as long as the object lives.
class Service {
 public:
  template <class Body>
  Service(unsigned loop, Body body)
      : loop_(loop), thread_([this, body] {
          this_loop = loop_;
          while (!over_) body();
        }) {}
  ~Service() {
    over_ = true;
    hocket::sys::unpark(loop_);
    thread_.join();
  }

 private:
  unsigned loop_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

TEST(SemaphoreStress, ExcludesAndOrders) {
  Semaphore free(1);
  unsigned long total = 0;
  const auto add = [&] {
    for (unsigned i = 0; i < kRounds; ++i) {
      free.p();
      ++total;
      free.v();
    }
  };
  run_loops(add, add, add, add);
  EXPECT_EQ(total, 4ul * kRounds);
  EXPECT_TRUE(free.p(0));
  EXPECT_FALSE(free.p(0));
}

TEST(SemaphoreStress, NothingIsLostOrMadeWhereWaitingEndsInTime) {
  Semaphore given(0);
  std::atomic<unsigned> left = 2 * kRounds;
  std::atomic<unsigned> gave_up = 0;
  const auto give = [&] {
    for (unsigned i = 0; i < kRounds; ++i) given.v();
  };
  const auto take = [&] {
    for (unsigned i = 0; left > 0; ++i) {
      if (given.p(i % 40)) {
        --left;
      } else {
        ++gave_up;
      }
    }
  };
  run_loops(give, give, take, take, take);
  EXPECT_EQ(left, 0u);
  EXPECT_FALSE(given.p(0));
}

/// The semaphore is gone as soon as p() returns.
TEST(SemaphoreStress, MayBeDestroyedByWhoeverItLetGo) {
  std::atomic<Semaphore*> offered = nullptr;
  run_loops(
      [&] {
        for (unsigned i = 0; i < kRounds; ++i) {
          Semaphore once(0);
          offered = &once;
          once.p();
        }
      },
      [&] {
        for (unsigned i = 0; i < kRounds; ++i) {
          Semaphore* once = nullptr;
          while ((once = offered.exchange(nullptr)) == nullptr) std::this_thread::yield();
          once->v();
        }
      });
}

TEST(AlarmStress, AnAlarmAndItsHandlerAreOnlyUsedWhileTheyLive) {
  auto service = std::make_unique<Service>(hocket::services::AlarmLoopEntry<0>::id(),
                                           [] { hocket::services::alarms.serve(); });
  class Count final : public Handler {
   public:
    void operator()() override {
      inside = true;
      for (unsigned i = 0; i < 3; ++i) std::this_thread::yield();
      ++count;
      inside = false;
    }
    std::atomic<bool> inside = false;
    unsigned count = 0;
  };
  std::atomic<unsigned> called = 0;
  const auto make = [&](unsigned step) {
    return [&called, step] {
      for (unsigned i = 0; i < kRounds / 10; ++i) {
        Count handler;
        {
          const bool endless = i % 3 == 0;
          Alarm alarm(i % step, &handler, endless ? Alarm::INFINITE : static_cast<int>(i % 5));
          while (!endless && i % 7 == 0 && alarm.active()) std::this_thread::yield();
          while (endless && i % 2 == 0 && !handler.inside) {
            std::this_thread::yield();
          }
          for (unsigned spin = 0; spin < i % 5; ++spin) std::this_thread::yield();
        }
        EXPECT_FALSE(handler.inside);
        called += handler.count;
      }
    };
  };
  run_loops(make(1), make(3), make(50));
  service.reset();  // only then are its lists looked at without their lock
  EXPECT_GT(called, 0u);
  EXPECT_TRUE(hocket::services::alarms.queue.empty());
}

TEST(AlarmStress, CountsToTheLastOne) {
  const Service service(hocket::services::AlarmLoopEntry<0>::id(),
                        [] { hocket::services::alarms.serve(); });
  const auto count = [] {
    for (unsigned i = 0; i < kRounds / 50; ++i) {
      Semaphore events(0);
      Handler_Semaphore handler(&events);
      const int times = 1 + static_cast<int>(i % 4);
      Alarm alarm(i % 9, &handler, times);
      for (int event = 0; event < times; ++event) events.p();
      alarm.cancel();
      EXPECT_FALSE(events.p(0));
    }
  };
  run_loops(count, count, count);
}

/// With more threads than processors, who waits for a ticket lock may spin until its holder runs
/// again: 22 s for all of them.
unsigned threads_of_a_loop() {
  return std::getenv("HOCKET_LONG") != nullptr ? kRounds / 10 : std::min(kRounds / 10, 400u);
}

TEST(ThreadStress, AreMadeJoinedAndGone) {
  const Service first(hocket::services::kHighestThreadLoop, [] { hocket::services::work(0); });
  const Service second(hocket::services::kHighestThreadLoop - 1, [] { hocket::services::work(1); });
  const Service third(hocket::services::kHighestThreadLoop - 2, [] { hocket::services::work(2); });
  const unsigned threads = threads_of_a_loop();
  const auto make = [threads] {
    for (unsigned i = 0; i < threads; ++i) {
      Thread thread([] { return 42; }, i % 3 == 0 ? Thread::SUSPENDED : Thread::READY);
      if (i % 6 == 0) continue;  // never begins
      thread.resume();
      if (i % 2 == 0) EXPECT_EQ(thread.join(), 42);
    }
  };
  run_loops(make, make, make);
}

/// Each event is handled, or several as one: after the last one the thread has run.
TEST(ThreadStress, NoResumeIsLost) {
  static std::atomic<unsigned> events;
  static std::atomic<unsigned> seen;
  static std::atomic<bool> over;
  events = seen = 0;
  over = false;
  const Service worker(hocket::services::kHighestThreadLoop, [] { hocket::services::work(0); });
  Thread thread([] {
    while (!over) {
      Thread::self()->suspend();
      seen = events.load();
    }
    return 0;
  });
  run_loops([&] {
    for (unsigned i = 0; i < kRounds; ++i) {
      ++events;
      thread.resume();
      if (i % 64 == 0) {
        while (seen != events) std::this_thread::yield();
      }
    }
    while (seen != events) std::this_thread::yield();
  });
  over = true;
  thread.resume();
  thread.join();
}

}  // namespace
