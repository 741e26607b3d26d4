// What the tests of the time services share: the fake system as one sketch with two threads, loop
// after loop. What happens at the same time: tests/stress.
#pragma once

#define HOCKET_THREADS 2
#include <TimeServices.h>
#include <gtest/gtest.h>

#include "fake_system.h"

constexpr uint64_t kMicrosecond = 1'000;
constexpr unsigned kAlarmLoop = hocket::services::AlarmLoopEntry<0>::id();

/// What `loop` does while another one is parked.
template <class Body>
auto in_loop(unsigned loop, Body body) {
  return [loop, body] {
    fake().loop = loop;
    body();
  };
}

/// The alarms' loop, up to an instant.
inline void serve_until(uint64_t until) {
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
    EXPECT_TRUE(hocket::services::alarms.queue.empty());
    EXPECT_EQ(fake().locks_held, 0u);
  }
};
