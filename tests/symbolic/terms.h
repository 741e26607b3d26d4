// Terms of an SMT solver (Z3), and the exploration of all paths of a function that compares them.
//
// The function under test runs as it is. Where it asks whether a symbolic comparison is true and
// both answers are possible, the run takes one of them; explore() repeats the function until every
// possible answer has been taken. What must hold at the end of a path is proved for all values that
// take this path.
//
// This header does not include the solver's own one, which takes seconds to compile: the file under
// test is compiled once for each seeded fault.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hocket::symbolic {

/// A number or a truth value that the solver knows, as a place in its table.
enum class Term : int32_t {};

/// Forgets everything.
void begin_anew();

Term number(int64_t value);
Term variable(const std::string& name);
Term sum(Term a, Term b);
Term difference(Term a, Term b);
Term multiple(Term a, int64_t times);
/// Without the lowest bits; of a number that is not negative.
Term shifted_down(Term a, unsigned places);
/// What delaying `amount` for `time` counts for: a function of both of which is known that it is
/// neither negative nor more than most_area(), and for the same amount grows with the time.
Term area(Term time, Term amount);
Term least_area();
Term most_area();
/// How long a part of a budget takes to come back: a function of which nothing is known.
Term time_for(Term part);

Term less(Term a, Term b);
Term equal(Term a, Term b);
Term both(Term a, Term b);
Term negation(Term a);
Term chosen(Term condition, Term a, Term b);

/// Whether a truth value holds on this path. Where both are possible, the path forks.
bool decide(Term condition);
/// A number below `count`: all of them are tried.
unsigned any_below(unsigned count);
/// Only paths and values on which that holds are looked at.
void assume(Term condition);
/// That must hold for all values that take this path.
void prove(Term condition, const std::string& what);
/// The path must not come here.
[[noreturn]] void refute(const std::string& what);

/// A line of the counterexample, if there is one: texts, and terms as their values in it.
struct Piece {
  std::string text;
  Term term{};
  bool is_term = false;
  Piece(const char* words) : text(words) {}
  Piece(std::string words) : text(std::move(words)) {}
  Piece(Term value) : term(value), is_term(true) {}
};
void note(std::vector<Piece> line);

struct Found {
  unsigned long paths = 0, forks = 0, obligations = 0, queries = 0;
  std::string counterexample;  // empty: everything was proved
};
/// Runs `step` on all its paths, or up to the first one on which something does not hold.
Found explore(const std::function<void()>& step);

}  // namespace hocket::symbolic
