// The checks; what each may conclude, and from which premise, is derived in
// docs/decisions/testing-the-scheduler.md.
#include "properties.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "generate.h"
#include "response_time.h"
#include "timeline.h"

namespace hocket::test {
namespace {

constexpr std::size_t at(Ticks t) {
  return static_cast<std::size_t>(t);
}

class Checker {
 public:
  Checker(const TaskSet& set, const Trace& trace, Coverage& coverage)
      : set_(set), trace_(trace), coverage_(coverage), time_(set, trace) {
    for (std::size_t i = 0; i < set.servers.size(); ++i) bounds_.push_back(response_bound(set, i));
  }

  std::vector<Violation> run() {
    consistent();
    if (!violations_.empty()) return violations_;
    for (std::size_t i = 0; i < set_.servers.size(); ++i) {
      supply_never_above(i);
      supply_never_below(i);
      supply_while_ready(i);
      job_responses(i);
      conserving(i);
    }
    responses();
    background_when_idle();
    return violations_;
  }

 private:
  template <typename... Parts>
  void report(const char* property, std::size_t server, const Parts&... parts) {
    // One violation of each kind for each server says enough.
    for (const Violation& v : violations_) {
      if (v.property == property && v.text.starts_with(set_.servers[server].name + ":")) return;
    }
    std::ostringstream text;
    text << set_.servers[server].name << ": ";
    (text << ... << parts);
    violations_.push_back({property, text.str()});
  }

  void consistent() {
    if (!time_.broken.empty()) {
      violations_.push_back({kConsistent, time_.broken});
      return;
    }
    for (const Response& r : trace_.responses) {
      if (r.server >= set_.servers.size() || r.release < 0 || r.release >= r.finish ||
          r.finish >= set_.horizon ||
          time_.foreground[at(r.finish - 1)] != static_cast<int>(r.server)) {
        violations_.push_back({kConsistent, "a response ends at " + std::to_string(r.finish) +
                                                " where its server did not run in the foreground"});
        return;
      }
    }
    every_completion_is_reported();
  }

  void every_completion_is_reported() {
    for (Ticks t = 1; t < set_.horizon; ++t) {
      const int ran = time_.foreground[at(t - 1)];
      if (ran == kIdle) continue;
      const auto server = static_cast<std::size_t>(ran);
      const Ticks arrived_now = time_.arrived[server][at(t)] - time_.arrived[server][at(t - 1)];
      if (time_.backlog[server][at(t)] != arrived_now) continue;
      const bool found =
          std::any_of(trace_.responses.begin(), trace_.responses.end(),
                      [&](const Response& r) { return r.server == server && r.finish == t; });
      if (!found)
        report(kConsistent, server, "its work is done at ", t, " but no response says so");
    }
  }

  void background_when_idle() {
    for (std::size_t i = 0; i < set_.servers.size(); ++i) {
      if (!set_.servers[i].background) continue;
      for (Ticks t = 0; t < set_.horizon; ++t) {
        const bool idle = time_.foreground[at(t)] == kIdle && time_.background[at(t)] == kIdle;
        if (idle && time_.backlog[i][at(t)] > 0) {
          report(kConserving, i, "may run in the background and has work, but the core idles at ",
                 t);
        }
      }
    }
  }

  void supply_never_above(std::size_t i) {
    const Ticks period = set_.servers[i].period;
    for (const Ticks length : {period / 2 + 1, period, 2 * period, 3 * period, 5 * period}) {
      const std::optional<Ticks> most = supply_bound(set_, i, length);
      if (!most) return;
      for (Ticks from = 0; from + length <= set_.horizon; ++from) {
        ++coverage_.windows;
        const Ticks got = time_.received_in(i, from, from + length);
        if (got > *most) {
          report(kSupplyAbove, i, "received ", got, " in [", from, ", ", from + length,
                 "), at most ", *most, " may be");
          return;
        }
      }
    }
  }

  /// The first arrival, when it alone is enough to keep the server busy to the end.
  std::optional<Ticks> always_ready_from(std::size_t i) const {
    for (const Work& w : set_.works) {
      if (w.server != i) continue;
      if (w.amount < set_.horizon - w.at) return std::nullopt;
      return w.at;
    }
    return std::nullopt;
  }

