// Jobs in a plain list, and ticks from 1 on.
#include "deadlines.h"

#include <algorithm>
#include <limits>

#include "brute_force.h"

namespace hocket::test {

bool no_job_misses(const TaskSet& set) {
  struct Job {
    Ticks deadline;
    Ticks left;
  };
  std::vector<Job> jobs;
  const Ticks end = hyperperiod(set);
  for (Ticks now = 0; now < end; ++now) {
    for (const ServerSpec& s : set.servers) {
      if (now % s.period == 0) jobs.push_back({now + s.deadline, s.budget});
    }
    const auto first = std::min_element(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
      return a.deadline < b.deadline;
    });
    if (first != jobs.end() && --first->left == 0) jobs.erase(first);
    for (const Job& job : jobs) {
      if (job.deadline <= now + 1) return false;
    }
  }
  return jobs.empty();
}

namespace {

/// What comes due, one tick after the other. Shares of ticks are counted in units of 1 /
/// hyperperiod.
class Counting {
 public:
  Counting(const TaskSet& set, const Account& account, std::vector<Section> sections)
      : set_(set), account_(account), sections_(std::move(sections)), unit_(hyperperiod(set)) {
    Ticks latest = 0, earliest = kLargestNumber;
    for (std::size_t i = 0; i < set.servers.size(); ++i) {
      const ServerSpec& s = set.servers[i];
      latest = std::max(latest, s.deadline);
      earliest = std::min(earliest, s.deadline);
      load_ += static_cast<double>(budget(i)) / static_cast<double>(s.period);
      only_io_ = only_io_ && s.io;
      if (i < account.top_half.size()) due_ += account.top_half[i];
    }
    sections_.push_back({account.blocking,
                         account.idle_time ? std::numeric_limits<Ticks>::max() : latest, earliest});
    due_ += account.lateness + account.masked;
    flowed_.resize(set.servers.size());
    // Up to a full core, slack at t + hyperperiod is no less than at t; beyond, some t has none.
    end_ = load_ > 1 + 1e-9 && !only_io_ ? kLargestNumber : latest + unit_;
  }

  bool at_end() const { return now_ == end_; }
  Ticks now() const { return now_; }
  void step() {
    ++now_;
    ends_ = may_be_due_ = false;
    for (std::size_t i = 0; i < set_.servers.size(); ++i) {
      const ServerSpec& s = set_.servers[i];
      if (now_ < s.deadline) continue;
      const Ticks budget = this->budget(i);
      const bool job = s.io ? now_ == s.deadline : (now_ - s.deadline) % s.period == 0;
      if (job) due_ += budget;
      if (now_ == s.deadline) due_ += ahead();
      if (s.io && now_ > s.deadline) flowed_[i] += budget * (unit_ / s.period);
      ends_ = ends_ || job;
      may_be_due_ = may_be_due_ || s.io;
    }
    blocking_ = 0;
    for (const Section& s : sections_) {
      if (s.user <= now_ && now_ < s.holder) blocking_ = std::max(blocking_, s.length);
      ends_ = ends_ || (s.user == now_ && may_be_due_);
    }
    may_be_due_ = may_be_due_ || ends_;
  }
  /// A job ends, or something begins to block.
  bool ends() const { return ends_; }
  bool may_be_due() const { return may_be_due_; }
  Ticks rounded_up() const {
    Ticks all = due_ + blocking_;
    for (const Ticks flowed : flowed_) all += (flowed + unit_ - 1) / unit_;
    return all;
  }
  bool more_than_time() const {
    Ticks flowed = 0;
    for (const Ticks one : flowed_) flowed += one;
    return (due_ + blocking_) * unit_ + flowed > now_ * unit_;
  }

 private:
  Ticks budget(std::size_t i) const { return enforced(set_, i, account_); }
  Ticks ahead() const {
    return account_.lateness + account_.masked + account_.lock +
           (account_.several_cores ? account_.interrupt : 0);
  }

  const TaskSet& set_;
  const Account& account_;
  std::vector<Section> sections_;
  Ticks unit_;
  double load_ = 0;
  bool only_io_ = true;
  Ticks end_ = 0;
  Ticks now_ = 0;
  Ticks due_ = 0;
  std::vector<Ticks> flowed_;  ///< of each I/O virtual CPU, since its first deadline
  bool ends_ = false;
  bool may_be_due_ = false;
  Ticks blocking_ = 0;
};

}  // namespace

Ticks first_overload_by_counting(const TaskSet& set, const Account& account,
                                 std::vector<Section> sections) {
  Counting counting(set, account, std::move(sections));
  while (!counting.at_end()) {
    counting.step();
    if (counting.ends() && counting.rounded_up() > counting.now()) return counting.now();
  }
  return 0;
}

bool never_overloaded(const TaskSet& set, const Account& account, std::vector<Section> sections) {
  Counting counting(set, account, std::move(sections));
  while (!counting.at_end()) {
    counting.step();
    if (counting.may_be_due() && counting.more_than_time()) return false;
  }
  return true;
}

}  // namespace hocket::test
