#include "tests/symbolic/terms.h"

#include <z3++.h>

#include <memory>
#include <optional>
#include <stdexcept>

namespace hocket::symbolic {
namespace {

/// A path that no values take.
struct Impossible {};
/// Something does not hold.
struct Refuted {};

/// What a run has been answered or has assumed, in order. A repeated run gets the same answers up
/// to the last event that is left of the run before.
struct Event {
  unsigned value = 0;
  std::optional<z3::expr> other = std::nullopt;  // the other answer, not tried yet
  unsigned untried = 0;                          // numbers of any_below() that are left
  bool scope = false;                            // the solver has a scope that begins here
};

/// More than any operation on a valid state makes on a path.
constexpr size_t kMostTerms = 200'000;

struct Known {
  Term area, time, amount;
};

struct Solver {
  z3::context context;
  z3::solver solver{context};
  std::optional<z3::model> model;
  std::vector<z3::expr> table;
  std::vector<Event> trail;
  size_t place = 0;
  std::vector<std::pair<z3::expr, std::string>> obligations;
  std::vector<std::vector<Piece>> notes;
  std::vector<Known> areas;
  Found found;

  Solver() {
    z3::params options(context);
    options.set("random_seed", 1u);
    options.set("arith.solver", 2u);  // (a tenth faster here than its default)
    solver.set(options);
  }

  Term keep(const z3::expr& term) {
    if (table.size() > kMostTerms) refute("the operation does not come to an end");
    table.push_back(term.simplify());
    return static_cast<Term>(table.size() - 1);
  }
  z3::expr at(Term term) { return table.at(static_cast<size_t>(term)); }
  bool same(Term a, Term b) { return z3::eq(at(a), at(b)); }

  bool possible() {
    ++found.queries;
    const z3::check_result answer = solver.check();
    if (answer == z3::unknown) {
      throw std::runtime_error("the solver gives up: " + solver.reason_unknown());
    }
    if (answer == z3::unsat) return false;
    model = solver.get_model();
    return true;
  }
  bool possible_with(const z3::expr& condition) {
    ++found.queries;
    solver.push();
    solver.add(condition);
    const z3::check_result answer = solver.check();
    if (answer == z3::unknown) {
      throw std::runtime_error("the solver gives up: " + solver.reason_unknown());
    }
    solver.pop();
    return answer == z3::sat;
  }
  bool holds_in_model(const z3::expr& condition) {
    if (!model && !possible()) throw Impossible{};
    return model->eval(condition, true).is_true();
  }

  void open(Event event) {
    solver.push();
    event.scope = true;
    trail.push_back(std::move(event));
    ++place;
  }

  /// To the last event with an answer that has not been tried, and on from there with that one.
  bool next_path() {
    place = 0;
    table.clear();
    areas.clear();
    obligations.clear();
    notes.clear();
    while (!trail.empty()) {
      Event& last = trail.back();
      if (last.scope) solver.pop();
      if (last.other) {
        solver.push();
        solver.add(*last.other);
        last.other.reset();
        last.value = 1 - last.value;
        model.reset();
        return true;
      }
      if (last.untried > 0) {
        solver.push();
        --last.untried;
        ++last.value;
        model.reset();
        return true;
      }
      trail.pop_back();
    }
    return false;
  }

  std::string value_of(Term term) {
    const z3::expr value = model->eval(at(term), true);
    int64_t number = 0;
    return value.is_numeral_i64(number) ? std::to_string(number) : value.to_string();
  }

  [[noreturn]] void fail(const std::string& what) {
    found.counterexample = what + "\n";
    for (const auto& line : notes) {
      found.counterexample += "  ";
      for (const Piece& piece : line) {
        found.counterexample += piece.is_term ? value_of(piece.term) : piece.text;
      }
      found.counterexample += "\n";
    }
    throw Refuted{};
  }

