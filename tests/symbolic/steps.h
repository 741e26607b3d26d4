// Each operation on a server from any valid state: what it must do, and must leave.
#pragma once

#include "tests/symbolic/rules.h"

namespace hocket::symbolic {

/// One operation on a server of `count` refills in a list of at most `most`.
template <class Rep, unsigned kCapacity, bool kApart>
class Steps {
 public:
  using Server = SporadicServer<Rep, kCapacity, kApart>;
  using Any = AnyServer<Server>;
  using Instant = typename Server::Instant;
  using Duration = typename Server::Duration;

  Steps(unsigned count, unsigned most, bool few) : server_(count, most, few), rules_(rules(most)) {
    before_ = server_.refills();
    consumed_ = server_.consumed();
    note({"budget ", server_.budget.term(), ", period ", server_.period.term(), ", at most ",
          std::to_string(most), " refills"});
    server_.describe("before: ");
  }

  /// It has been used, perhaps beyond the head, and its owner stops.
  void stop() {
    assume_used();
    stop_now();
  }
  /// The same for more than the whole budget, which a short list puts down in another way.
  void stop_late() {
    if (!Server::kFew) return;
    assume(is_before(server_.budget, consumed_));
    assume(is_not_after(consumed_, server_.budget + server_.budget));
    stop_now();
  }
  void stop_now() {
    const Value smallest = any_smallest();
    if (far_from(2)) assume(is_not_after(smallest, before_.list[1].amount));
    note({"stop(", smallest.term(), ")"});
    const bool ends = before_.list[0].amount - consumed_ < smallest;
    // In a short list a small rest counts as used.
    const bool used_up = Server::kFew && ends && consumed_ < before_.list[0].amount;
    prove(equal(number(server_.stop(Any::duration(smallest))), number(ends)),
          "stop() says whether the head has ended");
    if (ends) {
      rules_.put_down(used_up ? before_.list[0].amount : consumed_, Server::kFew ? kCapacity : 0);
      rules_.join_small(smallest);
    }
    expect(ends ? Value(0) : consumed_);
    expect_stopped();
  }

  /// A rest that is not worth an activation counts as used.
  void use_up() {
    assume_used();
    const Value least = variable("least");
    assume(is_not_after(0, least));
    assume(is_not_after(least, server_.budget));
    note({"use_up(", least.term(), ")"});
    const Value rest = before_.list[0].amount - consumed_;
    const bool small = 0 < rest && rest <= least;
    server_.use_up(Any::duration(least));
    expect(small ? before_.list[0].amount : consumed_);
  }

  void unblock() {
    server_.for_all_of_stopped([](Term fact, const char*) { assume(fact); });
    const Value at = any_instant();
    if (far_from(2)) assume(is_before(at + before_.list[0].amount, before_.list[2].time));
    note({"unblock(", at.term(), ")"});
    const Value foreseen = Any::value(server_.time_after(Any::instant(at)));
    wake(at, [&] { return server_.unblock(Any::instant(at)); });
    prove(equal(server_.head().term(), foreseen.term()),
          "time_after() says where the head will be");
  }

  /// On a circular clock, of an owner that wants nothing.
  void refresh() {
    if (server_.few && before_.list.size() > 3)
      return;  // stop() and unblock(), one after the other
    assume_used();
    const Value now = any_instant();
    if (far_from(2)) assume(is_before(now + before_.list[0].amount, before_.list[2].time));
    note({"refresh(", now.term(), ")"});
    server_.refresh(Any::instant(now));
    rules_.put_down(consumed_);
    rules_.wake(now, 0, 0, server_.spread());
    expect(0);
    prove(is_not_after(now, server_.head()), "nothing is older than a refresh");
  }

