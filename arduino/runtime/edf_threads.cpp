// Contracts that loops get in setup() (see edf_threads.h).
#include "arduino/runtime/edf_threads.h"

#include "arduino/runtime/policy_choice.h"
#include "arduino/runtime/sketches.h"

namespace hocket::runtime {
namespace {

constexpr uint64_t kNsPerMs = 1'000'000;
template <class Analysis>
constexpr bool kLooksAtDeadlines =
    requires(const Analysis& analysis) { analysis.first_overload(); };
constexpr bool kByDeadlines = kLooksAtDeadlines<Sketches::Analysis>;

/// Checks a contract by itself, whatever else runs. Returns true when it is possible; otherwise
/// `why` says why not.
bool is_one(const sys::EdfContract& asked, TextWriter& why) {
  const unsigned deadline = asked.deadline_ms, wcet = asked.wcet_ms, period = asked.period_ms;
  if (period == 0) {
    why.put("its period is 0 ms: nothing can come so often");
  } else if (wcet == 0) {
    why.put("its WCET is 0 ms: it would never run");
  } else if (deadline > period) {
    why.put("its deadline, ", deadline, " ms, is later than the end of its period, ", period,
            " ms, which is not supported: make the deadline ", period, " ms or less");
  } else if (wcet > deadline) {
    why.put("its WCET, ", wcet, " ms, is longer than its deadline, ", deadline,
            " ms: it could never be in time");
  } else {
    return true;
  }
  return false;
}

/// Converts an EDF contract to a loop's descriptor.
[[maybe_unused]] LoopDescriptor contract_of(const Loop& loop, const sys::EdfContract& asked) {
  LoopDescriptor d = *loop.declared;
  d.budget_ns = asked.wcet_ms * kNsPerMs;
  d.period_ns = asked.period_ms * kNsPerMs;
  d.deadline_ns = asked.deadline_ms * kNsPerMs;
  d.suspended = false;
  return d;
}

/// Whether edf_prepare() may be called now for this loop; otherwise `why` says why not.
bool may_prepare(const Loop* loop, TextWriter& why) {
  if (!kByDeadlines) {
    why.put("the policy is ", ChosenPolicy::kName,
            ", which has no deadlines to test: write HOCKET_POLICY(edf)");
  } else if (loop == nullptr) {
    why.put("there is no such thread");
  } else if (loop->later == Loop::Later::Resumed) {
    why.put("it has been resumed: its deadline, WCET and period stay as they are");
  } else if (loop->later == Loop::Later::Admitted) {
    why.put("it is admitted already: its deadline, WCET and period stay as they are");
  } else if (current_loop() != nullptr || current_sketch().phase() != Phase::Setup) {
    why.put("edf_prepare() is for setup(): once the loops run, nothing more is promised");
  } else {
    return true;
  }
  return false;
}

}  // namespace

[[gnu::cold]] bool edf_prepare(unsigned id, sys::EdfContract& contract) {
  const sys::EdfContract asked = contract;  // a copy: other loops may change the caller's memory
  TextWriter why(contract.why_not, sizeof contract.why_not);
  contract.why_not[0] = '\0';
  Loop* const loop = current_sketch().loop_with_later_contract(id);
  if (!may_prepare(loop, why) || !is_one(asked, why)) return false;
  if constexpr (kByDeadlines) {
    static constinit LoopDescriptor contracts[kMostLaterLoops]{};
    if (loop->later_number >= kMostLaterLoops) {
      why.put("the board has room for ", kMostLaterLoops, " such threads");
      return false;
    }
    LoopDescriptor& own = contracts[loop->later_number];
    own = contract_of(*loop, asked);
    loop->descriptor = &own;
    static constinit Refusals<Rate, Ticks> refusals{};
    refusals.clear();
    if (!sketches().admit_later(*loop, refusals)) {
      why.put(refusals.count() > 0 ? refusals[0] : "there is no room on any core");
      return false;
    }
    loop->sketch->create_later(*loop, sketches());
    loop->later = Loop::Later::Admitted;
    return true;
  }
  return false;
}

[[gnu::cold]] bool edf_resume(unsigned id) {
  Loop* const loop = current_sketch().loop_with_later_contract(id);
  return loop != nullptr && loop->sketch->resume_later(*loop);
}

}  // namespace hocket::runtime
