// Semaphores of sketches.
#include "time_services.h"

namespace {

using Semaphores = TimeServices;

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

}  // namespace
