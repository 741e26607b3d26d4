// What occupied the core while a call of a periodic loop was late, and how long loops waited for
// budget. Derived from the kernel's events (kernel/trace/event.h), at no cost to the kernel.
//
//   release                                                        end of the call
//      │ another loop │ own work │ delay() │ another loop │ own work │
//      └──────────────┴──────────┴─────────┴──────────────┴──────────┘  the parts add up to the response
//
// One call of each loop is kept: the longest late call into which no earlier call overran. (If any
// call was late, there is such a call: the first late one.)
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "kernel/trace/event.h"
#include "simulation/program/facts.h"
#include "simulation/program/log_file.h"

namespace hocket::program {

class CallWatch : public EventListener {
 public:
  /// A loop, and what is known of it before the run.
  struct Member {
    uint16_t thread;
    unsigned loop;
    unsigned core;
    bool periodic;
    Nanos deadline;
  };
  /// Information that only the board has, as of now.
  struct Board {
    /// The release of the thread's present or next call.
    std::function<Nanos(uint16_t thread)> release;
    /// The total time for which a core has served interrupts.
    std::function<Nanos(unsigned core)> interrupts;
  };

  CallWatch(const std::vector<Member>& members, unsigned cores, Board board);

  void event(const Event& event) override;
  /// The run has ended. Late calls that have not ended count too.
  void finish(Nanos now);
  /// Adds the results to a loop's facts; nothing for a loop that is not a member.
  void tell(LoopFacts& loop) const;

 private:
  static constexpr Nanos kNever = std::numeric_limits<Nanos>::max();
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  struct Loop {
    Member member;
    Nanos blocked_until = 0;             // end of its sleep; kNever: until it is woken
    Nanos usable_from = 0;               // it has no usable budget before
    Nanos wants_since = 0;               // it was running, or had nothing to do, before
    Nanos wait_begin = 0, wait_end = 0;  // the last wait for budget
    Nanos waited = 0, longest_wait = 0;  // of earlier waits
    std::optional<Nanos> release = {};   // of the call being examined
    Nanos last_release = 0, last_end = 0;
    Nanos own = 0, blocked = 0, no_budget = 0, rest = 0;
    std::vector<Nanos> others = {};  // indexed by loop
    std::optional<LateCall> worst = {};
  };
  struct Core {
    Nanos time = 0;          // everything before is accounted for
    size_t running = kNone;  // index of the running loop; kNone: none of them
    Nanos interrupts = 0;    // accounted for so far
    std::vector<size_t> loops = {};
  };

  size_t index_of(uint16_t thread) const;
  void advance(unsigned core, Nanos to);
  void count(Loop& loop, const Core& core, Nanos to, Nanos interrupts);
  void look_for_release(Loop& loop);
  void end_call(Loop& loop, Nanos at);
  void keep_if_worst(Loop& loop, Nanos at, bool ended);
  static void wait_for_budget(Loop& loop, Nanos from);
  static void end_wait(Loop& loop, Nanos at);

  Board board_;
  std::vector<Loop> loops_;
  std::vector<Core> cores_;
  std::vector<size_t> of_thread_;
};

}  // namespace hocket::program
