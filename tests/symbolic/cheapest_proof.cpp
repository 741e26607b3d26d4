// The pair that a full list joins, whatever the losses of the pairs are. The proof of append()
// looks at one order of the other pairs' losses only; here are all that comparing can tell apart:
// each loss is below, equal to, or above the least one before it.
#include <array>
#include <cstdio>

#include "kernel/sched/sporadic_server.h"

namespace hocket::symbolic {
namespace {

constexpr unsigned kMost = 16;

/// Its refills are one tick each, so what a pair loses is the gap in it.
class Chooser : public SporadicServer<int64_t, kMost> {
 public:
  struct Answer {
    unsigned pair;
    uint64_t loss;
  };
  Answer choose(const std::array<int64_t, kMost>& losses, unsigned pairs, int64_t least) {
    refill_.clear();
    Instant time(0);
    refill_.push_back({time, Duration(1)});
    time += Duration(1);
    for (unsigned i = 0; i < pairs; ++i) {
      refill_.push_back({time, Duration(1)});
      time += Duration(1 + losses[i]);
    }
    refill_.push_back({time, Duration(1)});
    const auto [pair, loss] = cheapest_pair(static_cast<Area>(least));
    return {pair, loss};
  }
};

struct Search {
  Chooser chooser;
  std::array<int64_t, kMost> losses{};
  unsigned long tried = 0;

  /// All losses of the pairs from `place` on; `pair` of those before is the first that loses least.
  bool all(unsigned place, unsigned pairs, int64_t first_least, unsigned pair, int64_t least) {
    if (place == pairs) {
      ++tried;
      const auto found = chooser.choose(losses, pairs, first_least);
      if (found.pair == pair && found.loss == static_cast<uint64_t>(least)) return true;
      std::printf("refuted: of losses below %lld", static_cast<long long>(first_least));
      for (unsigned i = 0; i < pairs; ++i) {
        std::printf(" %lld", static_cast<long long>(losses[i]));
      }
      std::printf(" pair %u was chosen, not %u\n", found.pair, pair);
      return false;
    }
    for (const int64_t loss : {least - 1, least, least + 1}) {
      losses[place] = loss;
      const bool lower = loss < least;
      const unsigned best = lower ? place + 1 : pair;
      if (!all(place + 1, pairs, first_least, best, lower ? loss : least)) return false;
    }
    return true;
  }
};

}  // namespace
}  // namespace hocket::symbolic

int main() {
  hocket::symbolic::Search search;
  for (unsigned pairs = 0; pairs + 2 <= hocket::symbolic::kMost; ++pairs) {
    if (!search.all(0, pairs, 100, 0, 100)) return 1;
  }
  std::printf("proved: %lu paths\n", search.tried);
  return 0;
}
