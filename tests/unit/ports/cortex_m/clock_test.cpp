// The port's clock against a counter that is simulated: however narrow it is and whenever
// interrupts are masked, time is what has passed, and an alarm comes once, not early, and as soon
// as it can.
#include "ports/cortex_m/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace {

using namespace hocket::cortex_m;

/// A counter with a compare register, its interrupt line, and the processor that it interrupts.
/// Each access takes a few ticks, so that what has just been written may have passed already.
struct Machine {
  static inline unsigned bits = 32;
  static inline int64_t time = 0;  // the truth
  static inline uint64_t compare = 0;
  static inline bool pending = false, masked = true;
  static inline int64_t access = 1;
  static inline void (*interrupt)() = nullptr;

  static uint64_t mask() { return (uint64_t{1} << bits) - 1; }
  /// To the match, at least one tick from now.
  static int64_t to_match() {
    const uint64_t left = (compare - static_cast<uint64_t>(time)) & mask();
    return static_cast<int64_t>(left == 0 ? mask() + 1 : left);
  }
  static void pass(int64_t ticks) {
    while (ticks > 0) {
      const int64_t step = std::min(ticks, to_match());
      const bool matches = step == to_match();
      time += step;
      ticks -= step;
      if (matches) pending = true;
      deliver();
    }
  }
  static void deliver() {
    while (pending && !masked) {
      pending = false;
      masked = true;
      interrupt();
      masked = false;
    }
  }
};

template <unsigned kWidth>
struct Counter {
  static constexpr unsigned kBits = kWidth;
  static constexpr uint32_t kTickHz = 1'000'000;
  static constexpr unsigned kLine = 5;
  static void start() {}
  static uint32_t count() {
    Machine::pass(Machine::access);
    return static_cast<uint32_t>(static_cast<uint64_t>(Machine::time) & Machine::mask());
  }
  static void alarm_at(uint32_t count) {
    Machine::pass(Machine::access);
    Machine::compare = count;
  }
  static void acknowledge() {}
};
struct Control {
  static void enable(unsigned) {}
  static void pend(unsigned line) {
    ASSERT_EQ(line, 5u);
    Machine::pending = true;
  }
};

int64_t rung_at = -1;
unsigned rings = 0;
int64_t (*read_clock)() = nullptr;

template <unsigned kWidth>
void clock_is_exact() {
  using Clock = hocket::cortex_m::Clock<Counter<kWidth>, Control>;
  constexpr int64_t kTurn = int64_t{1} << kWidth;
  Machine::bits = kWidth;
  Machine::time = Clock::now();  // this width's clock goes on from the last case
  Machine::interrupt = &Clock::on_interrupt;
  Machine::masked = true;
  Machine::access = *rc::gen::inRange<int64_t>(1, 5);
  read_clock = &Clock::now;
  Clock::alarm_off();
  Clock::start();
  rings = 0;

  const auto span = [](int64_t most) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(0, most));
  };
  const auto distance = rc::gen::resize(
      rc::kNominalSize,
      rc::gen::oneOf(rc::gen::inRange<int64_t>(-100, 100), rc::gen::inRange<int64_t>(0, kTurn),
                     rc::gen::inRange<int64_t>(kTurn / 2 - 3, kTurn / 2 + 3),
                     rc::gen::inRange<int64_t>(0, 4 * kTurn)));
  for (unsigned round = 0; round < 20; ++round) {
    Machine::masked = true;
    const int64_t now = Clock::now();
    RC_ASSERT(now == Machine::time);
    const int64_t due = now + *distance;
    Clock::alarm_set(due);
    const bool cancelled = *rc::gen::inRange(0, 5) == 0;
    if (cancelled) Clock::alarm_off();
    // Some time later it is masked for less than half a turn: nobody may have read for the other.
    Machine::masked = false;
    Machine::deliver();
    Machine::pass(*span(kTurn));
    Machine::masked = true;
    const int64_t masked_at = Machine::time;
    Machine::pass(*span(kTurn / 2 - 200));
    const int64_t unmasked_at = Machine::time;
    Machine::masked = false;
    Machine::deliver();
    while (Machine::time < due + 100) Machine::pass((due + 100 - Machine::time) / 3 + 1);
    Machine::masked = true;
    RC_ASSERT(rings == (cancelled ? 0u : 1u));
    if (!cancelled) {
      RC_ASSERT(rung_at >= due);
      const bool waits = masked_at < due + 12 * Machine::access && due < unmasked_at;
      RC_ASSERT(rung_at <= (waits ? unmasked_at : std::max(due, now)) + 12 * Machine::access);
    }
    RC_ASSERT(Clock::now() == Machine::time);
    rings = 0;
  }
}

RC_GTEST_PROP(Clock, Of16Bits, ()) {
  clock_is_exact<16>();
}
RC_GTEST_PROP(Clock, Of24Bits, ()) {
  clock_is_exact<24>();
}
RC_GTEST_PROP(Clock, Of32Bits, ()) {
  clock_is_exact<32>();
}

}  // namespace

extern "C" void hocket_timer_interrupt() {
  rung_at = read_clock();
  ++rings;
}
