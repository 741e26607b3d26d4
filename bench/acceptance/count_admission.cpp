// What it takes to admit loops on one core, counted under valgrind (bench/kernel/counter.h):
//
//   count_admission KIND LOAD LOOPS [LARGE]
//
// KIND: periods log-uniform from 100 ms to 10 s (random), equal, or powers of two (harmonic). LOAD
// in percent of the core, with what the kernel costs; LARGE: one loop more with so many percent.
// Counted is placing all of them, with what is said of those that are refused, and then every
// bound, as a sketch's admission does. Printed: how many were placed.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "admission/fixed_priority_analysis.h"
#include "admission/placement.h"
#include "bench/kernel/counter.h"

namespace hocket::bench {
namespace {

constexpr unsigned kMostLoops = 1'024;
constexpr unsigned kMostRefusals = 8;  // as many as a report has (arduino/runtime/refusals.h)
using Ticks = int64_t;
using Analysis = FixedPriorityAnalysis<Ticks, kMostLoops>;
using Requests = std::vector<Request<Ticks>>;

/// What the board virt costs, in nanoseconds.
constexpr Overheads<Ticks> kOverheads{.costs = {.interrupt_entry = 300,
                                                .context_switch = 700,
                                                .timer_interrupt = 1'000,
                                                .timer_lateness = 500,
                                                .longest_masked = 5'000}};

/// Repeatable (SplitMix64), in (0, 1).
double unit() {
  static uint64_t state = 1;
  uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (static_cast<double>((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

Ticks draw_period(const char* kind) {
  constexpr double kShortest = 100e6;
  if (std::strcmp(kind, "equal") == 0) return static_cast<Ticks>(10 * kShortest);
  if (std::strcmp(kind, "harmonic") == 0) {
    return static_cast<Ticks>(kShortest) << static_cast<unsigned>(unit() * 7);
  }
  return static_cast<Ticks>(kShortest * std::pow(100, unit()));
}

Request<Ticks> ask(double share, Ticks period, unsigned id) {
  Demand<Ticks> demand{static_cast<Ticks>(share * static_cast<double>(period)), period, period};
  demand.budget -= kOverheads.activation();
  demand.id = static_cast<uint8_t>(id);
  return {demand, /*pinned=*/0, kAnyCore};
}

/// Shares by UUniFast (Bini and Buttazzo 2005).
Requests draw(const char* kind, double load, unsigned loops) {
  Requests requests;
  double left = load;
  for (unsigned i = 0; i < loops; ++i) {
    const unsigned others = loops - i - 1;
    const double next = others == 0 ? 0 : left * std::pow(unit(), 1.0 / others);
    requests.push_back(ask(left - next + 0.00003, draw_period(kind), i));
    left = next;
  }
  return requests;
}

unsigned admit(Analysis& analysis, Requests& requests) {
  Placement<Analysis, kMostLoops> placement(&analysis, 1);
  placement.place_all(
      requests.data(), static_cast<unsigned>(requests.size()), [](const auto&) {}, kMostRefusals);
  Ticks bound = 0;
  for (unsigned rank = 0; rank < analysis.size(); ++rank) {
    bound = analysis.response_time(rank, bound);
  }
  return analysis.size();
}

}  // namespace
}  // namespace hocket::bench

int main(int argc, char** argv) {
  using namespace hocket::bench;
  using hocket::kAnyCore;
  if (argc < 4) return 2;
  const auto loops = static_cast<unsigned>(std::atoi(argv[3]));
  Requests requests = draw(argv[1], std::atof(argv[2]) / 100, loops);
  if (argc > 4) {
    requests.push_back(ask(std::atof(argv[4]) / 100, 1'000'000'000, loops));
    requests.back().pinned = kAnyCore;  // so it chooses last
  }
  const auto analysis = std::make_unique<Analysis>(kOverheads);
  counting_starts();
  const unsigned placed = admit(*analysis, requests);
  counting_stops();
  CALLGRIND_DUMP_STATS_AT("admission");
  std::printf("%u of %zu\n", placed, requests.size());
  return 0;
}
