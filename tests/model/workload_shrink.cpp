// Smaller workloads that fail as well.
#include <algorithm>

#include "workload.h"

namespace hocket::test {
namespace {

bool valid(const Workload& set) {
  if (set.servers.empty() || set.horizon < 1 || set.refills < 2 || set.finest < 1) return false;
  const Costs& c = set.costs;
  if (c.interrupt < c.entry || c.masked < std::max({c.entry + c.change, c.change + 1, c.interrupt}))
    return false;
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const Body& b = set.servers[i].body;
    if (b.work_least < 1 || b.work_least > b.work_most || b.nap_least < 1 ||
        b.nap_least > b.nap_most)
      return false;
    if (b.gap_least > b.gap_most || b.wakes >= static_cast<Ticks>(set.servers.size())) return false;
    if (b.wakes == static_cast<Ticks>(i)) return false;
    const WorkServer& s = set.servers[i];
    if (s.io < 0 || s.io > 1 || (s.io == 0 ? s.top_half != 0 : s.top_half < c.interrupt))
      return false;
    if (s.io != 0 &&
        (b.wait != Body::Wait::Event || b.hold != 0 ||
         c.masked < std::max(s.top_half, c.entry + s.top_half - c.interrupt + c.change)))
      return false;
    if (b.wakes >= 0 && set.servers[static_cast<std::size_t>(b.wakes)].io != 0) return false;
    if (b.wakes >= 0 &&
        set.servers[static_cast<std::size_t>(b.wakes)].body.wait != Body::Wait::Event)
      return false;
    if (b.hold > 0 && b.ceiling >= static_cast<Ticks>(i)) return false;
    if (b.masks > c.masked || (s.turns != 0 && (s.io != 0 || b.hold != 0))) return false;
    if (i > 0 && s.turns < set.servers[i - 1].turns) return false;
    if (i > 0 && s.turns == set.servers[i - 1].turns &&
        set.servers[i].period < set.servers[i - 1].period)
      return false;
  }
  return bounds_of(set).has_value();
}

class Shrinker {
 public:
  Shrinker(Workload set, const std::function<bool(const Workload&)>& fails, int calls)
      : set_(std::move(set)), fails_(fails), calls_(calls) {}

  Workload run() {
    bool smaller = true;
    while (smaller && calls_ > 0) {
      smaller = remove_servers();
      std::size_t count = 0;
      visit_numbers(set_, [&](const char*, Ticks&) { ++count; });
      for (std::size_t i = 0; i < count; ++i) smaller |= lower(i);
    }
    return set_;
  }

 private:
  bool keep(const Workload& candidate) {
    if (calls_ <= 0 || candidate == set_ || !valid(candidate)) return false;
    --calls_;
    if (!fails_(candidate)) return false;
    set_ = candidate;
    return true;
  }

  bool remove_servers() {
    bool any = false;
    for (std::size_t i = set_.servers.size(); i-- > 0;) {
      Workload candidate = set_;
      candidate.servers.erase(candidate.servers.begin() + static_cast<std::ptrdiff_t>(i));
      for (WorkServer& s : candidate.servers) {
        Body& b = s.body;
        b.wakes = b.wakes == static_cast<Ticks>(i)
                      ? -1
                      : b.wakes - (b.wakes > static_cast<Ticks>(i) ? 1 : 0);
        b.ceiling -= b.ceiling > static_cast<Ticks>(i) ? 1 : 0;
      }
      any |= keep(candidate);
    }
    return any;
  }

  /// Lowers one number: to 0 or 1, else by halves, else by one.
  bool lower(std::size_t which) {
    bool any = false;
    const auto number = [which](Workload& set) {
      Ticks* found = nullptr;
      std::size_t i = 0;
      visit_numbers(set, [&](const char*, Ticks& n) {
        if (i++ == which) found = &n;
      });
      return found;
    };
    for (Ticks step = *number(set_); step > 0;) {
      Workload candidate = set_;
      *number(candidate) -= step;
      if (keep(candidate)) {
        any = true;
        step = std::min(step, *number(set_));
      } else {
        step /= 2;
      }
    }
    return any;
  }

  Workload set_;
  const std::function<bool(const Workload&)>& fails_;
  int calls_;
};

}  // namespace

Workload shrink(Workload set, const std::function<bool(const Workload&)>& fails, int most_calls) {
  return Shrinker(std::move(set), fails, most_calls).run();
}

}  // namespace hocket::test
