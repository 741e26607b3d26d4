// Alarms of sketches against a slow model of their own.
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "time_services.h"

namespace {

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
  std::vector<size_t> round;  // had their turn, and are due again
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
      ++done[i];
      if (!over(i) && due(i) <= now) round.push_back(i);
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

}  // namespace
