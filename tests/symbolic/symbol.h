// A representation of ticks that is a term of the solver: the kernel's headers are templates over
// it, and take this one as they take a number.
//
//   Linear     64 bits wide as the kernel sees it, so instants are compared as numbers
//   Circular   32 bits wide, so instants wrap
//
// All terms are integers, which do not wrap. A circular clock of 32 bits has the remainders of
// them: sums and differences of remainders are remainders of sums and differences. Only where two
// values are compared, or one is divided, it could decide otherwise than integers do: if their
// difference is half a turn or more. That it never is, is proved wherever the header compares
// Circular values.
#pragma once

#include "kernel/base/time.h"
#include "kernel/sched/pibs_server.h"
#include "tests/symbolic/terms.h"

namespace hocket::symbolic {

/// That many ticks are half a turn of a circular clock.
inline constexpr int64_t kHalfTurn = int64_t{1} << 31;

/// A small constant, or a term: constants have the lowest bit, so that they may be made by the
/// compiler.
template <class Store>
class Symbol {
 public:
  constexpr Symbol() = default;
  constexpr Symbol(int value) : code_(Store{value} * 2 + 1) {}
  Symbol(Term term) : code_(static_cast<Store>(term) * 2) {}
  /// (A constant of the compiler that is too large for one of these.)
  static constexpr Symbol quarter_turn() {
    Symbol result;
    result.code_ = kQuarterTurn;
    return result;
  }

  Term term() const {
    if (code_ == kQuarterTurn) return number(kCircular ? kHalfTurn / 2 : int64_t{1} << 62);
    return code_ % 2 != 0 ? number((code_ - 1) / 2) : static_cast<Term>(code_ / 2);
  }
  friend Symbol operator+(Symbol a, Symbol b) { return a.in_order(sum(a.term(), b.term())); }
  friend Symbol operator-(Symbol a, Symbol b) { return a.in_order(difference(a.term(), b.term())); }
  friend Symbol operator>>(Symbol a, unsigned places) {
    return shifted_down(a.in_order(a.term()), places);
  }
  friend constexpr bool operator<(Symbol a, Symbol b) {
    return decide(less(a.in_order(a.term()), b.in_order(b.term())));
  }
  friend constexpr bool operator<=(Symbol a, Symbol b) { return !(b < a); }
  friend constexpr bool operator==(Symbol a, Symbol b) {
    static_cast<void>(a.in_order(difference(a.term(), b.term())));
    return decide(equal(a.term(), b.term()));
  }

 private:
  static constexpr bool kCircular = sizeof(Store) < sizeof(int64_t);
  static constexpr Store kQuarterTurn = -2;  // (no place in the table)

  /// A circular clock has the same number.
  static Term in_order(Term value) {
    if constexpr (kCircular) {
      prove(both(less(value, number(kHalfTurn)), negation(less(value, number(-kHalfTurn)))),
            "a circular clock has it within half a turn");
    }
    return value;
  }

  Store code_ = 1;
};
using Linear = Symbol<int64_t>;
using Circular = Symbol<int32_t>;
static_assert(!kCircularTime<Linear> && kCircularTime<Circular>);

/// One factor of an area, and an area: only compared.
struct Factor {
  Term term{};
  constexpr Factor(int) {}
  explicit Factor(Term value) : term(value) {}
  constexpr Factor operator~() const { return *this; }
};
class Area {
 public:
  constexpr Area() = default;
  constexpr Area(int) {}
  explicit Area(Term value) : term_(value), known_(Known::Term) {}
  template <class Store>
  explicit Area(Symbol<Store> ticks) : Area((ticks >> 0).term()) {}
  explicit operator Factor() const { return Factor(term_); }
  constexpr Area operator~() const {
    Area result(0);
    result.known_ = Known::Most;
    return result;
  }
  /// Nothing is cut: the area is a function of the durations themselves.
  Area operator>>(unsigned) const { return *this; }
  friend bool operator>(const Area&, const Factor&) { return false; }

  Term term() const {
    if (known_ == Known::Term) return term_;
    return known_ == Known::Most ? most_area() : least_area();
  }
  friend bool operator<(const Area& a, const Area& b) { return decide(less(a.term(), b.term())); }
  friend bool operator>=(const Area& a, const Area& b) { return !(a < b); }

 private:
  enum class Known : uint8_t { Term, Least, Most };
  Term term_{};
  Known known_ = Known::Least;
};

}  // namespace hocket::symbolic

namespace hocket {

template <class Store>
struct LossUnits<symbolic::Symbol<Store>> {
  using Area = symbolic::Area;
  using Factor = symbolic::Factor;
};
template <>
inline symbolic::Area wide_product(symbolic::Factor time, symbolic::Factor amount) {
  return symbolic::Area(symbolic::area(time.term, amount.term));
}

namespace detail {
template <>
inline symbolic::Circular tick_sum(symbolic::Circular a, symbolic::Circular b) {
  return symbolic::sum(a.term(), b.term());  // (an instant may be anywhere)
}
template <>
inline symbolic::Circular tick_difference(symbolic::Circular a, symbolic::Circular b) {
  return symbolic::difference(a.term(), b.term());
}
}  // namespace detail

template <>
constexpr BasicDuration<symbolic::Circular> BasicInstant<symbolic::Circular>::quarter_turn() {
  return Duration(symbolic::Circular::quarter_turn());
}
template <>
constexpr BasicDuration<symbolic::Linear> BasicInstant<symbolic::Linear>::quarter_turn() {
  return Duration(symbolic::Linear::quarter_turn());
}

/// How long a part of a budget takes to come back is a function of the part here: that it is the
/// exact quotient is tested with numbers (tests/unit/kernel/pibs_server_test.cpp).
template <class Store>
class ComesBack<symbolic::Symbol<Store>> {
 public:
  using Duration = BasicDuration<symbolic::Symbol<Store>>;
  void reset(Duration, Duration) { set_ = true; }
  Duration after(Duration part, Duration, Duration) const {
    return Duration(symbolic::time_for(part.ticks().term()));
  }
  bool is_set() const { return set_; }
  void clear() { set_ = false; }

 private:
  bool set_ = false;
};

}  // namespace hocket
