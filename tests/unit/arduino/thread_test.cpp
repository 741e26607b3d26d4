// Threads of sketches on their worker loops.
#include <set>
#include <stdexcept>
#include <string>

#include "time_services.h"

namespace {

using Threads = TimeServices;

std::string done;
Thread* the_thread;

void work(unsigned number) {
  fake().loop = hocket::services::kHighestThreadLoop - number;
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
  EXPECT_EQ(fake().permits, std::set<unsigned>{hocket::services::kHighestThreadLoop});
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
