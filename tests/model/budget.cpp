// The sporadic server's refill list, written plainly from its specification, and a POSIX-like one.
//
// After Stanovich, Baker, Wang, Gonzalez Harbour, "Defects of the POSIX sporadic server and how to
// correct them" (RTAS 2010), and Danish, Li, West, "Virtual-CPU scheduling in the Quest operating
// system" (RTAS 2011). Where the text of the specification leaves a choice, the comment says
// CHOICE.
#include "budget.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace hocket::test {
namespace {

struct Refill {
  Ticks time;
  Ticks amount;
};

class RefillList : public Budget {
 public:
  RefillList(const ServerSpec& spec, Defect defect)
      : spec_(spec), defect_(defect), refills_{{0, spec.budget}} {}

  void become_ready(Ticks now) override {
    if (defect_ == Defect::KeepsOldReleaseOnWake) return;
    if (refills_.front().time >= now) return;
    refills_.front().time = now;
    while (refills_.size() > 1 &&
           refills_[1].time <= refills_.front().time + refills_.front().amount) {
      refills_.front().amount += refills_[1].amount;
      refills_.erase(refills_.begin() + 1);
    }
    check();
  }

  bool charge(Ticks now, Ticks used, ChargeEvent event) override {
    if (defect_ == Defect::ClampedOverrun) used = std::min(used, refills_.front().amount);
    bool exhausted = false;
    while (used > 0) {
      const Refill old_head = refills_.front();
      if (used >= old_head.amount || defect_ == Defect::LosesRemainder) {
        refills_.erase(refills_.begin());
        append({old_head.time + spec_.period, old_head.amount});
        used = std::max<Ticks>(0, used - old_head.amount);
        exhausted = true;
      } else {
        refills_.front() = {old_head.time + used, old_head.amount - used};
        append({old_head.time + spec_.period, used});
        used = 0;
      }
    }
    // CHOICE: what a preemption leaves of a usable refill stays, however small.
    const bool ended = exhausted || refills_.front().time > now;
    if (event != ChargeEvent::Preempted || ended) merge_small_heads();
    check();
    return exhausted;
  }

  Ticks available(Ticks now) override {
    const Ticks first = refills_.front().time + (defect_ == Defect::UsableOneTickLate ? 1 : 0);
    return first <= now ? refills_.front().amount : 0;
  }

  Ticks release() const override { return refills_.front().time; }

 private:
  // CHOICE: merging into the tail comes before the question whether the list is full; with a list
  // of one element the tail is the head itself (budget = period, or max_refills = 1).
  void append(Refill refill) {
    if (!refills_.empty()) {
      Refill& tail = refills_.back();
      if (tail.time + tail.amount >= refill.time) {
        tail.amount += refill.amount;
        return;
      }
      if (static_cast<Ticks>(refills_.size()) == spec_.max_refills) {
        tail = {refill.time - tail.amount, tail.amount + refill.amount};
        return;
      }
    }
    refills_.push_back(refill);
  }

  void merge_small_heads() {
    while (refills_.size() > 1 && refills_.front().amount < spec_.min_budget) {
      refills_[1].time -= refills_[0].amount;
      refills_[1].amount += refills_[0].amount;
      refills_.erase(refills_.begin());
    }
  }

  void check() const {
    Ticks sum = 0;
    Ticks end_of_last = std::numeric_limits<Ticks>::min();
    for (const Refill& r : refills_) {
      if (r.amount < 1) throw std::logic_error("model: a refill is empty");
      if (r.time < end_of_last)
        throw std::logic_error("model: refills overlap or are out of order");
      end_of_last = r.time + r.amount;
      sum += r.amount;
    }
    if (sum != spec_.budget) throw std::logic_error("model: refills do not sum to the budget");
    if (static_cast<Ticks>(refills_.size()) > spec_.max_refills) {
      throw std::logic_error("model: more refills than the server has room for");
    }
  }

  ServerSpec spec_;
  Defect defect_;
  std::vector<Refill> refills_;
};

/// What POSIX's text says: one pool of budget and one activation time. Budget that arrives while
/// the server is active joins the pool, and what is used of it returns one period after the
/// activation, hence earlier than one period after it arrived.
class PosixLike : public Budget {
 public:
  explicit PosixLike(const ServerSpec& spec) : spec_(spec), pool_(spec.budget) {}

  void become_ready(Ticks now) override {
    collect(now);
    activation_ = pool_ > 0 ? now : first_pending();
  }

  bool charge(Ticks now, Ticks used, ChargeEvent event) override {
    collect(now);
    used = std::min(used, pool_);
    pool_ -= used;
    used_since_activation_ += used;
    if (event == ChargeEvent::Preempted && pool_ > 0) return false;  // it stays active
    pending_.push_back({activation_ + spec_.period, used_since_activation_});
    used_since_activation_ = 0;
    const bool exhausted = pool_ == 0;
    if (exhausted) {
      activation_ = first_pending();
      collect(now);
    }
    return exhausted;
  }

  Ticks available(Ticks now) override {
    collect(now);
    return pool_;
  }

  Ticks release() const override { return activation_; }

 private:
  Ticks first_pending() const {
    Ticks first = std::numeric_limits<Ticks>::max();
    for (const Refill& r : pending_) first = std::min(first, r.time);
    return first;
  }

  void collect(Ticks now) {
    for (const Refill& r : pending_) pool_ += r.time <= now ? r.amount : 0;
    std::erase_if(pending_, [&](const Refill& r) { return r.time <= now; });
  }

  ServerSpec spec_;
  Ticks pool_;
  Ticks activation_ = 0;
  Ticks used_since_activation_ = 0;
  std::vector<Refill> pending_;
};

}  // namespace

std::unique_ptr<Budget> make_budget(const ServerSpec& spec, Defect defect) {
  if (defect == Defect::PrematureReplenishment) return std::make_unique<PosixLike>(spec);
  return std::make_unique<RefillList>(spec, defect);
}

}  // namespace hocket::test
