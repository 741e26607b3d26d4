// Admission on a clock that does not divide a second: what loops are promised, and what people
// read.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "arduino/runtime/sketches.h"

// One that fits; two that do not beside it, one of them with spans that are no whole ticks.
HOCKET_LOOP(1, 200us, 300us, onCore(0)) {}
HOCKET_PERIODIC(2, 333us, 1001us, 999us) {}
HOCKET_LOOP(3, 60500us, 100) {}

namespace hocket::runtime {

/// Whose spinlocks a direct handler must not wait for: none run here.
Sketches& sketches() {
  static Sketches none;
  return none;
}

namespace {

static_assert(Board::Port::kTickHz == 19'200'000);

struct Loaded {
  Program program = linked_program();
  Sketch sketch;
  Sketches sketches;
  const char* error = sketch.load(program);
  bool added = sketches.add(sketch);
};

TEST(Promise, PeriodsAreRoundedDownAndBudgetsUp) {
  const auto loaded = std::make_unique<Loaded>();
  ASSERT_EQ(loaded->error, nullptr);
  ASSERT_EQ(loaded->sketch.loop_count(), 3u);
  const TickDemand whole = promise(*loaded->sketch.loop(2).descriptor);
  EXPECT_EQ(whole.budget, 1'161'600u);
  EXPECT_EQ(whole.period, 1'920'000u);
  EXPECT_EQ(whole.deadline, 1'920'000u);
  const TickDemand odd = promise(*loaded->sketch.loop(1).descriptor);
  EXPECT_EQ(odd.budget, 6'394u);     // 6393.6
  EXPECT_EQ(odd.period, 19'219u);    // 19219.2
  EXPECT_EQ(odd.deadline, 19'180u);  // 19180.8
}

TEST(Admission, SpeaksOfTheSpansThatTheSketchAsksFor) {
  const auto loaded = std::make_unique<Loaded>();
  ASSERT_TRUE(loaded->added);
  Sketches& sketches = loaded->sketches;
  EXPECT_FALSE(sketches.admit(1));
  std::string all;
  for (unsigned i = 0; i < sketches.reason_count(); ++i) {
    all += std::string(sketches.reason(i)) + "\n";
  }
  EXPECT_EQ(all,
            "loop 2 asks for 333 us in every 1.001 ms and core 0 cannot guarantee it: it and all "
            "that comes before it have 1.134 ms of work due within 999 us and never keep up; the "
            "largest budget that would fit is 298 us.\n"
            "loop 3 asks for 60.500 ms in every 100 ms and core 0 cannot guarantee it: it and all "
            "that comes before it have 127.370 ms of work due within 100 ms and never keep up; the "
            "largest budget that would fit is 33.230 ms.\n");
}

}  // namespace
}  // namespace hocket::runtime
