// What an operation on a sporadic server has to do with its refills, by the rules 6 to 9 of
// docs/decisions/who-pays.md: a plain list, without the header's short cuts.
#pragma once

#include "tests/symbolic/any_server.h"

namespace hocket::symbolic {

class Rules {
 public:
  using Refill = Refills::Refill;

  /// `limit` 0: the list grows, and nothing is joined. `apart`: what an overrun took is not joined
  /// with what comes back before it (docs/decisions/interrupts-on-a-budget.md).
  Rules(Refills refills, Value period, unsigned limit, bool apart)
      : refills_(std::move(refills)), period_(period), limit_(limit), apart_(apart) {}

  const Refills& refills() const { return refills_; }
  std::vector<Refill>& list() { return refills_.list; }

  /// Each unit of what was used comes back a period after its release, in the order of the list. If
  /// more than `most_parts` parts (0: any number) are used, the refills are one from then on.
  void put_down(Value used, unsigned most_parts = 0) {
    for (unsigned part_number = 0; 0 < used; ++part_number) {
      if (most_parts != 0 && part_number >= most_parts) {
        while (list().size() > 1) join(0);
      }
      Refill& head = list().front();
      const Value part = used < head.amount ? used : head.amount;
      const Refill back{head.time + period_, part};
      if (part < head.amount) {
        head = {head.time + part, head.amount - part};
      } else {
        list().erase(list().begin());
      }
      used = used - part;
      give_back(back, part_number);
    }
  }

  /// [7] The owner wakes with `consumed` of the head used. What is left of it when this is over.
  Value wake(Value at, Value consumed, Value moved, Value spread) {
    const Value start = at - consumed;
    if (decide(is_not_after(start, list()[0].time))) return consumed;
    const Value shift = start - list()[0].time;
    // (One question, so that the proof has one fork.)
    const Term stays =
        both(is_not_after(moved + shift, spread), is_not_after(consumed + consumed, period_));
    const bool parts = decide(both(is_before(0, consumed), negation(stays)));
    if (parts) {
      const Refill back{list()[0].time + period_, consumed};
      list()[0] = {at, list()[0].amount - consumed};
      give_back(back, 0);
    } else {
      list()[0].time = start;
    }
    // What could be used for a while counts from now on.
    while (list().size() > 1 && decide(is_not_after(list()[1].time, list()[0].end()))) {
      list()[0].amount = list()[0].amount + list()[1].amount;
      list().erase(list().begin() + 1);
    }
    return parts ? Value(0) : consumed;
  }

  /// [6] Small rests wait.
  void join_small(Value smallest) {
    while (list().size() > 1 && list()[0].amount < smallest) join(0);
  }
  /// [9] Crumbs are swept, `one_each_time` in a short list.
  void join_crumbs(Term worth, bool one_each_time) {
    while (list().size() > 1 && decide(less(loss(0), worth))) {
      join(0);
      if (one_each_time) return;
    }
  }

 private:
  Term loss(size_t i) {
    return area((list()[i + 1].time - list()[i].end()).term(), list()[i].amount.term());
  }
  void join(size_t i) {
    list()[i + 1] = {list()[i + 1].time - list()[i].amount,
                     list()[i + 1].amount + list()[i].amount};
    list().erase(list().begin() + static_cast<ptrdiff_t>(i));
  }

  /// [8] A full list joins the pair that loses least.
  void give_back(const Refill& back, unsigned part_number) {
    if (limit_ != 0 && !list().empty() && decide(is_not_after(back.time, list().back().end()))) {
      list().back().amount = list().back().amount + back.amount;
      return;
    }
    list().push_back(back);
    if (limit_ == 0 || list().size() <= limit_) return;
    const size_t newest = list().size() - 2;
    if (apart_ && part_number > 1) return join(newest);
    size_t best = 0;  // none
    for (size_t i = 1; i < newest; ++i) {
      if (best == 0 || decide(less(loss(i), loss(best)))) best = i;
    }
    const bool may_be_newest = !(apart_ && part_number == 1);
    if (best == 0 || (may_be_newest && !decide(less(loss(best), loss(newest))))) best = newest;
    join(best);
  }

  Refills refills_;
  Value period_;
  unsigned limit_;
  bool apart_;
};

}  // namespace hocket::symbolic
