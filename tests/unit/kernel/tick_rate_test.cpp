// Nanoseconds and ticks, against arithmetic of 128 bits.
#include "kernel/base/tick_rate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hocket {
namespace {

using Wide = unsigned __int128;
constexpr Wide kSecond = 1'000'000'000;

/// The boards' rates, those around them, and ends of the range.
template <class Check>
void for_all_rates(Check check) {
  check.template operator()<1'000'000'000>();
  check.template operator()<999'999'999>();
  check.template operator()<500'000'000>();
  check.template operator()<62'500'000>();
  check.template operator()<54'000'000>();
  check.template operator()<19'200'000>();
  check.template operator()<1'000'000>();
  check.template operator()<32'768>();
  check.template operator()<7>();
  check.template operator()<1>();
}

/// Spans of every size, often near whole units.
uint64_t any_span(uint64_t longest) {
  const uint64_t any = *rc::gen::arbitrary<uint64_t>() >> *rc::gen::inRange(0, 64);
  const uint64_t unit = *rc::gen::element<uint64_t>(1, 1'000, 1'000'000, 1'000'000'000, longest);
  const uint64_t near = any / unit * unit + static_cast<uint64_t>(*rc::gen::inRange(-2, 3));
  return smaller(near, longest);
}

TEST(TickRate, KnownSpans) {
  using Pi = TickRate<19'200'000>;
  static_assert(Pi::ticks_down(70'000'000) == 1'344'000);
  static_assert(Pi::ticks_up(70'000'000) == 1'344'000);
  static_assert(Pi::ticks_down(333'000) == 6'393 && Pi::ticks_up(333'000) == 6'394);
  static_assert(Pi::ns_down(1) == 52 && Pi::ns_up(1) == 53);
  static_assert(Pi::ns_down(19'200'000ull * 86'400) == 86'400'000'000'000);
  static_assert(TickRate<1'000'000>::ticks_up(1) == 1 && TickRate<1'000'000>::ticks_down(999) == 0);
}

RC_GTEST_PROP(TickRate, IsExactDivision, ()) {
  for_all_rates([]<uint64_t kHz>() {
    using Rate = TickRate<kHz>;
    const uint64_t ns = any_span(Rate::kLongestNs);
    RC_ASSERT(Rate::ticks_down(ns) == Wide{ns} * kHz / kSecond);
    RC_ASSERT(Rate::ticks_up(ns) == (Wide{ns} * kHz + kSecond - 1) / kSecond);
    const uint64_t ticks = any_span(Rate::ticks_up(Rate::kLongestNs));
    RC_ASSERT(Rate::ns_down(ticks) == Wide{ticks} * kSecond / kHz);
    RC_ASSERT(Rate::ns_up(ticks) == (Wide{ticks} * kSecond + kHz - 1) / kHz);
  });
}

/// A tick is at least a nanosecond, so it survives the way to nanoseconds and back.
RC_GTEST_PROP(TickRate, TicksSurviveBothWays, ()) {
  for_all_rates([]<uint64_t kHz>() {
    using Rate = TickRate<kHz>;
    const uint64_t ticks = any_span(Rate::ticks_down(Rate::kLongestNs));
    RC_ASSERT(Rate::ticks_up(Rate::ns_down(ticks)) == ticks);
    RC_ASSERT(Rate::ticks_down(Rate::ns_up(ticks)) == ticks);
  });
}

RC_GTEST_PROP(TickRate, NoPromiseIsLost, ()) {
  for_all_rates([]<uint64_t kHz>() {
    using Rate = TickRate<kHz>;
    const uint64_t period_ns = larger<uint64_t>(any_span(Rate::kLongestNs), 1);
    const uint64_t deadline_ns =
        *rc::gen::arbitrary<bool>() ? period_ns : larger<uint64_t>(any_span(period_ns), 1);
    const uint64_t budget_ns =
        *rc::gen::arbitrary<bool>() ? deadline_ns : larger<uint64_t>(any_span(deadline_ns), 1);
    const TickDemand d = Rate::demand(budget_ns, period_ns, deadline_ns);
    RC_ASSERT(0u < d.budget && d.budget <= d.deadline && d.deadline <= d.period);
    if (deadline_ns == period_ns) RC_ASSERT(d.deadline == d.period);
    if (budget_ns == deadline_ns) RC_ASSERT(d.budget == d.deadline);
    const Wide period = Wide{period_ns} * kHz;  // in billionths of a tick
    const Wide deadline = Wide{deadline_ns} * kHz;
    const Wide budget = Wide{budget_ns} * kHz;
    // Shorter than a tick, nothing can be kept; it becomes one tick and admission refuses it.
    if (deadline >= kSecond) {
      RC_ASSERT(d.period * kSecond <= period && period - d.period * kSecond < kSecond);
      RC_ASSERT(d.deadline * kSecond <= deadline && deadline - d.deadline * kSecond < kSecond);
      RC_ASSERT(d.budget * kSecond < budget + kSecond);
      RC_ASSERT(d.budget * kSecond >= budget || d.budget == d.deadline);
    }
  });
}

}  // namespace
}  // namespace hocket
