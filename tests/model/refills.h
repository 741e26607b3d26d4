// What the rules of docs/decisions/who-pays.md say of one server's refills (rules 4 to 9 and 11),
// with a list that grows as it likes.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "costs.h"
#include "rules.h"

namespace hocket::test {

/// What a server is entitled to.
struct Entitlement {
  Ticks budget = 0;  // C'
  Ticks period = 0;
  bool io = false;
  std::size_t refills = 16;
  Ticks finest = 256;
  bool overrun_apart = false;  // what an overrun took comes back on its own
};

/// The refills of one server. `used_` of the head is used, but not put down yet (rule 7).
class Refills {
 public:
  Refills(const Entitlement& account, const Costs& costs, Broken broken)
      : account_(account), costs_(costs), broken_(broken), list_{{0, account.budget}} {}

  Ticks time() const { return list_.front().time; }
  Ticks rest() const { return list_.front().amount - used_; }
  bool usable(Ticks now) const { return time() <= now; }

  void use(Ticks amount) { used_ += amount; }

  /// The head is used up, whatever is left of it, by somebody who is still ready (rule 9).
  void use_up(Ticks now) {
    if (account_.io) return come_back();
    use_up_head();
    if (broken_ == Broken::CrumbsStay || list_.size() < 2 || usable(now)) return;
    const Ticks least_gain = costs_.wake() * (account_.period - account_.budget);
    if (gap(0) * list_[0].amount < least_gain) join(0);
    check();
  }

  /// The head is used up as its owner stops or wakes.
  void use_up_head() {
    if (account_.io) return come_back();
    if (broken_ == Broken::OverrunForgiven) used_ = std::min(used_, list_.front().amount);
    used_ = std::max(used_, list_.front().amount);
    put_down();
    join_small_heads();
  }

  /// Its owner blocks, sleeps or waits for budget.
  void stop() {
    if (account_.io) return come_back();
    if (broken_ == Broken::OverrunForgiven) used_ = std::min(used_, list_.front().amount);
    if (rest() < costs_.wake()) {
      put_down();
      join_small_heads();
    }
    check();
  }

  void wake(Ticks now) {
    if (account_.io && broken_ == Broken::IoKeepsOldRelease) return;
    const Ticks later = now - used_ - list_.front().time;
    if (later > 0) {
      // CHOICE: what is more than half a period is put down in any case. Whoever uses nearly all of
      // its period and wakes a period later is just T/256 late, and needs its use back, not later.
      const bool much = used_ + later > account_.period / 2 && broken_ != Broken::MovesAlmostAll;
      const bool far = moved_ + later > account_.period / account_.finest;
      if (used_ > 0 && (much || far) && broken_ != Broken::MovesUnlimited) put_down();
      if (used_ == 0) {
        list_.front().time = now;
      } else {
        moved_ += later;
        list_.front().time += later;
      }
      join_touching();
    }
    check();
  }

  void join_small_heads() {
    while (list_.size() > 1 && list_.front().amount < costs_.wake()) join(0);
    check();
  }

  /// What is used comes back one period after the time of the refill it was taken from.
  void put_down() {
    for (int piece_number = 0; used_ > 0; ++piece_number) {
      Refill& head = list_.front();
      const Ticks piece = std::min(used_, head.amount);
      const Refill back{head.time + account_.period - (broken_ == Broken::RefillEarly ? 1 : 0),
                        piece};
      head.time += piece;
      head.amount -= piece;
      used_ -= piece;
      if (head.amount == 0) list_.erase(list_.begin());
      append(back, account_.overrun_apart ? piece_number : 0);
    }
    moved_ = 0;
  }

 private:
  struct Refill {
    Ticks time;
    Ticks amount;
  };

  /// Rule 11: the whole budget again, used / U after the instant from which it counted.
  void come_back() {
    Ticks used = used_;
    if (broken_ == Broken::IoOverrunForgiven) used = std::min(used, account_.budget);
    if (broken_ == Broken::IoShortUseFree && used < account_.budget) used = 0;
    list_.front().time += (used * account_.period + account_.budget - 1) / account_.budget;
    used_ = 0;
  }

  /// What is no first piece is of an overrun: that is not joined to what comes back earlier.
  void append(Refill back, int piece_number) {
    if (!list_.empty() && list_.back().time + list_.back().amount >= back.time) {
      list_.back().amount += back.amount;
      return;
    }
    list_.push_back(back);
    if (list_.size() <= account_.refills) return;
    // CHOICE: of equals the newest pair, then the oldest.
    const std::size_t newest = list_.size() - 2;
    std::size_t best = piece_number == 1 && newest > 1 ? 1 : newest;
    for (std::size_t i = 1; i < newest && piece_number < 2; ++i) {
      if (gap(i) * list_[i].amount < gap(best) * list_[best].amount) best = i;
    }
    join(best);
  }

  Ticks gap(std::size_t i) const { return list_[i + 1].time - list_[i].time - list_[i].amount; }

  /// The refill waits until it touches the next one.
  void join(std::size_t i) {
    list_[i + 1].time -= list_[i].amount;
    list_[i + 1].amount += list_[i].amount;
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void join_touching() {
    while (list_.size() > 1 && list_[1].time <= list_[0].time + list_[0].amount) {
      list_[0].amount += list_[1].amount;
      list_.erase(list_.begin() + 1);
    }
  }

  void check() const {
    Ticks sum = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      sum += list_[i].amount;
      if (list_[i].amount < 1) throw std::logic_error("rules: a refill is empty");
      if (i > 0 && list_[i].time < list_[i - 1].time + list_[i - 1].amount &&
          broken_ != Broken::RefillEarly) {
        throw std::logic_error("rules: refills overlap");
      }
    }
    if (sum != account_.budget) throw std::logic_error("rules: refills do not sum to the budget");
  }

  Entitlement account_;
  Costs costs_;
  Broken broken_;
  std::vector<Refill> list_;
  Ticks used_ = 0;
  Ticks moved_ = 0;
};

}  // namespace hocket::test