  void supply_never_below(std::size_t i) {
    const ServerSpec& s = set_.servers[i];
    const std::optional<Ticks> first = always_ready_from(i);
    if (!first || !bounds_[i]) return;
    // An I/O virtual CPU pays for an overrun with time, not out of its next budget.
    const bool drifts = s.io && set_.late > 0;
    const Ticks least = drifts ? 0 : s.budget - set_.late;
    for (Ticks from = *first; from + s.period <= set_.horizon; from += s.period) {
      ++coverage_.guaranteed_periods;
      const Ticks got = time_.received_in(i, from, from + s.period);
      const Ticks periods = (from - *first) / s.period + 1;
      const Ticks drift =
          drifts ? periods * (set_.late * (s.period - s.budget) + s.budget - 1) / s.budget : 0;
      if (from + s.period + drift > set_.horizon) return;
      const Ticks in_all = time_.received_in(i, *first, from + s.period + drift);
      if (got < least || in_all < periods * s.budget) {
        report(kSupplyBelow, i, "always ready, received ", got, " in its period [", from, ", ",
               from + s.period, ") and ", in_all, " in all; guaranteed ", least, " and ",
               periods * s.budget);
        return;
      }
    }
  }

  /// Whatever its budget was broken into before: in any (k + 1) T + R that a server is ready
  /// throughout, it gets k C. An I/O virtual CPU that stops is not, even if more comes at that very
  /// instant: u / U after it began it is woken anew, and u / U is rounded up each time.
  void supply_while_ready(std::size_t i) {
    const ServerSpec& s = set_.servers[i];
    if (set_.late != 0 || !bounds_[i]) return;
    for (Ticks from = 0, ready_until = 0; from < set_.horizon; ++from) {
      ready_until = std::max(ready_until, from);
      while (ready_until < set_.horizon && time_.backlog[i][at(ready_until)] > 0 &&
             !(s.io && ready_until > from && stops_at(i, ready_until))) {
        ++ready_until;
      }
      for (Ticks k = 1; from + (k + 1) * s.period + *bounds_[i] <= ready_until; k *= 2) {
        ++coverage_.ready_windows;
        const Ticks to = from + (k + 1) * s.period + *bounds_[i];
        const Ticks got = time_.received_in(i, from, to);
        if (got >= k * s.budget) continue;
        report(kSupplyBelow, i, "ready throughout, received ", got, " in [", from, ", ", to,
               "); guaranteed ", k * s.budget);
        return;
      }
    }
  }

  void responses() {
    for (const Response& r : trace_.responses) {
      if (!bounds_[r.server]) continue;
      ++coverage_.responses;
      if (r.finish - r.release > *bounds_[r.server]) {
        report(kResponse, r.server, "released at ", r.release, ", finished at ", r.finish,
               ": response ", r.finish - r.release, ", bound ", *bounds_[r.server]);
      }
    }
  }

  void job_responses(std::size_t i) {
    const ServerSpec& s = set_.servers[i];
    if (!bounds_[i]) return;
    for (Ticks start = 0; start < set_.horizon; ++start) {
      const bool had_work = start > 0 && time_.backlog[i][at(start - 1)] > 0;
      if (had_work || time_.backlog[i][at(start)] == 0) continue;
      // Budget used is back one period (and a short sleep's move) later; each overrun of up to L
      // may have used, ahead of time, that of ceil(L / C) further periods.
      const Ticks periods_ahead = (set_.late + s.budget - 1) / s.budget;
      const Ticks quiet = (1 + periods_ahead) * s.period + s.period / 256 + set_.late;
      const Ticks quiet_since = std::max<Ticks>(0, start - quiet);
      if (time_.received_in(i, quiet_since, start) > 0) continue;
      Ticks finish = start + 1;
      while (finish < set_.horizon && time_.backlog[i][at(finish)] > 0) ++finish;
      if (s.io && stops_between(i, start, finish)) continue;
      const Ticks before = start > 0 ? time_.arrived[i][at(start - 1)] : 0;
      if (time_.arrived[i][at(finish - 1)] - before > s.budget) continue;
      // Cut off by the horizon: late all the same when the bound has passed.
      ++coverage_.jobs;
      if (finish - start > *bounds_[i]) {
        report(kJobResponse, i, "work of ", time_.arrived[i][at(finish - 1)] - before, " from ",
               start, " not done before ", finish, ": response ", finish - start, ", bound ",
               *bounds_[i]);
      }
    }
  }

  /// Whether its work was done at an instant at which more of it came.
  bool stops_between(std::size_t i, Ticks from, Ticks to) const {
    for (Ticks t = from + 1; t < to; ++t) {
      if (stops_at(i, t)) return true;
    }
    return false;
  }
  bool stops_at(std::size_t i, Ticks t) const {
    return time_.backlog[i][at(t)] == time_.arrived[i][at(t)] - time_.arrived[i][at(t - 1)];
  }

