// Any valid state of a sporadic server, reached or not, and what is true of one: the inductive
// invariant, in one place. docs/decisions/proving-the-server.md explains each line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/symbolic/symbol.h"

namespace hocket::symbolic {

/// The rules reckon with integers, on whatever clock the server is.
using Value = Linear;

/// Refills as the rules see them: a list that may grow.
struct Refills {
  struct Refill {
    Value time, amount;
    Value end() const { return time + amount; }
  };
  std::vector<Refill> list;

  /// How many units of the budget are released before `instant`: a refill (t, a) releases one unit
  /// at each of the ticks t, t + 1, … t + a − 1.
  Value released_before(Value instant) const {
    Value result = 0;
    for (const Refill& refill : list) {
      const Value passed = instant - refill.time;
      const Term some =
          chosen(less(passed.term(), refill.amount.term()), passed.term(), refill.amount.term());
      result = result + Value(chosen(less(number(0), passed.term()), some, number(0)));
    }
    return result;
  }
  Value sum() const {
    Value result = 0;
    for (const Refill& refill : list) result = result + refill.amount;
    return result;
  }
  std::vector<Piece> written() const {
    std::vector<Piece> line;
    for (const Refill& refill : list) {
      line.insert(line.end(), {"[", refill.time.term(), ": ", refill.amount.term(), "] "});
    }
    return line;
  }
};

inline Term is_before(Value a, Value b) {
  return less(a.term(), b.term());
}
inline Term is_not_after(Value a, Value b) {
  return negation(is_before(b, a));
}
inline Term implies(Term condition, Term conclusion) {
  return negation(both(condition, negation(conclusion)));
}

/// `kServer`: SporadicServer, whose protected members are the state.
template <class Server>
class AnyServer : public Server {
 public:
  using Instant = typename Server::Instant;
  using Duration = typename Server::Duration;

  Value budget = variable("C"), period = variable("T");
  unsigned limit = 0;
  /// The loops of an operation on a long list take so few rounds as show each of their cases; else
  /// all that there are.
  bool few = false;
  static Duration duration(Value ticks) { return Duration(ticks.term()); }
  static Instant instant(Value ticks) { return Instant(ticks.term()); }
  template <class Time>
  static Value value(Time time) {
    return time.ticks().term();
  }
  Value spread() const { return period >> Server::kSpread; }

  /// `count` refills in a list of at most `most`.
  AnyServer(unsigned count, unsigned most, bool few_rounds) : limit(most), few(few_rounds) {
    assume(less(number(0), budget.term()));
    assume(negation(less(period.term(), budget.term())));
    // (On the Uno 240 s is the longest one, and a turn 35.8 minutes.)
    if (Instant::kCircular) assume(is_not_after(period, number(kHalfTurn / 4)));
    Server::reset(duration(budget), duration(period), Instant(variable("t0")), most);
    this->refill_.clear();
    for (unsigned i = 0; i < count; ++i) {
      const std::string place = std::to_string(i);
      this->refill_.push_back({Instant(variable("t" + place)), Duration(variable("a" + place))});
    }
    this->consumed_ = Duration(variable("consumed"));
    this->origin_ = Instant(variable("origin"));
    this->latest_ = Instant(variable("latest"));
    for_all_of_valid([](Term fact, const char*) { assume(fact); });
    if constexpr (Server::kRemembers) choose_cheapest();
  }

  Refills refills() const {
    Refills result;
    for (unsigned i = 0; i < this->count(); ++i) {
      result.list.push_back({value((*this)[i].time), value((*this)[i].amount)});
    }
    return result;
  }
  Value consumed() const { return value(this->consumed_); }
  Value amount() const { return value(this->refill_.front().amount); }
  Value head() const { return value(this->time()); }
  Value origin() const { return value(this->origin_); }

