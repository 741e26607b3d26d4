// Alarms: order, repetition without drift, and handlers that change the queue.
#include "kernel/time/alarm_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace hocket {
namespace {

using Queue = AlarmQueue<int64_t, 4>;
using Instant = Queue::Instant;
using TestAlarm = Alarm<int64_t>;

std::vector<int> rung;
void ring(void* argument) {
  rung.push_back(static_cast<int>(reinterpret_cast<intptr_t>(argument)));
}

TestAlarm make(int64_t due, int name, int64_t period = 0, uint32_t times = 1) {
  TestAlarm alarm;
  alarm.handler = &ring;
  alarm.argument = reinterpret_cast<void*>(static_cast<intptr_t>(name));
  alarm.due = Instant(due);
  alarm.period = TestAlarm::Duration(period);
  alarm.times = times;
  return alarm;
}

class AlarmQueueTest : public ::testing::Test {
 protected:
  void SetUp() override { rung.clear(); }
  /// When the first alarm is due; -1: there is none.
  int64_t next() const {
    Instant when;
    return queue.sooner(/*wanted=*/false, when) ? when.ticks() : -1;
  }
  void run_due(int64_t now) {
    if (queue.due(Instant(now))) queue.run_due(Instant(now), [](auto call) { call(); });
  }
  Queue queue;
};

TEST_F(AlarmQueueTest, RunsInOrderOfInstants) {
  TestAlarm late = make(30, 3), early = make(10, 1), middle = make(20, 2);
  EXPECT_TRUE(queue.start(late) && queue.start(early) && queue.start(middle));
  EXPECT_EQ(next(), 10);
  run_due(20);
  EXPECT_EQ(rung, (std::vector<int>{1, 2}));
  EXPECT_EQ(next(), 30);
}

TEST_F(AlarmQueueTest, APeriodicOneNeverDrifts) {
  TestAlarm alarm = make(7, 1, 10, TestAlarm::kForever);
  EXPECT_TRUE(queue.start(alarm));
  for (int64_t late = 0; late < 1000; ++late) {
    const int64_t due = 7 + 10 * late;
    EXPECT_EQ(next(), due);
    run_due(due + late % 9);
  }
  EXPECT_EQ(rung.size(), 1000u);
}

TEST_F(AlarmQueueTest, FiresAsOftenAsAskedAndOncePerMissedInstant) {
  TestAlarm alarm = make(10, 1, 10, 4);
  EXPECT_TRUE(queue.start(alarm));
  run_due(35);
  EXPECT_EQ(rung.size(), 3u);
  run_due(1000);
  EXPECT_EQ(rung.size(), 4u);
  EXPECT_FALSE(alarm.active());
  EXPECT_EQ(next(), -1);
}

TEST_F(AlarmQueueTest, IsBoundedAndCancels) {
  TestAlarm alarms[5] = {make(1, 0), make(2, 1), make(3, 2), make(4, 3), make(5, 4)};
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(queue.start(alarms[i]));
  EXPECT_FALSE(queue.start(alarms[4]));
  queue.cancel(alarms[0]);
  queue.cancel(alarms[0]);  // again is harmless
  EXPECT_TRUE(queue.start(alarms[4]));
  run_due(100);
  EXPECT_EQ(rung, (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(AlarmQueueTest, RefusesWhatWouldNeverEnd) {
  TestAlarm alarm = make(10, 1, /*period=*/0, TestAlarm::kForever);
  EXPECT_FALSE(queue.start(alarm));
  alarm = make(10, 1, -5, 3);
  EXPECT_FALSE(queue.start(alarm));
  EXPECT_EQ(next(), -1);
}

TEST_F(AlarmQueueTest, RefusesAnAlarmThatIsActive) {
  TestAlarm alarm = make(10, 1);
  EXPECT_TRUE(queue.start(alarm));
  EXPECT_FALSE(queue.start(alarm));
  run_due(10);
  EXPECT_EQ(rung.size(), 1u);
}

TEST_F(AlarmQueueTest, AHandlerMayCancelItsOwnAlarm) {
  struct Self {
    Queue* queue;
    TestAlarm alarm;
  } self{&queue, make(5, 0, 5, TestAlarm::kForever)};
  self.alarm.argument = &self;
  self.alarm.handler = [](void* argument) {
    auto* me = static_cast<Self*>(argument);
    rung.push_back(9);
    me->queue->cancel(me->alarm);
  };
  EXPECT_TRUE(queue.start(self.alarm));
  run_due(1000);
  EXPECT_EQ(rung, (std::vector<int>{9}));
}

TEST(OneAlarm, IsCalledOnceAndMayBeStartedInItsHandler) {
  using One = AlarmQueue<int64_t, 1>;
  static One queue;
  static TestAlarm alarm;
  rung.clear();
  alarm = make(10, 1);
  alarm.handler = [](void* argument) {
    EXPECT_TRUE(queue.runs() && queue.runs(alarm));
    ring(argument);
    alarm.due = Instant(30);
    EXPECT_TRUE(queue.start(alarm));
  };
  EXPECT_TRUE(queue.start(alarm));
  TestAlarm other = make(5, 2);
  EXPECT_FALSE(queue.start(other)) << "there is room for one";
  TestAlarm often = make(5, 3, 1, 2);
  queue.cancel(other);  // not that one
  EXPECT_FALSE(queue.due(Instant(9)));
  EXPECT_TRUE(queue.due(Instant(10)));
  Instant when(20);
  EXPECT_TRUE(queue.sooner(true, when));
  EXPECT_EQ(when, Instant(10));
  queue.run_due(Instant(10), [](auto call) { call(); });
  EXPECT_EQ(rung, (std::vector<int>{1}));
  EXPECT_FALSE(queue.runs());
  EXPECT_FALSE(queue.due(Instant(29)));
  EXPECT_TRUE(queue.due(Instant(30)));
  queue.cancel(alarm);
  EXPECT_FALSE(queue.due(Instant(30)));
  EXPECT_FALSE(queue.sooner(false, when));
  EXPECT_FALSE(queue.start(often)) << "called once";
}

}  // namespace
}  // namespace hocket