  /// How often the server's refills may have been split in (t - 4T, t]: as often as it stopped
  /// running or was woken. With fewer than its room for refills, its list was never full.
  std::vector<Ticks> splits_before(std::size_t i) const {
    std::vector<Ticks> splits(at(set_.horizon) + 1, 0);
    for (const Interval& r : trace_.runs) {
      if (r.server == i) ++splits[at(r.to)];
    }
    for (const Work& w : set_.works) {
      if (w.server == i && w.at < set_.horizon) ++splits[at(w.at)];
    }
    for (std::size_t t = 1; t < splits.size(); ++t) splits[t] += splits[t - 1];
    return splits;
  }

  /// Until when crumbs may be held back: T - C after a budget was used up with work left.
  std::vector<Ticks> crumbs_held_until(std::size_t i) const {
    const ServerSpec& s = set_.servers[i];
    std::vector<Ticks> until(at(set_.horizon) + 1, 0);
    for (const Response& r : trace_.responses) {
      if (r.server == i) until[at(r.finish)] = r.finish + s.period - s.budget;
    }
    for (std::size_t t = 1; t < until.size(); ++t) until[t] = std::max(until[t], until[t - 1]);
    return until;
  }

  void conserving(std::size_t i) {
    const ServerSpec& s = set_.servers[i];
    if (set_.late != 0 || !bounds_[i] || s.io) return;
    std::vector<bool> may_run(set_.servers.size(), false);
    for (std::size_t j : higher_ranked(set_, i)) may_run[j] = true;
    may_run[i] = true;
    const std::vector<Ticks> splits = splits_before(i);
    const std::vector<Ticks> held_until = crumbs_held_until(i);
    for (Ticks t = 0; t < set_.horizon; ++t) {
      if (time_.backlog[i][at(t)] == 0 || t < held_until[at(t)]) continue;
      const Ticks since = std::max<Ticks>(0, t - 4 * s.period);
      if (splits[at(t)] - (since > 0 ? splits[at(since)] : 0) + 1 > s.max_refills) continue;
      // Each tick of budget is back at the latest one period, and a move, after it was used.
      const Ticks back = s.period + s.period / 256;
      if (time_.received_in(i, std::max<Ticks>(0, t - back + 1), t) >= s.budget) continue;
      ++coverage_.conserving_ticks;
      const int ran = time_.foreground[at(t)];
      if (ran == kIdle || !may_run[static_cast<std::size_t>(ran)]) {
        report(
            kConserving, i, "has work and budget at ", t, " but ",
            ran == kIdle ? std::string("nobody") : set_.servers[static_cast<std::size_t>(ran)].name,
            " runs in the foreground");
        return;
      }
    }
  }

  const TaskSet& set_;
  const Trace& trace_;
  Coverage& coverage_;
  Timeline time_;
  std::vector<std::optional<Ticks>> bounds_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> check(const TaskSet& set, const Trace& trace, Coverage& coverage) {
  return Checker(set, trace, coverage).run();
}

std::vector<Violation> check_isolation(const TaskSet& set, const Engine& engine, std::size_t server,
                                       std::uint64_t seed, Coverage& coverage) {
  const TaskSet changed = misbehave(set, server, seed);
  const Trace usual = engine(set);
  const Trace disturbed = engine(changed);
  std::vector<Violation> violations = check(changed, disturbed, coverage);
  for (std::size_t other : higher_ranked(set, server)) {
    const auto only = [&](const Trace& trace) {
      Trace part = trace;
      part.background.clear();  // background time is nobody's by right
      std::erase_if(part.runs, [&](const Interval& i) { return i.server != other; });
      std::erase_if(part.responses, [&](const Response& r) { return r.server != other; });
      return part;
    };
    // A server that may use background time finishes earlier when more of it is left over, and then
    // leaves more to those below it.
    const std::vector<std::size_t> above = higher_ranked(set, other);
    const auto in_background = [&](std::size_t i) { return set.servers[i].background; };
    if (in_background(other) || std::any_of(above.begin(), above.end(), in_background)) continue;
    ++coverage.isolated_servers;
    const std::string difference = first_difference(set, only(usual), only(disturbed));
    if (!difference.empty()) {
      violations.push_back({kIsolation, set.servers[server].name + " disturbs " +
                                            set.servers[other].name + ": " + difference});
    }
  }
  if (!violations.empty()) {
    violations.back().text += "\nwhen the work of " + set.servers[server].name +
                              " is replaced, which makes the set\n" + print(changed);
  }
  return violations;
}

std::string print(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& v : violations) text += v.property + ": " + v.text + "\n";
  return text;
}

}  // namespace hocket::test
