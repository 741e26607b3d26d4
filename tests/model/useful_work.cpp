// See useful_work.h.
#include "useful_work.h"

#include <algorithm>
#include <sstream>

namespace hocket::test {
namespace {

/// How much of some stretches is before an instant; asked for later and later ones.
class Received {
 public:
  explicit Received(const std::vector<Stretch>& stretches) : stretches_(stretches) {}

  Ticks up_to(Ticks instant) {
    for (; next_ < stretches_.size() && stretches_[next_].to <= instant; ++next_) {
      whole_ += stretches_[next_].to - stretches_[next_].from;
    }
    const bool in = next_ < stretches_.size() && stretches_[next_].from < instant;
    return whole_ + (in ? instant - stretches_[next_].from : 0);
  }

 private:
  const std::vector<Stretch>& stretches_;
  std::size_t next_ = 0;
  Ticks whole_ = 0;
};

class Judge {
 public:
  Judge(const Workload& set, const Outcome& outcome, UsefulCoverage& coverage)
      : set_(set), outcome_(outcome), coverage_(coverage), bounds_(*bounds_of(set)) {}

  std::vector<Violation> run() {
    for (std::size_t i = 0; i < set_.servers.size(); ++i) {
      if (set_.servers[i].turns != 0) continue;  // nothing is promised to it
      if (promised_in_time(i)) in_time(i);
      if (set_.servers[i].body.wait == Body::Wait::Never) whole_budget(i);
      if (set_.servers[i].body.hold_most > 0) keeps_ceiling(i);
      if (set_.servers[i].io != 0) delivered(i);
      if (set_.servers[i].body.wait == Body::Wait::Event) started(i);
      if (set_.servers[i].io != 0) {
        never_more_taken_for_io(i);
      } else if (outcome_.fruitless == 0) {
        never_more_taken(i);
      }
    }
    return violations_;
  }

 private:
  template <typename... Parts>
  void report(const char* property, std::size_t server, const Parts&... parts) {
    std::ostringstream text;
    text << "server " << server << ": ";
    (text << ... << parts);
    violations_.push_back({property, text.str()});
  }

  /// Work of at most C, a period apart.
  bool promised_in_time(std::size_t i) const {
    const WorkServer& s = set_.servers[i];
    if (s.body.work_most > s.budget || s.io != 0) return false;
    for (const WorkServer& other : set_.servers) {
      if (other.body.wakes == static_cast<Ticks>(i)) return false;
    }
    return s.body.wait == Body::Wait::Period ||
           (s.body.wait == Body::Wait::Event && s.body.gap_least >= s.period);
  }

  void in_time(std::size_t i) {
    Ticks longest = 0;
    for (const Job& job : outcome_.jobs[i]) {
      const Ticks response = std::min(job.finish, set_.horizon) - job.release;
      ++coverage_.jobs;
      longest = std::max(longest, response);
      if (response <= bounds_[i]) continue;
      report(kInTime, i, "released at ", job.release, ", finished at ",
             job.finish == kNever ? "no time" : std::to_string(job.finish), ", bound ", bounds_[i]);
      break;
    }
    if (!outcome_.jobs[i].empty()) {
      coverage_.tightness.push_back(static_cast<double>(longest) / static_cast<double>(bounds_[i]));
    }
  }

  /// While a lock with the highest ceiling is held for no longer than its limit, interrupts not
  /// counted, nobody else runs.
  void keeps_ceiling(std::size_t i) {
    const Body& body = set_.servers[i].body;
    if (body.ceiling != 0 || body.hold > body.hold_most) return;
    coverage_.holds += static_cast<long>(outcome_.holds[i].size());
    for (std::size_t other = 0; other < set_.servers.size(); ++other) {
      if (other == i) continue;
      std::size_t next = 0;
      const std::vector<Stretch>& useful = outcome_.useful[other];
      for (const Stretch& hold : outcome_.holds[i]) {
        while (next < useful.size() && useful[next].to <= hold.from) ++next;
        if (next == useful.size() || useful[next].from >= hold.to) continue;
        return report(kHeld, i, "held from ", hold.from, ", server ", other, " ran at ",
                      useful[next].from);
      }
    }
  }

  /// From the edge to the end of what it is for.
  void delivered(std::size_t i) {
    const Ticks bound = edge_bound(set_, i, bounds_);
    for (const Job& job : outcome_.jobs[i]) {
      const Ticks taken = std::min(job.finish, set_.horizon) - job.release;
      ++coverage_.edges;
      coverage_.nearest_edge =
          std::max(coverage_.nearest_edge, static_cast<double>(taken) / static_cast<double>(bound));
      if (taken <= bound) continue;
      return report(kDelivered, i, "edge at ", job.release, ", done at ",
                    job.finish == kNever ? "no time" : std::to_string(job.finish), ", bound ",
                    bound);
    }
  }

