// Semaphores, alarms, clocks and threads of sketches, one loop after another on the fake system;
// alarms against a slow model of their own. What happens at the same time: tests/stress.
#define HOCKET_THREADS 2
#include <TimeServices.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <stdexcept>

#include "fake_system.h"

namespace {

constexpr uint64_t kMicrosecond = 1'000;
constexpr unsigned kAlarmLoop = hocket::services::AlarmLoop<0>::id();

/// What `loop` does while another one is parked.
template <class Body>
auto in_loop(unsigned loop, Body body) {
  return [loop, body] {
    fake().loop = loop;
    body();
  };
}

/// The alarms' loop, up to an instant.
void serve_until(uint64_t until) {
  const unsigned before = fake().loop;
  fake().loop = kAlarmLoop;
  Alarm* const none = nullptr;
  Handler_Function nothing([] {});
  {
    // So that it is never parked for good.
    Alarm end((until - fake().now) / kMicrosecond, &nothing);
    while (fake().now < until) hocket::services::alarms.serve();
  }
  EXPECT_EQ(hocket::services::alarms.running, none);
  fake().loop = before;
}

class TimeServices : public testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
  void TearDown() override {
    EXPECT_EQ(hocket::services::alarms.first, nullptr);
    EXPECT_EQ(fake().locks_held, 0u);
  }
};
using Semaphores = TimeServices;
using Alarms = TimeServices;
using Clocks = TimeServices;
using Threads = TimeServices;

// --- Semaphores ---

TEST_F(Semaphores, Count) {
  Semaphore semaphore(2);
  semaphore.p();
  semaphore.acquire();
  EXPECT_FALSE(semaphore.p(0));
  semaphore.v();
  semaphore.release();
  EXPECT_TRUE(semaphore.p(5));
  EXPECT_TRUE(semaphore.acquire(0));
  EXPECT_FALSE(semaphore.acquire(0));
  EXPECT_FALSE(Semaphore(-3).p(0));
  EXPECT_TRUE(Semaphore().p(0)) << "one, as in EPOS";
}

TEST_F(Semaphores, ServeByArrival) {
  Semaphore semaphore(0);
  std::string order;
  fake().loop = 1;
  fake().parked = in_loop(2, [&] {
    fake().parked = in_loop(3, [&] {
      semaphore.v();
      EXPECT_FALSE(semaphore.p(0)) << "it is the first waiter's";
      semaphore.v();
      order += '3';
    });
    semaphore.p();
    order += '2';
  });
  semaphore.p();
  order += '1';
  EXPECT_EQ(order, "321") << "loop 1 was woken first, but runs on last here";
  EXPECT_FALSE(semaphore.p(0));
}

TEST_F(Semaphores, AStalePermitEndsNoWait) {
  Semaphore semaphore(0);
  fake().loop = 1;
  fake().permits.insert(1);
  fake().parked = in_loop(2, [&] { semaphore.v(); });
  semaphore.p();
  EXPECT_FALSE(fake().parked) << "it has waited";
}

TEST_F(Semaphores, WaitForATime) {
  Semaphore semaphore(0);
  fake().loop = 1;
  fake().now = 7;
  EXPECT_FALSE(semaphore.p(20));
  EXPECT_EQ(fake().now, 7 + 20 * kMicrosecond);
  semaphore.v();
  EXPECT_TRUE(semaphore.p(0)) << "who has left the queue takes nothing";
  // Who leaves from the middle of the queue leaves the others where they are.
  fake().parked = in_loop(2, [&] {
    fake().parked = in_loop(3, [&] {
      semaphore.v();
      semaphore.v();
    });
    EXPECT_TRUE(semaphore.p(1));
  });
  EXPECT_TRUE(semaphore.p(1));
  EXPECT_FALSE(semaphore.p(0));
}

TEST_F(Semaphores, WhoGivesUpInTheQueueLeavesIt) {
  Semaphore semaphore(0);
  fake().loop = 1;
  fake().parked = in_loop(2, [&] {
    fake().parked = in_loop(3, [&] { EXPECT_FALSE(semaphore.p(1)); });
    EXPECT_FALSE(semaphore.p(2));
    semaphore.v();
  });
  EXPECT_TRUE(semaphore.p(100));
  EXPECT_FALSE(semaphore.p(0));
}

// --- Alarms ---

unsigned rings;
Handler_Function ring([] { ++rings; });

