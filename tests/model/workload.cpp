// See workload.h.
#include "workload.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

#include "response_time.h"

namespace hocket::test {
namespace {

/// The longest lock of a server below that keeps the core from this one.
Ticks blocking(const Workload& set, std::size_t rank) {
  Ticks longest = 0;
  for (std::size_t i = rank + 1; i < set.servers.size(); ++i) {
    const Body& b = set.servers[i].body;
    if (b.ceiling <= static_cast<Ticks>(rank)) longest = std::max(longest, b.hold);
  }
  return longest;
}

std::optional<Ticks> bound_of(const Workload& set, std::size_t rank) {
  const Ticks lateness = set.costs.lateness;
  const Ticks alone = set.costs.masked + blocking(set, rank) + enforced_budget(set, rank) +
                      set.servers[rank].body.hold;
  for (Ticks response = alone;;) {
    Ticks next = alone;
    for (std::size_t j = 0; j < rank; ++j) {
      const Ticks period = set.servers[j].period;
      const Ticks releases = (response + lateness + period - 1) / period;
      next += set.servers[j].io != 0 ? taken_for_io(set, j, response + lateness)
                                     : releases * enforced_budget(set, j);
      next += overrun(set, j);
    }
    for (std::size_t j = 0; j < set.servers.size(); ++j) {
      if (j != rank) next += set.servers[j].top_half;
    }
    if (next + lateness > set.servers[rank].period) return std::nullopt;
    if (next == response) return response + lateness;
    response = next;
  }
}

/// What a ceiling holds back in an order by deadlines: all below it are taken for its users, and
/// one that wakes may be due C' earlier than a deadline later.
Ticks earliest_user(const Workload& set, std::size_t ceiling) {
  Ticks earliest = kLargestNumber;
  for (std::size_t i = ceiling; i < set.servers.size(); ++i) {
    earliest = std::min(earliest, set.servers[i].period - enforced_budget(set, i));
  }
  return ceiling == 0 ? 0 : earliest;
}

/// What is due by t, with parts of ticks as they are; `once`: whatever t is.
double due_by(const Workload& set, Ticks t, Ticks once) {
  double due = static_cast<double>(once);
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const WorkServer& s = set.servers[i];
    if (t < s.period || s.turns != 0) continue;
    const double periods = static_cast<double>(t) / static_cast<double>(s.period);
    const double budgets = s.io != 0 ? periods : static_cast<double>(t / s.period);
    due +=
        budgets * static_cast<double>(enforced_budget(set, i)) +
        static_cast<double>(overrun(set, i) + (set.costs.several_cores ? set.costs.interrupt : 0));
  }
  Ticks longest = 0;
  for (std::size_t i = 1; i < set.servers.size(); ++i) {
    const Body& b = set.servers[i].body;
    if (b.hold <= longest || t >= set.servers[i].period) continue;
    if (earliest_user(set, static_cast<std::size_t>(b.ceiling)) <= t) longest = b.hold;
  }
  for (std::size_t i = 0; i < set.servers.size(); ++i) {  // the timers of those not due by then
    const WorkServer& s = set.servers[i];
    const bool counts =
        s.io == 0 && s.turns == 0 && s.period - enforced_budget(set, i) < t && t < s.period;
    if (counts) longest += (set.costs.several_cores ? 2 : 1) * set.costs.interrupt;
  }
  return due + static_cast<double>(longest);
}

/// Where more may become due than just before, up to `end`. Between them, what is due grows with
/// Σ U of the I/O virtual CPUs.
std::vector<Ticks> instants(const Workload& set, Ticks end) {
  std::vector<Ticks> found;
  bool io = false;
  for (const WorkServer& s : set.servers) {
    io |= s.io != 0;
    if (s.turns != 0) continue;
    const Ticks last = s.io != 0 ? s.period : end;
    for (Ticks t = s.period; t <= last; t += s.period) found.push_back(t);
  }
  for (std::size_t i = 0; io && i < set.servers.size(); ++i) {  // blocking begins
    const WorkServer& s = set.servers[i];
    found.push_back(s.period - enforced_budget(set, i) + 1);
    if (s.body.hold > 0)
      found.push_back(earliest_user(set, static_cast<std::size_t>(s.body.ceiling)));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  const Ticks first =
      std::min_element(set.servers.begin(), set.servers.end(), [](const auto& a, const auto& b) {
        return a.period < b.period;
      })->period;
  std::erase_if(found, [&](Ticks t) { return t < first || t > end; });
  return found;
}

/// Whether no more is due than there is time, at any t. After the end of the line
/// Σ U · (t + T − D) + what comes once below t, where D = T, it never is.
bool nobody_is_late(const Workload& set) {
  constexpr double kFull = 0.9999, kFullOfMany = 0.97;  // many have many deadlines
  constexpr std::size_t kFew = 8;
  double load = 0;
  Ticks once = set.costs.masked + set.costs.lateness, held = 0, latest = 0;
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const WorkServer& s = set.servers[i];
    if (s.turns != 0) continue;
    const Ticks budget = enforced_budget(set, i);
    if (budget > s.period) return false;
    load += static_cast<double>(budget) / static_cast<double>(s.period);
    once += s.top_half;
    held += overrun(set, i) + 3 * set.costs.interrupt + s.body.hold;
    latest = std::max(latest, s.period);
  }
  if (load >= (set.servers.size() > kFew ? kFullOfMany : kFull)) return false;
  const auto end =
      std::max(latest, static_cast<Ticks>(static_cast<double>(once + held) / (1 - load)) + 1);
  const std::vector<Ticks> where = instants(set, end);
  return std::all_of(where.begin(), where.end(), [&](Ticks t) {
    return due_by(set, t, once) <= static_cast<double>(t) + 1e-9;
  });
}

constexpr std::array kWaits{"spin", "nap", "period", "event"};
constexpr std::array kWeathers{"longest", "none", "random", "extremes"};

template <std::size_t kCount>
std::optional<std::size_t> find(const std::array<const char*, kCount>& words,
                                const std::string& word) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (word == words[i]) return i;
  }
  return std::nullopt;
}