  void prove_all() {
    if (obligations.empty()) return;
    z3::expr_vector broken(context);
    for (const auto& obligation : obligations) broken.push_back(!obligation.first);
    solver.push();
    solver.add(z3::mk_or(broken));
    if (possible()) {
      for (const auto& obligation : obligations) {
        if (!holds_in_model(obligation.first)) fail(obligation.second);
      }
    }
    solver.pop();
  }
};

std::unique_ptr<Solver> one = std::make_unique<Solver>();

}  // namespace

void begin_anew() {
  one = std::make_unique<Solver>();
}

Term number(int64_t value) {
  return one->keep(one->context.int_val(value));
}
Term variable(const std::string& name) {
  return one->keep(one->context.int_const(name.c_str()));
}
Term sum(Term a, Term b) {
  return one->keep(one->at(a) + one->at(b));
}
Term difference(Term a, Term b) {
  return one->keep(one->at(a) - one->at(b));
}
Term multiple(Term a, int64_t times) {
  return one->keep(one->context.int_val(times) * one->at(a));
}
Term shifted_down(Term a, unsigned places) {
  return one->keep(one->at(a) / one->context.int_val(int64_t{1} << places));
}

Term least_area() {
  return one->keep(one->context.int_val(0));
}
Term most_area() {
  return one->keep(one->context.int_const("most area"));
}
Term area(Term time, Term amount) {
  const z3::sort whole = one->context.int_sort();
  const z3::func_decl product = one->context.function("area", whole, whole, whole);
  const Term result = one->keep(product(one->at(time), one->at(amount)));
  for (const Known& known : one->areas) {
    if (one->same(known.area, result)) return result;
  }
  const std::vector<Known> known = one->areas;
  one->areas.push_back({result, time, amount});
  assume(negation(less(result, least_area())));
  assume(less(result, most_area()));
  for (const Known& other : known) {
    if (!one->same(other.amount, amount)) continue;
    const z3::expr more = one->at(other.time) <= one->at(time);
    const z3::expr grows = one->at(other.area) <= one->at(result);
    const z3::expr shrinks = one->at(other.area) >= one->at(result);
    assume(one->keep(z3::ite(more, grows, shrinks)));
  }
  return result;
}
Term time_for(Term part) {
  const z3::sort whole = one->context.int_sort();
  const z3::func_decl time = one->context.function("time for", whole, whole);
  return one->keep(time(one->at(part)));
}

Term less(Term a, Term b) {
  return one->keep(one->at(a) < one->at(b));
}
Term equal(Term a, Term b) {
  return one->keep(one->at(a) == one->at(b));
}
Term both(Term a, Term b) {
  return one->keep(one->at(a) && one->at(b));
}
Term negation(Term a) {
  return one->keep(!one->at(a));
}
Term chosen(Term condition, Term a, Term b) {
  return one->keep(z3::ite(one->at(condition), one->at(a), one->at(b)));
}

bool decide(Term term) {
  Solver& s = *one;
  const z3::expr condition = s.at(term);
  if (condition.is_true()) return true;
  if (condition.is_false()) return false;
  if (s.place < s.trail.size()) return s.trail[s.place++].value != 0;
  const bool value = s.holds_in_model(condition);
  const z3::expr taken = value ? condition : !condition, other = value ? !condition : condition;
  if (s.possible_with(other)) {
    ++s.found.forks;
    s.open({.value = value ? 1u : 0u, .other = other});
    s.solver.add(taken);
  } else {
    s.trail.push_back({.value = value ? 1u : 0u});
    ++s.place;
  }
  return value;
}

unsigned any_below(unsigned count) {
  Solver& s = *one;
  if (s.place == s.trail.size()) {
    s.open({.untried = count - 1});
    return 0;
  }
  return s.trail[s.place++].value;
}

void assume(Term term) {
  Solver& s = *one;
  const z3::expr condition = s.at(term);
  if (condition.is_true()) return;
  if (condition.is_false()) throw Impossible{};
  if (s.place < s.trail.size()) {
    ++s.place;
    return;
  }
  s.solver.add(condition);
  s.trail.push_back({});
  ++s.place;
  // (A model that satisfies it is looked for when it is asked for.)
  if (s.model && !s.model->eval(condition, true).is_true()) s.model.reset();
}

void prove(Term term, const std::string& what) {
  ++one->found.obligations;
  const z3::expr condition = one->at(term);
  if (!condition.is_true()) one->obligations.emplace_back(condition, what);
}

void refute(const std::string& what) {
  if (!one->model && !one->possible()) throw Impossible{};
  one->fail(what);
}

void note(std::vector<Piece> line) {
  one->notes.push_back(std::move(line));
}

Found explore(const std::function<void()>& step) {
  one->found = {};
  do {
    try {
      step();
      if (!one->model && !one->possible()) throw Impossible{};
      ++one->found.paths;
      one->prove_all();
    } catch (const Impossible&) {
    } catch (const Refuted&) {
      break;
    }
  } while (one->next_path());
  return one->found;
}

}  // namespace hocket::symbolic
