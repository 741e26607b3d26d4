// One tick after the other.
#include "slow_model.h"

#include <algorithm>
#include <numeric>

namespace hocket::test {
namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// CHOICE: see slow_model.h, 1.
constexpr bool kBlockBeforeArrivals = true;

struct Server {
  std::unique_ptr<Budget> budget;
  bool may_run_in_background = false;
  Ticks backlog = 0;
  bool ready = false;
  Ticks ready_since = 0;
  Ticks release = 0;  ///< of the open response; meaningful while ready
};

/// A slice of a turn: used up, the next one begins at once.
class Slice : public Budget {
 public:
  explicit Slice(Ticks length) : length_(length) {}
  void become_ready(Ticks now) override { begin(now); }
  bool charge(Ticks now, Ticks used, ChargeEvent) override {
    used_ += used;
    if (used_ < length_) return false;
    begin(now);
    return true;
  }
  Ticks available(Ticks) override { return length_ - used_; }
  Ticks release() const override { return since_; }

 private:
  void begin(Ticks now) {
    since_ = now;
    used_ = 0;
  }
  Ticks length_;
  Ticks used_ = 0;
  Ticks since_ = 0;
};

class Core {
 public:
  Core(const TaskSet& set, Defect defect, const Ordering& ordering)
      : set_(set), ordering_(ordering), rank_(by_rank(set)) {
    if (defect == Defect::RankIgnoresDeadline) std::iota(rank_.begin(), rank_.end(), 0u);
    const bool beside_io = std::any_of(set.servers.begin(), set.servers.end(),
                                       [](const ServerSpec& spec) { return spec.io; });
    for (const ServerSpec& spec : set.servers) {
      const bool turns = ordering.takes_turns(servers_.size());
      servers_.push_back(
          {turns ? std::make_unique<Slice>(ordering.slice) : make_budget(spec, defect, beside_io),
           spec.background});
    }
  }

  Trace run() {
    for (now_ = 0; now_ < set_.horizon; ++now_) {
      if (kBlockBeforeArrivals) block_if_done();
      fire_budget_timer();
      arrivals();
      if (!kBlockBeforeArrivals) block_if_done();
      dispatch();
      execute_one_tick();
    }
    return normalize(std::move(trace_), set_.horizon);
  }

 private:
  void block_if_done() {
    if (running_ == kNobody || servers_[running_].backlog > 0) return;
    Server& server = servers_[running_];
    charge(ChargeEvent::Blocked);
    if (server.release < now_) trace_.responses.push_back({running_, server.release, now_});
    server.ready = false;
    running_ = kNobody;
  }

  void fire_budget_timer() {
    if (running_ == kNobody || in_background_) return;
    Server& server = servers_[running_];
    // While the server overruns, nothing is charged yet: the head still shows what it had at the
    // start.
    if (now_ - started_ < server.budget->available(now_) + set_.late) return;
    charge(ChargeEvent::TimerFired);
    end_refill(running_);
    if (server.budget->available(now_) == 0) running_ = kNobody;
  }

  void arrivals() {
    for (; next_work_ < set_.works.size() && set_.works[next_work_].at == now_; ++next_work_) {
      const Work& work = set_.works[next_work_];
      Server& server = servers_[work.server];
      server.backlog += work.amount;
      if (server.ready) continue;
      server.ready = true;
      server.ready_since = now_;
      server.budget->become_ready(now_);
      server.release = std::max(now_, server.budget->release());
    }
  }

  void dispatch() {
    std::size_t chosen = kNobody;
    bool background = false;
    for (std::size_t i : rank_) {
      if (!servers_[i].ready || servers_[i].budget->available(now_) == 0) continue;
      if (chosen == kNobody || comes_before(i, chosen)) chosen = i;
    }
    for (std::size_t i : rank_) {
      if (chosen == kNobody && servers_[i].ready && servers_[i].may_run_in_background) {
        chosen = i;
        background = true;
      }
    }
    if (chosen == running_ && background == in_background_) return;
    preempt();
    running_ = chosen;
    in_background_ = background;
    started_ = now_;
  }

  /// Where the ranks do not decide.
  bool comes_before(std::size_t a, std::size_t b) const {
    const Ticks since_a = servers_[a].budget->release(), since_b = servers_[b].budget->release();
    switch (ordering_.kind) {
      case Ordering::Kind::Ranks:
        return false;
      case Ordering::Kind::Deadlines:
        return since_a + set_.servers[a].deadline < since_b + set_.servers[b].deadline;
      case Ordering::Kind::Hybrid:
        if (ordering_.takes_turns(a) != ordering_.takes_turns(b)) return ordering_.takes_turns(b);
        if (!ordering_.takes_turns(a))
          return since_a + set_.servers[a].deadline < since_b + set_.servers[b].deadline;
        [[fallthrough]];
      case Ordering::Kind::Levels:
        if (ordering_.level[a] != ordering_.level[b])
          return ordering_.level[a] < ordering_.level[b];
        return since_a < since_b;
    }
    return false;
  }

  void preempt() {
    if (running_ == kNobody || in_background_) return;
    const bool exhausted = charge(ChargeEvent::Preempted);
    if (exhausted || servers_[running_].budget->available(now_) == 0) end_refill(running_);
  }

  /// Charges the running server for its foreground time since it was charged last.
  bool charge(ChargeEvent event) {
    const Ticks used = in_background_ ? 0 : now_ - started_;
    started_ = now_;
    return used > 0 && servers_[running_].budget->charge(now_, used, event);
  }

  /// The refill is used up: one response ends, the next one is released.
  void end_refill(std::size_t index) {
    Server& server = servers_[index];
    if (server.release < now_) trace_.responses.push_back({index, server.release, now_});
    server.release = std::max(server.ready_since, server.budget->release());
  }

  void execute_one_tick() {
    if (running_ == kNobody) return;
    --servers_[running_].backlog;
    (in_background_ ? trace_.background : trace_.runs).push_back({running_, now_, now_ + 1});
  }

  const TaskSet& set_;
  const Ordering ordering_;
  std::vector<std::size_t> rank_;
  std::vector<Server> servers_;
  std::size_t next_work_ = 0;
  Ticks now_ = 0;
  std::size_t running_ = kNobody;
  bool in_background_ = false;
  Ticks started_ = 0;  ///< since when the running server's time is not charged
  Trace trace_;
};

}  // namespace

Trace simulate_slowly(const TaskSet& set, Defect defect) {
  return Core(set, defect, {}).run();
}

Trace simulate_slowly(const TaskSet& set, const Ordering& ordering) {
  return Core(set, Defect::None, ordering).run();
}

}  // namespace hocket::test
