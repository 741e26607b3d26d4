// The sporadic server's refill list, written plainly from its rules, and a POSIX-like one.
//
// The rules are 6 to 9 of docs/decisions/who-pays.md, for a kernel that costs nothing: E = S = I =
// 0, and the least that is worth an activation is one tick. Where they leave a choice, the comment
// says CHOICE.
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
  RefillList(const ServerSpec& spec, Defect defect, bool overrun_apart)
      : spec_(spec), defect_(defect), overrun_apart_(overrun_apart), refills_{{0, spec.budget}} {}

  /// What was used counts as used just before now, or is put down (rule 7).
  void become_ready(Ticks now) override {
    if (defect_ == Defect::KeepsOldReleaseOnWake) return;
    const Ticks start = now - used_;
    if (start <= refills_.front().time) return;
    if (used_ == 0) {
      refills_.front().time = now;
    } else if (start - used_since_ <= spec_.period / 256 && 2 * used_ <= spec_.period) {
      refills_.front().time = start;
    } else {
      put_down();
      refills_.front().time = now;
    }
    join_touching();
    check();
  }

  /// Nothing is put down before the head is used up.
  bool charge(Ticks now, Ticks used, ChargeEvent event) override {
    if (used_ == 0) used_since_ = refills_.front().time;
    used_ += used;
    const Ticks head = refills_.front().amount;
    if (defect_ == Defect::LosesRemainder) used_ = std::max(used_, head);
    if (defect_ == Defect::ClampedOverrun) used_ = std::min(used_, head);
    if (used_ < head) return false;
    put_down();
    // CHOICE: whoever blocks as its head ends does not compute on.
    if (event != ChargeEvent::Blocked && refills_.front().time > now) sweep_crumbs();
    check();
    return true;
  }

  Ticks available(Ticks now) override {
    const Ticks first = refills_.front().time + (defect_ == Defect::UsableOneTickLate ? 1 : 0);
    return first <= now ? refills_.front().amount - used_ : 0;
  }

  Ticks release() const override { return refills_.front().time; }

 private:
  /// What was used of a refill comes back one period after the refill's time; what was used beyond
  /// the head was used of those that follow.
  void put_down() {
    for (int piece = 0; used_ > 0; ++piece) {
      Refill& head = refills_.front();
      const Refill back{head.time + spec_.period, std::min(used_, head.amount)};
      head.time += back.amount;
      head.amount -= back.amount;
      used_ -= back.amount;
      if (head.amount == 0) refills_.erase(refills_.begin());
      append(back, overrun_apart_ ? piece : 0);
    }
  }

  /// Rule 8. CHOICE: joining what touches the tail comes before the question whether the list is
  /// full. Of pairs that lose equally little the newest is joined, then the oldest.
  /// The second piece and those behind it are of an overrun, and on their own where `piece` tells.
  void append(Refill refill, int piece) {
    if (!refills_.empty() && refills_.back().time + refills_.back().amount >= refill.time) {
      refills_.back().amount += refill.amount;
      return;
    }
    refills_.push_back(refill);
    const std::size_t count = refills_.size();
    if (static_cast<Ticks>(count) <= spec_.max_refills) return;
    const std::size_t newest = count - 2;
    std::size_t best = piece == 1 && newest > 1 ? 1 : newest;
    for (std::size_t i = 1; i < newest && piece < 2; ++i) {
      if (loss(i) < loss(best)) best = i;
    }
    join_to_next(best);
  }

  /// Rule 9, where an activation costs one tick. CHOICE: as long as it holds for the joined head.
  void sweep_crumbs() {
    while (refills_.size() > 1 && loss(0) < spec_.period - spec_.budget) join_to_next(0);
  }

  /// What delaying a refill until it touches the next one takes: its amount, so much later.
  Ticks loss(std::size_t i) const {
    const Refill& r = refills_[i];
    return (refills_[i + 1].time - r.time - r.amount) * r.amount;
  }

  void join_to_next(std::size_t i) {
    refills_[i + 1].time -= refills_[i].amount;
    refills_[i + 1].amount += refills_[i].amount;
    refills_.erase(refills_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void join_touching() {
    while (refills_.size() > 1 &&
           refills_[1].time <= refills_.front().time + refills_.front().amount) {
      refills_.front().amount += refills_[1].amount;
      refills_.erase(refills_.begin() + 1);
    }
  }

  void check() const {
    if (used_ < 0 || used_ >= refills_.front().amount)
      throw std::logic_error("model: a head that is used up stays");
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
  bool overrun_apart_;
  std::vector<Refill> refills_;
  Ticks used_ = 0;        // of the head, not put down yet
  Ticks used_since_ = 0;  // the head's time when something of it was used first
};

/// An I/O virtual CPU: docs/decisions/interrupts-on-a-budget.md, "The rules".
class Pibs : public Budget {
 public:
  Pibs(const ServerSpec& spec, Defect defect) : spec_(spec), defect_(defect) {}

  void become_ready(Ticks now) override {
    if (defect_ != Defect::IoKeepsOldRelease) eligible_ = std::max(eligible_, now);
  }

  bool charge(Ticks, Ticks used, ChargeEvent event) override {
    used_ += used;
    const bool all = used_ >= spec_.budget;
    if (defect_ == Defect::IoNothingComesBack && !all) return false;
    if (!all && event == ChargeEvent::Preempted) return false;
    if (defect_ == Defect::IoClampedOverrun) used_ = std::min(used_, spec_.budget);
    // used / U after it was eligible, rounded up
    const Ticks up = defect_ == Defect::IoRoundsDown ? 0 : spec_.budget - 1;
    eligible_ += (used_ * spec_.period + up) / spec_.budget;
    used_ = 0;
    return all;
  }

  Ticks available(Ticks now) override { return eligible_ <= now ? spec_.budget - used_ : 0; }
  Ticks release() const override { return eligible_; }

 private:
  ServerSpec spec_;
  Defect defect_;
  Ticks eligible_ = 0;
  Ticks used_ = 0;
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

std::unique_ptr<Budget> make_budget(const ServerSpec& spec, Defect defect, bool beside_io) {
  if (spec.io) return std::make_unique<Pibs>(spec, defect);
  if (defect == Defect::PrematureReplenishment) return std::make_unique<PosixLike>(spec);
  return std::make_unique<RefillList>(spec, defect, beside_io);
}

}  // namespace hocket::test