  void join_crumbs() {
    assume(implies(less(number(0), consumed_.term()),
                   equal(server_.origin().term(), server_.head().term())));
    assume_used();
    const Value activation = any_smallest();
    note({"join_crumbs(", activation.term(), ")"});
    server_.join_crumbs(Any::duration(activation));
    const Value rest_of_period = server_.period - server_.budget;
    rules_.join_crumbs(area(rest_of_period.term(), activation.term()), Server::kFew);
    expect(consumed_);
  }

  /// The first state.
  void reset() {
    const Value start = variable("start");
    const Value budget = server_.budget, period = server_.period;
    note({"reset(", budget.term(), ", ", period.term(), ", ", start.term(), ")"});
    server_.reset(Any::duration(budget), Any::duration(period), Any::instant(start), server_.limit);
    server_.describe("after:  ");
    server_.for_all_of_valid([](Term fact, const char* what) { prove(fact, what); });
    expect_stopped();
    prove(equal(server_.head().term(), start.term()), "all can be used from the start on");
  }

 private:
  Rules rules(unsigned most) const {
    return Rules(server_.refills(), server_.period, most, kApart);
  }
  /// Up to the whole budget more than the head has: an overrun.
  void assume_used() {
    assume(is_not_after(consumed_, server_.budget));
    if (far_from(1)) assume(is_not_after(consumed_, before_.list[0].amount));
  }
  /// Whether there are more refills than are looked at.
  bool far_from(size_t place) const {
    return server_.few && before_.list.size() > 3 && before_.list.size() > place;
  }
  Value any_smallest() {
    const Value smallest = variable("smallest");
    assume(less(number(0), smallest.term()));
    assume(negation(less(server_.budget.term(), smallest.term())));
    return smallest;
  }
  /// On a circular clock: a quarter of a turn from the head at most.
  Value any_instant() {
    const Value at = variable("at");
    if (Instant::kCircular) {
      const Value quarter = number(kHalfTurn / 2);
      assume(is_not_after(at, server_.head() + quarter));
      assume(is_not_after(server_.head(), at + quarter));
    }
    return at;
  }

  template <class Unblock>
  void wake(Value at, const Unblock& unblock) {
    const Value moved = server_.head() - server_.origin();
    const bool usable = unblock();
    const Value left = rules_.wake(at, consumed_, moved, server_.spread());
    const Value next = server_.head() + server_.consumed();
    expect(left);
    const Term can_be_used = is_not_after(server_.head(), at);
    prove(usable ? can_be_used : negation(can_be_used), "unblock() says whether it can be used");
    prove(is_not_after(at, next), "no unit is older than the wake-up");
  }

  void expect_stopped() {
    server_.for_all_of_stopped([](Term fact, const char* what) { prove(fact, what); });
  }

  /// Afterwards `consumed` of the head is used, nothing of the budget is back too early, nothing
  /// later than the rules say, and the state is valid.
  void expect(Value consumed) {
    server_.describe("after:  ");
    prove(equal(server_.consumed().term(), consumed.term()),
          "what was consumed is kept or put down");
    Rules due(before_, server_.period, 0, false);
    due.put_down(consumed_ < server_.consumed() ? Value(0) : consumed_ - server_.consumed());
    const Value instant = variable("instant");
    const Refills after = server_.refills();
    const Value released = after.released_before(instant);
    const Value most = due.refills().released_before(instant);
    const Value least = rules_.refills().released_before(instant);
    note({"released before ", instant.term(), ": ", released.term(), ", at most ", most.term(),
          " due, at least ", least.term(), " by the rules"});
    prove(negation(less(most.term(), released.term())), "nothing of the budget is back too early");
    prove(negation(less(released.term(), least.term())), "nothing is later than the rules say");
    prove(equal(number(static_cast<int64_t>(after.list.size())),
                number(static_cast<int64_t>(rules_.refills().list.size()))),
          "what touches is one refill, and what need not be joined is not");
    server_.for_all_of_valid([](Term fact, const char* what) { prove(fact, what); });
  }
  Any server_;
  Rules rules_;
  Refills before_;
  Value consumed_ = 0;
};

}  // namespace hocket::symbolic