void visit_server(WorkServer& s, const std::function<void(const char*, Ticks&)>& visit) {
  visit("C", s.budget);
  visit("T", s.period);
  visit("io", s.io);
  visit("top_half", s.top_half);
  visit("turns", s.turns);
  Body& b = s.body;
  visit("phase", b.phase);
  visit("work_least", b.work_least);
  visit("work", b.work_most);
  visit("nap_least", b.nap_least);
  visit("nap", b.nap_most);
  visit("naps", b.naps);
  visit("wakes", b.wakes);
  visit("hold", b.hold);
  visit("ceiling", b.ceiling);
  visit("hold_most", b.hold_most);
  visit("masks", b.masks);
  visit("masks_behind", b.masks_behind);
  visit("gap_least", b.gap_least);
  visit("gap", b.gap_most);
  visit("other_core", b.other_core);
}

void visit_common(Workload& set, const std::function<void(const char*, Ticks&)>& visit) {
  visit("E", set.costs.entry);
  visit("S", set.costs.change);
  visit("I", set.costs.interrupt);
  visit("L", set.costs.lateness);
  visit("M", set.costs.masked);
  visit("horizon", set.horizon);
  visit("refills", set.refills);
  visit("finest", set.finest);
  visit("seed", set.seed);
}

/// Only what is not as in a new object.
template <typename Object, typename Visit>
void print_numbers(std::ostream& out, Object object, Visit visit) {
  std::vector<Ticks> plain;
  Object fresh;
  visit(fresh, [&](const char*, Ticks& number) { plain.push_back(number); });
  std::size_t i = 0;
  visit(object, [&](const char* name, Ticks& number) {
    if (number != plain[i++]) out << name << "=" << number << " ";
  });
}

}  // namespace

Ticks enforced_budget(const Workload& set, std::size_t rank) {
  return set.servers[rank].budget + set.costs.allowance() + set.servers[rank].top_half;
}

Ticks taken_for_io(const Workload& set, std::size_t rank, Ticks window) {
  const Ticks budget = enforced_budget(set, rank);
  return taken_for_io(std::max(window, budget), budget, set.servers[rank].period);
}

namespace {
Ticks ahead(const Workload& set, std::size_t rank) {
  return overrun(set, rank) + (set.costs.several_cores ? set.costs.interrupt : 0);
}
/// Until there is budget again, after all of it was used in so many activations, each of which is
/// charged with up to E + S more than it took.
Ticks wait_for_budget(const Workload& set, std::size_t rank, Ticks activations) {
  const Ticks budget = enforced_budget(set, rank);
  const Ticks charged_too_much = std::min(budget, activations * set.costs.end());
  return std::max<Ticks>(0, set.servers[rank].period - budget + charged_too_much);
}
}  // namespace