TEST_F(Alarms, RingAsOftenAsAsked) {
  rings = 0;
  Alarm alarm(100, &ring, 3);
  serve_until(99 * kMicrosecond);
  EXPECT_EQ(rings, 0u);
  serve_until(1'000 * kMicrosecond);
  EXPECT_EQ(rings, 3u);
  EXPECT_FALSE(alarm.active());
  Alarm never(100, &ring, 0);
  Alarm nor(100, &ring, -2);
  EXPECT_FALSE(never.active() || nor.active());
  EXPECT_THROW(Alarm failed(1, nullptr), std::runtime_error);
}

TEST_F(Alarms, AreNotLateAfterALateOne) {
  std::vector<uint64_t> at;
  static std::vector<uint64_t>* instants;
  instants = &at;
  Handler_Function slow([] {
    instants->push_back(fake().now / kMicrosecond);
    if (instants->size() == 2) fake().now += 250 * kMicrosecond;
  });
  Alarm alarm(100, &slow, Alarm::INFINITE);
  serve_until(650 * kMicrosecond);
  EXPECT_EQ(at, (std::vector<uint64_t>{100, 200, 450, 450, 500, 600}));
}

TEST_F(Alarms, EndWithThemselves) {
  rings = 0;
  {
    Alarm alarm(100, &ring, Alarm::INFINITE);
    serve_until(350 * kMicrosecond);
  }
  serve_until(1'000 * kMicrosecond);
  EXPECT_EQ(rings, 3u);
}

TEST_F(Alarms, CanEndInTheirOwnHandler) {
  static std::unique_ptr<Alarm> alarm;
  rings = 0;
  Handler_Function last([] {
    if (++rings == 2) alarm.reset();  // AddressSanitizer watches what is used after that
  });
  alarm = std::make_unique<Alarm>(10, &last, Alarm::INFINITE);
  serve_until(100 * kMicrosecond);
  EXPECT_EQ(rings, 2u);
  EXPECT_EQ(alarm, nullptr);
}

TEST_F(Alarms, WaitForTheEndOfTheirHandlerElsewhere) {
  static Alarm* watched;
  static std::string order;
  order.clear();
  // In the middle of the handler other loops cancel the alarm: they wait.
  Handler_Function handler([] {
    fake().loop = 4;
    fake().parked = in_loop(5, [] {
      fake().parked = in_loop(kAlarmLoop, [] {
        order += 'h';
        hocket::services::Alarms& all = hocket::services::alarms;
        EXPECT_EQ(all.running, watched);
        // The end of the call, as serve() does it.
        all.running = nullptr;
        auto* at = std::exchange(all.waiting, nullptr);
        while (at != nullptr) std::exchange(at, at->next)->done.v();
      });
      watched->cancel();
      order += '5';
    });
    watched->cancel();
    order += '4';
    fake().loop = kAlarmLoop;
  });
  Alarm alarm(10, &handler, Alarm::INFINITE);
  watched = &alarm;
  serve_until(100 * kMicrosecond);
  EXPECT_EQ(order, "h54");
}

TEST_F(Alarms, StormsDoNotStarveOthers) {
  rings = 0;
  static unsigned storms;
  storms = 0;
  Handler_Function storm([] {
    ++storms;
    fake().now += 10 * kMicrosecond;
  });
  Alarm endless(0, &storm, Alarm::INFINITE);
  Alarm behind(1, &storm, Alarm::INFINITE);
  Alarm other(100, &ring, Alarm::INFINITE);
  serve_until(10'000 * kMicrosecond);
  EXPECT_GE(rings, 99u);
  EXPECT_GE(storms, 999u);
}

TEST_F(Alarms, GiveSemaphores) {
  Semaphore events(0);
  Handler_Semaphore handler(&events);
  Alarm alarm(10, &handler, 2);
  serve_until(100 * kMicrosecond);
  EXPECT_TRUE(events.p(0) && events.p(0) && !events.p(0));
}

TEST_F(Alarms, BeyondTheEndOfTimeDoNotRing) {
  rings = 0;
  fake().now = UINT64_MAX - 1'000'000;
  Alarm alarm(UINT64_MAX, &ring, Alarm::INFINITE);
  Alarm other(2'000'000, &ring, Alarm::INFINITE);
  serve_until(fake().now + 500'000);
  EXPECT_EQ(rings, 0u);
}

TEST_F(Alarms, DelayTheirCaller) {
  fake().now = 5;
  Alarm::delay(1'500);
  EXPECT_EQ(fake().now, 1'500'005u);
  Alarm::delay(UINT64_MAX);
  EXPECT_EQ(fake().now, UINT64_MAX);
}

// --- Alarms against a slow model ---

/// One alarm: of its k-th event the instant is start + k * interval, by multiplication.
struct Plan {
  uint64_t start, interval;
  int64_t times;             // -1: for ever
  uint64_t cost;             // of its handler
  uint64_t cancelled_after;  // so many calls, by its own handler; 0: never
};

struct Call {
  size_t alarm;
  uint64_t at;
  friend bool operator==(const Call&, const Call&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Call& call) {
    return out << call.alarm << '@' << call.at;
  }
};

/// All calls that begin before `end`. Whoever is due waits for at most one call of each other.
std::vector<Call> model(const std::vector<Plan>& plans, uint64_t end) {
  std::vector<Call> calls;
  std::vector<int64_t> done(plans.size(), 0);
  std::vector<size_t> round;  // had their turn
  const auto over = [&](size_t i) {
    return (plans[i].times >= 0 && done[i] >= plans[i].times) ||
           (plans[i].cancelled_after > 0 && done[i] >= int64_t(plans[i].cancelled_after));
  };
  const auto due = [&](size_t i) { return plans[i].start + (done[i] + 1) * plans[i].interval; };
  uint64_t now = 0;
  for (;;) {
    std::vector<std::pair<uint64_t, size_t>> waiting;
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < plans.size(); ++i) {
      if (over(i)) continue;
      if (due(i) <= now) {
        waiting.emplace_back(due(i), i);
      } else {
        next = std::min(next, due(i));
      }
    }
    std::sort(waiting.begin(), waiting.end());
    const auto turn = std::find_if(waiting.begin(), waiting.end(), [&](const auto& event) {
      return std::find(round.begin(), round.end(), event.second) == round.end();
    });
    if (turn != waiting.end()) {
      const size_t i = turn->second;
      calls.push_back({i, now});
      round.push_back(i);
      ++done[i];
      now += plans[i].cost;
      if (now >= end) return calls;
    } else {
      round.clear();
      if (!waiting.empty()) continue;
      if (next >= end) return calls;
      now = next;
    }
  }
}

class Recorder final : public Handler {
 public:
  Recorder(size_t number, const Plan& plan, std::vector<Call>& calls)
      : number_(number), plan_(plan), calls_(calls) {}
  void operator()() override {
    calls_.push_back({number_, fake().now});
    if (++done_ == plan_.cancelled_after) alarm->cancel();
    fake().now += plan_.cost;
  }
  Alarm* alarm = nullptr;

 private:
  size_t number_;
  Plan plan_;
  std::vector<Call>& calls_;
  uint64_t done_ = 0;
};

RC_GTEST_PROP(AlarmsAndModel, CallTheSameHandlersAtTheSameInstants, ()) {
  reset_fake();
  const auto count = *rc::gen::inRange<size_t>(1, 6);
  std::vector<Plan> plans;
  for (size_t i = 0; i < count; ++i) {
    plans.push_back({0, *rc::gen::element<uint64_t>(0, 1, 2, 3, 5, 10, 30) * kMicrosecond,
                     *rc::gen::element<int64_t>(-1, 1, 2, 7), *rc::gen::inRange<uint64_t>(0, 6000),
                     *rc::gen::inRange<uint64_t>(0, 4)});
    if (plans.back().interval == 0) plans.back().cost += 500;
  }
  constexpr uint64_t kEnd = 100 * kMicrosecond;
  std::vector<Call> calls;
  {
    std::vector<std::unique_ptr<Recorder>> handlers;
    std::vector<std::unique_ptr<Alarm>> alarms;
    for (size_t i = 0; i < count; ++i) {
      handlers.push_back(std::make_unique<Recorder>(i, plans[i], calls));
      alarms.push_back(std::make_unique<Alarm>(plans[i].interval / kMicrosecond,
                                               handlers.back().get(), int(plans[i].times)));
      handlers.back()->alarm = alarms.back().get();
    }
    serve_until(kEnd);
  }
  RC_ASSERT(calls == model(plans, kEnd));
}

// --- Clocks ---

TEST_F(Clocks, CountFromTheStartUntilTheyAreSet) {
  hocket::services::shared_clock.seconds = hocket::services::shared_clock.since = 0;
  hocket::services::shared_clock.set = false;
  Clock clock;
  fake().now = 2'999'999'999;
  EXPECT_EQ(clock.now(), 2u);
  EXPECT_FALSE(clock.is_set());
  clock.now(1'760'000'000);
  EXPECT_TRUE(clock.is_set());
  fake().now += 999'999'999;
  EXPECT_EQ(Clock::now(), 1'760'000'000u);
  fake().now += 1;
  EXPECT_EQ(Clock().now(), 1'760'000'001u);
}

TEST_F(Clocks, ChronometersMeasure) {
  fake().now = 5'000;
  Chronometer chron;
  EXPECT_EQ(chron.read(), 5u) << "since the board's start";
  chron.start();
  fake().now += 1'999;
  EXPECT_EQ(chron.read(), 1u);
  chron.start();
  fake().now += 1;
  chron.stop();
  fake().now += 77'000;
  chron.stop();
  EXPECT_EQ(chron.read(), 2u);
  chron.start();
  EXPECT_EQ(chron.read(), 0u);
  chron.reset();
  EXPECT_EQ(chron.read(), fake().now / 1'000);
}

// --- Threads ---

std::string done;
Thread* the_thread;

void work(unsigned number) {
  fake().loop = 254 - number;
  hocket::services::work(number);
  fake().loop = 0;
}

TEST_F(Threads, RunTheirFunctionOnce) {
  done.clear();
  Thread thread([] {
    EXPECT_EQ(Thread::self(), the_thread);
    done += 'x';
    return 7;
  });
  the_thread = &thread;
  EXPECT_EQ(Thread::self(), nullptr);
  EXPECT_EQ(fake().permits, std::set<unsigned>{254});
  fake().parked = [] { work(0); };
  fake().loop = 1;
  EXPECT_EQ(thread.join(), 7);
  EXPECT_EQ(thread.join(), 7);
  EXPECT_EQ(done, "x");
  EXPECT_EQ(thread.state(), Thread::FINISHING);
  EXPECT_FALSE(fake().parked);
}

TEST_F(Threads, WaitForTheFirstResume) {
  done.clear();
  {
    Thread thread([] { return done += 'x', 0; }, Thread::SUSPENDED);
    EXPECT_EQ(thread.state(), Thread::SUSPENDED);
    work(0);
    EXPECT_EQ(done, "");
    thread.resume();
    work(0);
    EXPECT_EQ(done, "x");
  }
  Thread unused([] { return 0; }, Thread::SUSPENDED);  // its end waits for nobody
}

TEST_F(Threads, AreResumedByAlarms) {
  done.clear();
  Thread thread(
      [] {
        for (unsigned i = 0; i < 3; ++i) {
          done += 'x';
          Thread::self()->suspend();
        }
        return 0;
      },
      Thread::SUSPENDED);
  Handler_Thread handler(&thread);
  handler();
  handler();  // one event, with the first: it has not begun
  fake().parked = [&] {
    EXPECT_EQ(done, "x");
    EXPECT_EQ(thread.state(), Thread::SUSPENDED);
    handler();
    fake().parked = [&] {
      EXPECT_EQ(done, "xx");
      handler();
      fake().parked = [&] { handler(); };
    };
  };
  work(0);
  EXPECT_EQ(done, "xxx");
  EXPECT_EQ(thread.state(), Thread::FINISHING);
}

TEST_F(Threads, ThereAreNoMoreThanWorkers) {
  const auto nothing = [] { return 0; };
  {
    Thread first(nothing);
    Thread second(nothing);
    EXPECT_THROW(Thread{nothing}, std::runtime_error);
    EXPECT_THROW(Thread{nullptr}, std::runtime_error);
    EXPECT_THROW(first.suspend(), std::runtime_error);
    work(0);
    work(1);
    Thread third(nothing);
    work(0);
  }
  auto* heapless = new Thread(nothing);
  auto* other = new Thread(nothing);
  work(0);
  work(1);
  EXPECT_THROW(static_cast<void>(new Thread(nothing)), std::runtime_error);
  delete other;
  other = new Thread(nothing);
  work(0);
  delete heapless;
  delete other;
}

TEST_F(Threads, DoNotWaitForThemselves) {
  Thread thread([] {
    EXPECT_THROW(Thread::self()->join(), std::runtime_error);
    return 0;
  });
  work(0);
}

}  // namespace