  /// From the wake-up of a handler, by a thread of its core, to its first instruction.
  void started(std::size_t i) {
    const WorkServer& s = set_.servers[i];
    if (s.io != 0 || s.body.hold != 0 || s.body.gap_least != 0 || s.body.gap_most != 0) return;
    std::size_t first = 0;  // of those in the period before
    const std::vector<Job>& jobs = outcome_.jobs[i];
    for (std::size_t now = 0; now < jobs.size(); ++now) {
      const Job& job = jobs[now];
      while (jobs[first].release < job.release - s.period) ++first;
      if (!job.woken) continue;
      const Ticks bound = start_bound(set_, i, bounds_, static_cast<Ticks>(now - first));
      const Ticks taken = std::min(job.began, set_.horizon) - job.release;
      ++coverage_.starts;
      coverage_.nearest_start = std::max(coverage_.nearest_start,
                                         static_cast<double>(taken) / static_cast<double>(bound));
      if (taken <= bound) continue;
      return report(kDelivered, i, "woken at ", job.release, ", began at ",
                    job.began == kNever ? "no time" : std::to_string(job.began), ", bound ", bound);
    }
  }

  /// k·C by k periods after it became ready, and k·C − O − w in any window of k·T + bound.
  void whole_budget(std::size_t i) {
    const WorkServer& s = set_.servers[i];
    const std::vector<Stretch>& useful = outcome_.useful[i];
    const Ticks ready = outcome_.ready_since[i];
    if (ready == kNever) return;
    Received received(useful);
    Ticks promised = s.budget;
    for (Ticks to = ready + s.period; to <= set_.horizon; to += s.period, promised += s.budget) {
      ++coverage_.periods;
      if (received.up_to(to) >= promised) continue;
      report(kWholeBudget, i, "got ", received.up_to(to), " from ", ready, " to ", to,
             ", promised ", promised);
      return;
    }
    for (Ticks k = 1; k <= 3; ++k) {
      const Ticks length = k * s.period + bounds_[i];
      const Ticks least = k * s.budget - overrun(set_, i) - set_.costs.wake();
      Received early(useful);
      Received late(useful);
      for (const Stretch& stretch : useful) {  // the emptiest windows begin where a stretch ends
        if (stretch.to + length > set_.horizon) break;
        const Ticks got = late.up_to(stretch.to + length) - early.up_to(stretch.to);
        if (got >= least) continue;
        report(kWholeBudget, i, "got ", got, " in [", stretch.to, ", ", stretch.to + length,
               "), promised ", least);
        return;
      }
    }
  }

  /// No window holds more than what an I/O virtual CPU may take in it, J later than it may be used,
  /// and O, and the top half that is ahead of its budget.
  void never_more_taken_for_io(std::size_t i) {
    const Ticks jitter = bounds_[i] - enforced_budget(set_, i);
    const bool exact = set_.weather == Weather::Longest;
    for (Ticks k = 1; k <= (exact ? 256 : 8); k *= 2) {
      const Ticks length = k * set_.servers[i].period / 2 + 1;
      const Ticks most =
          taken_for_io(set_, i, length + jitter) + overrun(set_, i) + set_.servers[i].top_half;
      if (!no_window_above(i, length, most)) return;
    }
  }

  /// No window of k·T − J holds more than k·C' + O of what the server does and causes. By deadlines
  /// each piece of a budget has a deadline of its own, so a small piece may be late by nearly D,
  /// not only by D − C': what is used in a window has become usable less than D before it.
  void never_more_taken(std::size_t i) {
    const Ticks budget = enforced_budget(set_, i);
    const Ticks jitter = set_.by_deadline ? bounds_[i] : bounds_[i] - budget;
    // Whose segments are all as long as declared cannot drift from its periods: long windows, too.
    const bool exact = set_.weather == Weather::Longest;
    for (Ticks k = 1; k <= (exact ? 256 : 4); k *= 2) {
      const Ticks length = k * set_.servers[i].period - jitter;
      if (length <= 0) continue;
      const Ticks most = k * budget + overrun(set_, i);
      if (!no_window_above(i, length, most)) return;
    }
  }

  bool no_window_above(std::size_t i, Ticks length, Ticks most) {
    const std::vector<Stretch>& caused = outcome_.caused[i];
    std::size_t last = 0;
    Ticks whole = 0;  // of the stretches [first, last)
    for (std::size_t first = 0; first < caused.size(); ++first) {
      const Ticks end = caused[first].from + length;
      for (; last < caused.size() && caused[last].to <= end; ++last) {
        whole += caused[last].to - caused[last].from;
      }
      const Ticks part = last < caused.size() ? std::max<Ticks>(0, end - caused[last].from) : 0;
      ++coverage_.windows;
      if (whole + part > most) {
        report(kTaken, i, "took ", whole + part, " in [", caused[first].from, ", ", end,
               "), at most ", most, " may be");
        return false;
      }
      if (last > first) {
        whole -= caused[first].to - caused[first].from;
      } else {
        last = first + 1;
        whole = 0;
      }
    }
    return true;
  }

  const Workload& set_;
  const Outcome& outcome_;
  UsefulCoverage& coverage_;
  std::vector<Ticks> bounds_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> check_useful_work(const Workload& set, const Outcome& outcome,
                                         UsefulCoverage& coverage) {
  if (outcome.stuck) return {{kInTime, "the machine does nothing but kernel work"}};
  return Judge(set, outcome, coverage).run();
}

}  // namespace hocket::test
