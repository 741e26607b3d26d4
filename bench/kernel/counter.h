// Counts instructions of chosen pieces of code, exactly, under `valgrind --tool=callgrind`.
//
// An operation is any number of counted pieces; at its end its count is written down with its name
// and the number of pieces, so that the reader can subtract what the two markers of a piece cost
// (an operation called "empty", one piece with nothing in it, says how much that is).
#pragma once

#include <valgrind/callgrind.h>

#include <cstdio>

namespace hocket::bench {

/// The markers are calls, never inlined: a piece costs the same wherever it is.
[[gnu::noinline]] inline void counting_starts() {
  CALLGRIND_TOGGLE_COLLECT;
}
[[gnu::noinline]] inline void counting_stops() {
  CALLGRIND_TOGGLE_COLLECT;
}

/// What is counted, and whether anything is at the moment.
class Counter {
 public:
  enum class Level { WholeCall, PolicyOnly };
  static inline Level level = Level::WholeCall;
  static inline bool counting = false;

  /// Runs `call`, counting it when it belongs to the chosen level.
  template <class Call>
  static decltype(auto) piece(Level of, Call call) {
    if (!counting || of != level) return call();
    ++pieces_;
    const Stop stop;
    counting_starts();
    return call();
  }

  /// The operation is over: its count is written down and the next begins at 0.
  static void operation(const char* name) {
    if (!counting) return;
    char label[64];
    std::snprintf(label, sizeof label, "%s|%u", name, pieces_);
    CALLGRIND_DUMP_STATS_AT(label);
    pieces_ = 0;
  }

 private:
  struct Stop {
    ~Stop() { counting_stops(); }
  };
  static inline unsigned pieces_ = 0;
};

}  // namespace hocket::bench
