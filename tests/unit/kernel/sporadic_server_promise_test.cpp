// The sporadic server against a plain list that keeps the rules 6 to 9 of
// docs/decisions/who-pays.md word for word, and by what it promises: in no window more than its
// due, and how little is lost to joining.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>

#include "small_server.h"

namespace hocket::small_server {
namespace {

// --- Against a plain list ---

/// The rules, in as few words as there are, with a list that grows.
class PlainServer {
 public:
  struct Refill {
    int64_t time, amount;
    int64_t end() const { return time + amount; }
  };

  PlainServer(int64_t budget, int64_t period, unsigned limit, unsigned spread)
      : list{{0, budget}},
        budget_(budget),
        period_(period),
        most_spread_(period >> spread),
        limit_(limit) {}

  void consume(int64_t used) { consumed += used; }
  void unblock(int64_t at) {
    const int64_t shift = at - consumed - list[0].time;
    if (shift > 0) {
      if (consumed > 0 && (moved_ + shift > most_spread_ || consumed > period_ / 2)) {
        put_down();
        list[0].time = std::max(list[0].time, at);
      } else {
        if (consumed > 0) moved_ += shift;
        list[0].time += shift;
      }
    }
    while (list.size() > 1 && list[1].time <= list[0].end()) {
      list[0].amount += list[1].amount;
      list.erase(list.begin() + 1);
    }
  }
  void stop(int64_t smallest) {
    if (list[0].amount - consumed >= smallest) return;
    put_down();
    while (list.size() > 1 && list[0].amount < smallest) {
      list[1] = {list[1].time - list[0].amount, list[1].amount + list[0].amount};
      list.erase(list.begin());
    }
  }

  void join_crumbs(int64_t activation) {
    while (list.size() > 1 && loss(0) < activation * (period_ - budget_)) {
      list[1] = {list[1].time - list[0].amount, list[1].amount + list[0].amount};
      list.erase(list.begin());
    }
  }

  std::vector<Refill> list;
  int64_t consumed = 0;
  int64_t worst_loss = 0;  // of a join: the amount delayed times how long

 private:
  void put_down() {
    moved_ = 0;
    while (consumed > 0) {
      const int64_t part = std::min(consumed, list[0].amount);
      const Refill back{list[0].time + period_, part};
      list[0] = {list[0].time + part, list[0].amount - part};
      if (list[0].amount == 0) list.erase(list.begin());
      give_back(back);
      consumed -= part;
    }
  }
  void give_back(const Refill& refill) {
    if (!list.empty() && list.back().end() >= refill.time) {
      list.back().amount += refill.amount;
      return;
    }
    list.push_back(refill);
    if (list.size() <= limit_) return;
    const size_t newest = list.size() - 2;
    size_t best = newest;
    for (size_t i = 1; i < newest; ++i) {
      if (loss(i) < loss(best)) best = i;
    }
    worst_loss = std::max(worst_loss, loss(best));
    list[best + 1] = {list[best + 1].time - list[best].amount,
                      list[best + 1].amount + list[best].amount};
    list.erase(list.begin() + static_cast<ptrdiff_t>(best));
  }
  int64_t loss(size_t i) const { return (list[i + 1].time - list[i].end()) * list[i].amount; }

  int64_t budget_, period_, most_spread_, moved_ = 0;
  size_t limit_;
};

template <unsigned kRefills>
struct Twins {
  SporadicServer<int64_t, kRefills> server;
  PlainServer plain;

