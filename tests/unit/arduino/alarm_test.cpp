// Alarms of sketches.
#include "time_services.h"

namespace {

using Alarms = TimeServices;

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

}  // namespace