Ticks edge_bound(const Workload& set, std::size_t rank, const std::vector<Ticks>& bounds) {
  const WorkServer& s = set.servers[rank];
  const Ticks budget = enforced_budget(set, rank);
  Ticks used_up = 0;
  Ticks left = s.body.work_most;
  for (; left > s.budget; left -= s.budget) ++used_up;
  // Each activation may be late to end; what it used too much comes back after 1 / U times as long.
  const Ticks over = (used_up + 1) * ahead(set, rank);
  const Ticks late = (over * std::max<Ticks>(0, s.period - budget) + budget - 1) / budget;
  return wait_for_budget(set, rank, 1) + late + used_up * s.period + bounds[rank] -
         (s.budget - left);
}

Ticks start_bound(const Workload& set, std::size_t rank, const std::vector<Ticks>& bounds,
                  Ticks wakeups) {
  // By deadlines, what is left of a budget may be due as late as all of it.
  const Ticks left = set.by_deadline ? 0 : enforced_budget(set, rank);
  const bool overruns_apart =
      set.by_deadline || std::any_of(set.servers.begin(), set.servers.end(),
                                     [](const WorkServer& s) { return s.io != 0; });
  return wait_for_budget(set, rank, wakeups) + ahead(set, rank) + bounds[rank] - left +
         set.costs.end() + (overruns_apart ? 0 : set.servers[rank].period);
}

Ticks overrun(const Workload& set, std::size_t rank) {
  return set.costs.overrun() + set.servers[rank].body.hold;
}

std::optional<std::vector<Ticks>> bounds_of(const Workload& set) {
  std::vector<Ticks> bounds;
  if (set.by_deadline && !nobody_is_late(set)) return std::nullopt;
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    if (set.servers[i].turns != 0) {
      if (!set.by_deadline) return std::nullopt;
      bounds.push_back(kLargestNumber);
      continue;
    }
    const std::optional<Ticks> bound = set.by_deadline ? set.servers[i].period : bound_of(set, i);
    const Ticks least = set.servers[i].io != 0 ? 1 : std::max<Ticks>(1, set.costs.overrun());
    if (!bound || set.servers[i].budget < least) return std::nullopt;
    bounds.push_back(*bound);
  }
  return bounds;
}

void visit_numbers(Workload& set, const std::function<void(const char*, Ticks&)>& visit) {
  visit_common(set, visit);
  for (WorkServer& s : set.servers) visit_server(s, visit);
}

std::string print(const Workload& set) {
  std::ostringstream out;
  print_numbers(out, set, visit_common);
  out << (set.costs.several_cores ? "cores " : "") << (set.by_deadline ? "deadlines " : "")
      << kWeathers[static_cast<std::size_t>(set.weather)];
  for (const WorkServer& s : set.servers) {
    out << " | ";
    print_numbers(out, s, visit_server);
    out << kWaits[static_cast<std::size_t>(s.body.wait)];
  }
  return out.str();
}

std::optional<Workload> parse_workload(const std::string& line) {
  Workload set;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    if (word == "|") {
      set.servers.emplace_back();
    } else if (word == "cores") {
      set.costs.several_cores = true;
    } else if (word == "deadlines") {
      set.by_deadline = true;
    } else if (const auto wait = find(kWaits, word); wait && !set.servers.empty()) {
      set.servers.back().body.wait = static_cast<Body::Wait>(*wait);
    } else if (const auto weather = find(kWeathers, word)) {
      set.weather = static_cast<Weather>(*weather);
    } else {
      const std::size_t equals = word.find('=');
      bool known = false;
      const auto assign = [&](const char* name, Ticks& number) {
        if (equals == std::string::npos || word.compare(0, equals, name) != 0) return;
        number = std::strtoll(word.c_str() + equals + 1, nullptr, 10);
        known = true;
      };
      if (set.servers.empty()) {
        visit_common(set, assign);
      } else {
        visit_server(set.servers.back(), assign);
      }
      if (!known) return std::nullopt;
    }
  }
  return set;
}

}  // namespace hocket::test
