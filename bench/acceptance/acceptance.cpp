// Of random sets of loops, how many does each test accept on several cores?
//
//   acceptance LOOPS CORES SETS SEED COSTS LOAD …     COSTS 0: pure work; 1: what the board virt costs
//
// For each load, in percent of all cores, a line of numbers: the load, the sets, and those accepted
// by Liu and Layland's bound, the exact test of fixed priorities, processor demand by earliest
// deadline first, and the same with loops in two parts; then of these, those with some loop in two
// parts. All but the last place first fit, the largest share first.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "admission/fixed_priority_analysis.h"
#include "admission/splitting.h"

namespace hocket::bench {
namespace {

constexpr unsigned kMostLoops = 32;
constexpr unsigned kMostCores = 8;
using Ticks = int64_t;  // nanoseconds
using Loops = std::vector<Demand<Ticks>>;

/// Repeatable everywhere (SplitMix64; Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  double unit() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }

 private:
  uint64_t state_;
};

/// UUniFast, drawn again while one asks for more than a core (Bini and Buttazzo 2005; Davis and
/// Burns 2009). Periods are log-uniform from 10 ms to 1 s, in whole microseconds.
Loops draw(Random& random, unsigned count, double load) {
  std::vector<double> shares(count);
  do {
    double left = load;
    for (unsigned i = 0; i + 1 < count; ++i) {
      const double rest = left * std::pow(random.unit(), 1.0 / (count - 1 - i));
      shares[i] = left - rest;
      left = rest;
    }
    shares[count - 1] = left;
  } while (*std::max_element(shares.begin(), shares.end()) > 1);
  Loops loops;
  for (unsigned i = 0; i < count; ++i) {
    const Ticks period = 1000 * static_cast<Ticks>(10'000 * std::pow(100, random.unit()));
    const auto budget = static_cast<Ticks>(shares[i] * static_cast<double>(period));
    loops.push_back({std::max<Ticks>(budget, 1), period, period, static_cast<uint8_t>(i)});
  }
  return loops;
}

/// The bound of Liu and Layland 1973, theorem 5, as an analysis of one core.
class BoundAnalysis : public FixedPriorityAnalysis<Ticks, kMostLoops> {
 public:
  unsigned first_misfit(unsigned rank) const {
    return utilization_ppm() <= utilization_bound_ppm() ? size() : rank;
  }
};

template <class Analysis>
bool fits_first(const Loops& loops, unsigned cores, const Overheads<Ticks>& overheads) {
  std::vector<Analysis> analyses(cores);
  for (Analysis& analysis : analyses) analysis.reset(overheads);
  bool all = true;
  // As Placement does, but without the search for what would fit.
  Loops sorted = loops;
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    const auto share_a = Analysis::utilization_ppm(a), share_b = Analysis::utilization_ppm(b);
    return share_a != share_b ? share_a > share_b : a.id < b.id;
  });
  for (const Demand<Ticks>& loop : sorted) {
    const bool placed = std::any_of(analyses.begin(), analyses.end(), [&](Analysis& analysis) {
      const unsigned rank = analysis.insert(loop);
      if (analysis.first_misfit(rank) == analysis.size()) return true;
      analysis.remove(rank);
      return false;
    });
    all = all && placed;
  }
  return all;
}

/// 0: no; 1: yes, in whole loops; 2: yes, some are split.
int fits_split(const Loops& loops, unsigned cores, const Overheads<Ticks>& overheads) {
  using Splitter = Splitting<Ticks, kMostLoops, kMostLoops, kMostCores>;
  std::vector<Splitter::Analysis> analyses(cores, Splitter::Analysis(overheads));
  std::vector<SplitRequest<Ticks>> requests(loops.size());
  for (size_t i = 0; i < loops.size(); ++i) requests[i].demand = loops[i];
  Splitter splitter(analyses.data(), cores);
  if (!splitter.place_all(requests.data(), static_cast<unsigned>(requests.size()))) return 0;
  const bool split = std::any_of(requests.begin(), requests.end(),
                                 [](const auto& request) { return request.parts == 2; });
  return split ? 2 : 1;
}

}  // namespace
}  // namespace hocket::bench

int main(int count, char** words) {
  using namespace hocket;
  using namespace hocket::bench;
  if (count < 7) return 2;
  const auto loops = static_cast<unsigned>(std::atoi(words[1]));
  const auto cores = static_cast<unsigned>(std::atoi(words[2]));
  const int sets = std::atoi(words[3]);
  if (loops < 1 || loops > kMostLoops || cores < 1 || cores > kMostCores || sets < 1) return 2;
  Overheads<Ticks> overheads;
  if (std::atoi(words[5]) != 0) {  // boards/virt/board.h
    overheads.costs = {.interrupt_entry = 200,
                       .context_switch = 1'500,
                       .timer_interrupt = 600,
                       .timer_lateness = 50,
                       .longest_masked = 1'800};
    overheads.several_cores = cores > 1;
  }
  for (int i = 6; i < count; ++i) {
    const double percent = std::atof(words[i]);
    Random random(static_cast<uint64_t>(std::atoll(words[4])) * 1'000'003 +
                  static_cast<uint64_t>(percent * 1000));
    int accepted[4] = {}, split = 0;
    for (int set = 0; set < sets; ++set) {
      const Loops drawn = draw(random, loops, percent / 100 * cores);
      accepted[0] += fits_first<BoundAnalysis>(drawn, cores, overheads);
      accepted[1] += fits_first<FixedPriorityAnalysis<Ticks, kMostLoops>>(drawn, cores, overheads);
      accepted[2] += fits_first<DeadlineAnalysis<Ticks, kMostLoops>>(drawn, cores, overheads);
      const int with = fits_split(drawn, cores, overheads);
      accepted[3] += with > 0;
      split += with > 1;
    }
    std::printf("%g %d %d %d %d %d %d\n", percent, sets, accepted[0], accepted[1], accepted[2],
                accepted[3], split);
  }
  return 0;
}
