// What both proofs begin and end with.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "kernel/base/types.h"
#include "tests/symbolic/terms.h"
// A precondition that does not hold is a counterexample. (The header's own look at its whole list
// in checked builds is left out: the invariant says more.)
#undef HOCKET_CHECK
#define HOCKET_CHECK(condition)       \
  ((condition) ? static_cast<void>(0) \
               : hocket::symbolic::refute("precondition of the header: " #condition))

#include "tests/symbolic/steps.h"

namespace hocket::symbolic {

inline Found all_found;

/// False: something does not hold, and how is printed.
inline bool holds(const std::string& name, const std::function<void()>& step) {
  begin_anew();
  const Found found = explore(step);
  all_found.paths += found.paths;
  all_found.obligations += found.obligations;
  all_found.queries += found.queries;
  if (found.counterexample.empty()) {
    std::printf("%s: %lu paths, %lu obligations\n", name.c_str(), found.paths, found.obligations);
    return true;
  }
  std::printf("refuted: %s: %s", name.c_str(), found.counterexample.c_str());
  return false;
}

/// The program's last line, and its exit status.
inline int say_whether(bool held) {
  std::printf("%s: %lu paths, %lu obligations, %lu queries\n", held ? "proved" : "not proved",
              all_found.paths, all_found.obligations, all_found.queries);
  return held ? 0 : 1;
}

}  // namespace hocket::symbolic