  Twins(int64_t budget, int64_t period, unsigned limit)
      : plain(budget, period, limit, SporadicServer<int64_t, kRefills>::kSpread) {
    server.reset(Duration(budget), Duration(period), Instant(0), limit);
  }
  void consume(int64_t used) {
    server.consume(Duration(used));
    plain.consume(used);
  }
  void unblock(int64_t at) {
    stop(1);
    wake(server, Instant(at));
    plain.unblock(at);
    compare();
  }
  void stop(int64_t smallest) {
    server.stop(Duration(smallest));
    plain.stop(smallest);
    compare();
  }
  void join_crumbs(int64_t activation) {
    server.join_crumbs(Duration(activation));
    plain.join_crumbs(activation);
    compare();
  }
  void compare() const {
    Pairs expected;
    for (const auto& refill : plain.list) expected.emplace_back(refill.time, refill.amount);
    RC_ASSERT(pairs(server) == expected);
    RC_ASSERT(server.consumed() == Duration(plain.consumed));
  }
};

template <unsigned kRefills>
void agrees_with_a_plain_list(const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps) {
  const auto budget = *rc::gen::inRange<int64_t>(2, 300);
  const auto period = budget + *rc::gen::inRange<int64_t>(0, 3000);
  const auto smallest = *rc::gen::inRange<int64_t>(1, budget + 1);
  // (So few have no smaller limit.)
  const unsigned limit = kRefills > 3 ? *rc::gen::inRange(2u, kRefills + 1) : kRefills;
  Twins<kRefills> twins(budget, period, limit);
  int64_t now = 0;
  for (const auto& [what, amount, pause] : steps) {
    switch (what % 4) {
      case 0:  // uses much, perhaps more than there is
        twins.consume(amount);
        now += amount;
        twins.stop(smallest);
        if (pause % 2 == 0 && !twins.server.usable(Instant(now))) twins.join_crumbs(smallest);
        break;
      case 1:  // a long sleep
        now += int64_t{pause} * 8;
        twins.unblock(now);
        break;
      default:  // naps
        twins.consume(amount % 8);
        now += amount % 8 + pause % 16;
        twins.unblock(now);
        break;
    }
  }
}

RC_GTEST_PROP(SporadicServer, AgreesWithAPlainList,
              (const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  agrees_with_a_plain_list<3>(steps);
}
RC_GTEST_PROP(SporadicServer, AgreesWithAPlainListOfMany,
              (const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  agrees_with_a_plain_list<16>(steps);
}

/// The bound that is derived for rule 8: no join loses more than C·T/(N − 2)².
RC_GTEST_PROP(SporadicServer, AJoinLosesNoMoreThanItsBound,
              (const std::vector<std::tuple<uint8_t, uint8_t>>& steps)) {
  const auto budget = *rc::gen::inRange<int64_t>(20, 300);
  const auto period = budget + *rc::gen::inRange<int64_t>(0, 3000);
  const auto refills = *rc::gen::inRange(3u, 9u);
  Twins<8> twins(budget, period, refills);
  int64_t now = 0;
  for (const auto& [work, nap] : steps) {
    twins.unblock(now);
    for (int64_t left = work % 32; left > 0;) {
      now = std::max(now, twins.plain.list[0].time);
      const int64_t part = std::min(left, twins.server.rest().ticks());
      twins.consume(part);
      now += part;
      left -= part;
      twins.stop(1);
    }
    now += nap;
  }
  RC_ASSERT(twins.plain.worst_loss <= budget * period / ((refills - 2) * (refills - 2)));
}

// --- What it promises ---

/// An owner that works, is held up by others, and sleeps, tick by tick, and never runs without
/// budget.
struct Play {
  std::vector<bool> worked, pending;

  void run(const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps, int64_t budget,
           int64_t period, int64_t smallest) {
    Small server = make(budget, period, *rc::gen::inRange(2u, 5u));
    for (const auto& [work, held_up, sleep] : steps) {
      if (worked.size() > 3'000) return;
      wake(server, now());
      for (unsigned left = work % 32; left > 0;) {
        const bool usable = server.usable(now());
        const bool runs = usable && (worked.size() / 4 % 16) >= held_up % 16;
        pending.push_back(usable);
        worked.push_back(runs);
        if (!runs) continue;
        server.consume(Duration(1));
        --left;
        if (server.rest() > Duration(0)) continue;
        server.stop(Duration(smallest));
        if (!server.usable(now())) server.join_crumbs(Duration(smallest));
      }
      server.stop(Duration(smallest));
      pending.resize(pending.size() + sleep % 32, false);
      worked.resize(pending.size(), false);
    }
  }
  Instant now() const { return Instant(static_cast<int64_t>(worked.size())); }
};

/// From any instant at which it wants or has nothing, it takes no more than a task that is released
/// once a period: what the response times of the others count on.
RC_GTEST_PROP(SporadicServer, TakesNoMoreThanAPeriodicTask,
              (const std::vector<std::tuple<uint8_t, uint8_t, uint8_t>>& steps)) {
  const auto budget = *rc::gen::inRange<int64_t>(2, 30);
  const auto period = budget + *rc::gen::inRange<int64_t>(0, 200);
  Play play;
  play.run(steps, budget, period, *rc::gen::inRange<int64_t>(1, budget + 1));
  for (size_t begin = 0; begin < play.worked.size(); ++begin) {
    const bool pending_before = begin > 0 && play.pending[begin - 1];
    if (!play.pending[begin] || pending_before) continue;
    int64_t work = 0;
    for (size_t end = begin; end < play.worked.size(); ++end) {
      work += play.worked[end] ? 1 : 0;
      const auto window = static_cast<int64_t>(end + 1 - begin);
      if (work > (window + period - 1) / period * budget) RC_FAIL("more than its due");
    }
  }
}

/// What N refills of a server of C = 10,000 in T = 100,000 serve of it when it works and naps by
/// turns and nobody else runs.
template <unsigned kRefills>
double served(int64_t work, int64_t nap) {
  constexpr int64_t kBudget = 10'000, kPeriod = 100'000;
  SporadicServer<int64_t, kRefills> server;
  server.reset(Duration(kBudget), Duration(kPeriod), Instant(0));
  int64_t now = 0, done = 0;
  while (now < 100 * kPeriod) {
    wake(server, Instant(now));
    for (int64_t left = work; left > 0;) {
      now = std::max(now, server.time().ticks());
      const int64_t part = std::min(left, server.rest().ticks());
      server.consume(Duration(part));
      server.stop(Duration(1));
      now += part;
      left -= part;
      done += part;
    }
    now += nap;
  }
  return static_cast<double>(done) / static_cast<double>(now) * kPeriod / kBudget;
}

TEST(SporadicServer, NapsLoseLittle) {
  for (const int64_t work : {10, 100, 300, 700, 1'000, 3'000}) {
    for (const int64_t nap : {1, 10, 100, 399, 1'000, 1'600, 3'000}) {
      // Whoever naps for nine tenths of its time or more gets what it asks for.
      const double wanted = static_cast<double>(work) / static_cast<double>(work + nap) * 10;
      if (wanted < 1.5) continue;
      EXPECT_GT(served<16>(work, nap), 0.97) << work << " " << nap;
      EXPECT_GT(served<8>(work, nap), 0.93) << work << " " << nap;
      EXPECT_GT(served<4>(work, nap), 0.85) << work << " " << nap;
    }
  }
}

}  // namespace
}  // namespace hocket::small_server
