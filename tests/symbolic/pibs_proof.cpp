// Proves what SporadicOrPibs promises for I/O virtual CPUs (rule 11 of
// docs/decisions/interrupts-on-a-budget.md), from any valid state.
#include "tests/symbolic/proof.h"

namespace hocket::symbolic {
namespace {

class AnyIo : public SporadicOrPibs<HOCKET_PROOF_TICKS, 3> {
 public:
  using Ticks = HOCKET_PROOF_TICKS;
  Value budget = variable("C"), period = variable("T");

  AnyIo() {
    assume(is_before(0, budget));
    assume(is_not_after(budget, period));
    assume(is_not_after(period, number(kHalfTurn / 16)));
    reset(Duration(budget.term()), Duration(period.term()), Instant(variable("e")), ForIo{});
    this->consumed_ = Duration(variable("consumed"));
    assume(is_not_after(0, consumed_ticks()));
    // (An overrun of up to two budgets.)
    assume(is_not_after(consumed_ticks(), budget + budget + budget));
    // How long a part takes: all of it one period, none of it no time, no part more than all.
    const Term all = time_for(budget.term());
    assume(equal(all, period.term()));
    note({"budget ", budget.term(), ", period ", period.term()});
    describe("before: ");
  }

  Value consumed_ticks() const { return this->consumed_.ticks().term(); }
  Value eligible() const { return this->time().ticks().term(); }

  void describe(const char* when) const {
    note({when, "eligible from ", eligible().term(), ", budget ", (*this)[0].amount.ticks().term(),
          ", consumed ", consumed_ticks().term()});
  }
  /// The invariant: one refill, which is the whole budget, and waking may move it by any time.
  void prove_valid() const {
    prove(count() == 1 ? equal(number(0), number(0)) : less(number(0), number(0)), "one refill");
    prove(equal((*this)[0].amount.ticks().term(), budget.term()), "the whole budget is back");
    const Value quarter = Ticks::quarter_turn().term();
    prove(equal(Term(Value(this->latest_.ticks().term()).term()), (eligible() + quarter).term()),
          "waking moves it by any time");
  }
};

/// The owner stops, or has used the budget up: it comes back at e + used / U.
void come_back() {
  AnyIo server;
  const Value used = server.consumed_ticks(), before = server.eligible();
  // The exact time for all that was used, in whole budgets and a part of one.
  Value whole = 0, part = used;
  while (!(part < server.budget)) {
    whole = whole + server.period;
    part = part - server.budget;
  }
  Value time = 0;
  if (0 < part) {
    time = time_for(part.term());
    assume(is_before(0, time));
    assume(is_not_after(time, server.period));
  }
  const Value smallest = variable("smallest");
  assume(is_before(0, smallest));
  assume(is_not_after(smallest, server.budget));
  note({"stop(", smallest.term(), ")"});
  server.stop(AnyIo::Duration(smallest.term()));
  server.describe("after:  ");
  prove(equal(server.eligible().term(), (before + whole + time).term()),
        "the budget is back when what was used of it has come back");
  prove(equal(server.consumed_ticks().term(), number(0)), "all that was used is put down");
  server.prove_valid();
}

void wake() {
  AnyIo server;
  assume(equal(server.consumed_ticks().term(), number(0)));  // it has stopped
  const Value before = server.eligible(), at = variable("at");
  const Value quarter = number(kHalfTurn / 2);
  assume(is_not_after(at, before + quarter));
  assume(is_not_after(before, at + quarter));
  note({"unblock(", at.term(), ")"});
  const Value foreseen = server.time_after(AnyIo::Instant(at.term())).ticks().term();
  const bool usable = server.unblock(AnyIo::Instant(at.term()));
  server.describe("after:  ");
  const Term later = chosen(is_before(before, at), at.term(), before.term());
  prove(equal(server.eligible().term(), later),
        "eligible from the wake-up on, or from when it was");
  prove(equal(server.eligible().term(), foreseen.term()), "time_after() says where it will be");
  const Term has = is_not_after(server.eligible(), at);
  prove(usable ? has : negation(has), "unblock() says whether it can be used");
  prove(equal((server[0].amount.ticks().term()), server.budget.term()), "the whole budget");
}

/// What is not used is not waited for, and there is nothing to join.
void use_up_and_join() {
  AnyIo server;
  const Value used = server.consumed_ticks(), before = server.eligible();
  const Value least = variable("least");
  assume(is_not_after(0, least));
  assume(is_not_after(least, server.budget));
  note({"use_up(", least.term(), "), join_crumbs(", least.term(), ")"});
  server.use_up(AnyIo::Duration(least.term()));
  server.join_crumbs(AnyIo::Duration(least.term()));
  server.describe("after:  ");
  prove(equal(server.consumed_ticks().term(), used.term()), "what is not used is not waited for");
  prove(equal(server.eligible().term(), before.term()), "it is eligible from when it was");
  server.prove_valid();
}

void change() {
  AnyIo server;
  assume(equal(server.consumed_ticks().term(), number(0)));
  const Value before = server.eligible();
  server.budget = variable("new C");
  server.period = variable("new T");
  note({"change(", server.budget.term(), ", ", server.period.term(), ")"});
  server.change(AnyIo::Duration(server.budget.term()), AnyIo::Duration(server.period.term()));
  server.describe("after:  ");
  prove(equal(server.eligible().term(), before.term()), "it is eligible from when it was");
  server.prove_valid();
}

/// W(t): of a window that begins when it is eligible at e₁, the invariant is
/// used · T ≤ C · (e − e₁). It is linear where C and T are numbers.
void interference() {
  struct Ratio {
    int64_t budget, period;
  };
  static constexpr Ratio kRatios[] = {{1, 1}, {1, 2}, {3, 10}, {7, 9}, {10, 40}, {250, 10'007}};
  const Ratio ratio = kRatios[any_below(sizeof kRatios / sizeof kRatios[0])];
  AnyIo server;
  assume(equal(server.budget.term(), number(ratio.budget)));
  assume(equal(server.period.term(), number(ratio.period)));
  const Value first = variable("first"), used = variable("used"), before = server.eligible();
  const auto within = [&](Value all_used, Value eligible) {
    return negation(less(multiple((eligible - first).term(), ratio.budget),
                         multiple(all_used.term(), ratio.period)));
  };
  assume(is_not_after(first, before));
  assume(within(used, before));
  const Value now = server.consumed_ticks();
  Value part = now;
  while (!(part < server.budget)) part = part - server.budget;
  // The exact quotient, rounded up.
  const Term time = time_for(part.term());
  assume(negation(less(multiple(time, ratio.budget), multiple(part.term(), ratio.period))));
  note({"used since ", first.term(), ": ", used.term(), ", and then stop()"});
  server.stop(AnyIo::Duration(1));
  server.describe("after:  ");
  prove(within(used + now, server.eligible()),
        "no more than U of the time since the first instant");
}

}  // namespace
}  // namespace hocket::symbolic

int main() {
  using namespace hocket::symbolic;
  const bool held = holds("stop", come_back) && holds("unblock", wake) &&
                    holds("use_up and join_crumbs", use_up_and_join) && holds("change", change) &&
                    holds("interference", interference);
  return say_whether(held);
}