  /// The invariant. Every operation may rely on it, and must leave it.
  template <class Use>
  void for_all_of_valid(const Use& use) const {
    const auto list = refills().list;
    const Value latest = value(this->latest_);
    for (const auto& refill : list) {
      use(less(number(0), refill.amount.term()), "a refill is more than 0");
    }
    use(equal(refills().sum().term(), budget.term()), "the refills add up to the budget");
    for (size_t i = 1; i < list.size(); ++i) {
      use(is_not_after(list[i - 1].end(), list[i].time), "refills are in order, apart");
    }
    use(is_not_after(list.back().end(), head() + period), "all is back a period after the head");
    use(negation(less(consumed().term(), number(0))), "what was consumed is not less than 0");
    use(is_not_after(origin(), head()), "the head has moved to a later time");
    use(is_not_after(head(), origin() + spread()), "it has moved no farther than rule 7 allows");
    use(is_not_after(head(), latest), "it may stay where it is");
    use(is_not_after(latest, origin() + spread()), "it may move no farther than rule 7 allows");
    if (list.size() > 1) {
      use(implies(is_before(head(), latest), is_before(latest + list[0].amount, list[1].time)),
          "it may move only as far as it stays clear of the next one");
    }
    if constexpr (Server::kRemembers) remembers(list, use);
  }

  /// What stop() leaves, and unblock() relies on, beside the invariant.
  template <class Use>
  void for_all_of_stopped(const Use& use) const {
    use(less(consumed().term(), amount().term()), "something of the head is left");
    use(implies(is_before(head(), value(this->latest_)),
                negation(less(period.term(), (consumed() + consumed()).term()))),
        "more than half a period is not moved");
  }

  void describe(const char* when) const {
    std::vector<Piece> line{when};
    for (Piece& piece : refills().written()) line.push_back(std::move(piece));
    line.insert(line.end(), {" consumed ", consumed().term(), ", moved from ", origin().term(),
                             ", may move to ", value(this->latest_).term()});
    note(std::move(line));
  }

 private:
  static Term loss_between(const Refills::Refill& earlier, const Refills::Refill& later) {
    return area((later.time - earlier.end()).term(), earlier.amount.term());
  }

  /// A long list remembers its cheapest pair, or that it has to be looked for.
  template <class Use>
  void remembers(const std::vector<Refills::Refill>& list, const Use& use) const {
    const unsigned pair = this->cheapest_.pair;
    if (pair == Server::kUnknown || list.size() != limit || pair == 0) return;
    const Term loss = this->cheapest_.loss.term();
    use(equal(loss, loss_between(list[pair], list[pair + 1])), "the loss of the cheapest pair");
    for (unsigned i = 1; i + 1 < list.size(); ++i) {
      use(negation(less(loss_between(list[i], list[i + 1]), loss)), "no pair is cheaper");
    }
  }

  /// Which pair is the cheapest one decides what happens, the order of the others does not
  /// (cheapest_pair() is tried with all orders by itself): they lose one and the same.
  void choose_cheapest() {
    const auto list = refills().list;
    this->cheapest_.pair = Server::kUnknown;
    if (list.size() != limit || list.size() < 3) return;
    const unsigned pairs = static_cast<unsigned>(list.size()) - 2;
    const unsigned choice = any_below(few && pairs > 3 ? 3 : pairs);
    const unsigned cheapest = !few || pairs < 4 ? 1 + choice : 1 + choice * (pairs - 1) / 2;
    const Term least = loss_between(list[cheapest], list[cheapest + 1]);
    const Term others =
        pairs < 2 ? least : loss_between(list[cheapest == 1 ? 2 : 1], list[cheapest == 1 ? 3 : 2]);
    for (unsigned i = 1; i <= pairs; ++i) {
      const Term loss = loss_between(list[i], list[i + 1]);
      if (i != cheapest) assume(equal(loss, others));
    }
    // Ties: the first of them.
    if (pairs > 1) assume(cheapest == 1 ? negation(less(others, least)) : less(least, others));
    if (few && pairs > 3 ? choice == 1 : any_below(2) == 0) return;
    this->cheapest_ = {static_cast<uint8_t>(cheapest), symbolic::Area(least)};
  }
};

}  // namespace hocket::symbolic
