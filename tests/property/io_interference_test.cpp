// What I/O virtual CPUs take from those below, tried: the worst that a search finds never passes
// the bound, often meets it, and passes the one of a periodic task.
#include <algorithm>

#include "kernel_adapter.h"
#include "response_time.h"
#include "stable_order.h"
#include "support.h"

namespace hocket::test {
namespace {

/// An I/O virtual CPU with a utilisation of 1/n, up to two loops, and a victim below all.
TaskSet draw(Random& random) {
  TaskSet set;
  const Ticks share = random.between(2, 9);
  const Ticks budget = random.between(1, 12);
  set.servers.push_back({.name = "io",
                         .budget = budget,
                         .period = budget * share,
                         .deadline = budget * share,
                         .io = true});
  for (Ticks i = random.between(0, 2); i > 0; --i) {
    const Ticks period = random.between(10, 120);
    const Ticks part = random.between(1, std::max<Ticks>(1, period / 4));
    set.servers.push_back(
        {.name = "loop" + std::to_string(i), .budget = part, .period = period, .deadline = period});
  }
  const Ticks work = random.between(1, 60);
  set.servers.push_back({.name = "victim", .budget = work, .period = 2000, .deadline = 2000});
  set.horizon = 2000;
  return set;
}

/// All are released at 0. The I/O virtual CPU works a tick whenever it may, and from `from` on for
/// its whole budget at once: as little as possible is lost to rounding, and nothing to waiting.
TaskSet disturbed(TaskSet set, Ticks from) {
  const ServerSpec& io = set.servers.front();
  const Ticks share = io.period / io.budget;
  for (Ticks at = 0; at < from; at += share) set.works.push_back({0, at, 1});
  set.works.push_back({0, from, io.budget});
  for (std::size_t i = 1; i + 1 < set.servers.size(); ++i) {
    for (Ticks at = 0; at < set.horizon; at += set.servers[i].period) {
      set.works.push_back({i, at, set.servers[i].budget});
    }
  }
  set.works.push_back({set.servers.size() - 1, 0, set.servers.back().budget});
  sort_stably(set.works, [](const Work& a, const Work& b) { return a.at < b.at; });
  return set;
}

Ticks victims_response(const TaskSet& set) {
  for (const Response& r : simulate_kernel(set).responses) {
    if (r.server + 1 == set.servers.size()) return r.finish - r.release;
  }
  return set.horizon;
}

TEST(IoInterference, StaysWithinItsBoundAndMeetsIt) {
  int sets = 0, met = 0, beyond_periodic = 0;
  double nearest = 0, sum = 0;
  for (std::uint64_t seed = 0; sets < 400; ++seed) {
    Random random(seed);
    const TaskSet set = draw(random);
    const std::size_t victim = set.servers.size() - 1;
    const auto bound = response_bound(set, victim);
    if (!bound || *bound > 600) continue;
    ++sets;
    Ticks worst = 0;
    for (Ticks from = 0; from <= *bound; ++from) {
      const TaskSet tried = disturbed(set, from);
      worst = std::max(worst, victims_response(tried));
      ASSERT_LE(worst, *bound) << print(tried);
    }
    met += worst == *bound;
    const double near = static_cast<double>(worst) / static_cast<double>(*bound);
    nearest = std::max(nearest, near);
    sum += near;
    TaskSet periodic = set;
    periodic.servers.front().io = false;
    beyond_periodic += worst > *response_bound(periodic, victim);
  }
  RecordProperty("bound met", met);
  RecordProperty("mean of worst / bound, in thousandths", static_cast<int>(1000 * sum / sets));
  RecordProperty("beyond a periodic task's bound", beyond_periodic);
  EXPECT_GE(met, sets / 3);
  EXPECT_GE(beyond_periodic, sets / 20);
}

}  // namespace
}  // namespace hocket::test
