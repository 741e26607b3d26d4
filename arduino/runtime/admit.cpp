// Admission of a sketch: all its loops or none, with the reason for each refusal in one sentence.
#include "arduino/runtime/runtime.h"
#include "kernel/base/construct.h"
#include "kernel/base/text.h"

namespace hocket::runtime {
namespace {

using Placer = Placement<Ticks, Board::Port::kCores, Board::kMaxLoops>;

CoreReport core_reports[Board::Port::kCores];
constexpr unsigned kMostReasons = 8;  // more than a person reads
constexpr size_t kReasonSize = 400;
char reasons[kMostReasons][kReasonSize];
unsigned reasons_used = 0;

/// A duration as people write it: «70 ms», «70.5 ms», «250 us». Rounded down to microseconds.
class Readable {
 public:
  explicit Readable(uint64_t ns) {
    const uint64_t microseconds = ns / 1000;
    if (microseconds < 1000) {
      text_.put(microseconds, " us");
    } else if (microseconds % 1000 == 0) {
      text_.put(microseconds / 1000, " ms");
    } else {
      text_.put(Fixed3{microseconds}, " ms");
    }
  }
  const char* c_str() const { return text_.c_str(); }

 private:
  Text<32> text_;
};

Readable of_ticks(Ticks ticks) {
  return Readable(Rate::ns_down(static_cast<uint64_t>(ticks)));
}

/// «loop 2», or «loop()» for the plain one.
class LoopName {
 public:
  explicit LoopName(unsigned id) {
    if (id == kPlainLoop) {
      text_.put("loop()");
    } else {
      text_.put("loop ", id);
    }
  }
  const char* c_str() const { return text_.c_str(); }

 private:
  Text<16> text_;
};

/// The loop with a number (there is one).
const LoopDescriptor& declared(unsigned id) {
  unsigned i = 0;
  while (i + 1 < loop_count() && loop(i).descriptor->id != id) ++i;
  return *loop(i).descriptor;
}

/// What would go wrong: «its response time would be 130 ms, later than its deadline of 100 ms».
void describe_miss(TextWriter& text, const Refusal<Ticks>& refusal, bool itself) {
  // As the sketch says it: in ticks it may be a little shorter.
  const Readable deadline(declared(refusal.victim).deadline_ns);
  const bool unbounded = refusal.response == CoreAnalysis<Ticks, 1>::kUnbounded;
  if (itself) {
    text.put(unbounded ? "it" : "its");
  } else {
    text.put(LoopName(refusal.victim).c_str(), unbounded ? "" : "'s");
  }
  if (unbounded) {
    text.put(" would have ", of_ticks(refusal.demand).c_str(), " of work due within ",
             deadline.c_str(), " and never keep up");
  } else {
    text.put(" response time would be ", of_ticks(refusal.response).c_str(),
             ", later than its deadline of ", deadline.c_str());
  }
}

void explain(const Refusal<Ticks>& refusal) {
  if (reasons_used == kMostReasons) return;
  const LoopDescriptor& d = *loop(refusal.request).descriptor;
  TextWriter text(reasons[reasons_used++], kReasonSize);
  text.put(LoopName(d.id).c_str(), " asks for ", Readable(d.budget_ns).c_str(), " in every ",
           Readable(d.period_ns).c_str(), " and core ", refusal.core, " cannot guarantee it: ");
  describe_miss(text, refusal, refusal.victim == d.id);
  if (refusal.largest_budget > 0) {
    text.put("; the largest budget that would fit is ", of_ticks(refusal.largest_budget).c_str(),
             '.');
  } else {
    text.put("; no budget at all would fit there.");
  }
}

Overheads<Ticks> overheads(unsigned cores) {
  return {.costs = Board::Port::costs(),
          .blocking = spin_blocking(cores),
          .overrun = spin_blocking(cores),
          .minimum_budget = Board::kMinimumBudget,
          .refills = SystemConfig::kRefills};
}

/// A pin to a core that is not there is refused by name.
bool pins_exist(unsigned cores) {
  bool all = true;
  for (unsigned i = 0; i < loop_count(); ++i) {
    const LoopDescriptor& d = *loop(i).descriptor;
    if (d.core == LoopDescriptor::kAnyCore || d.core < cores) continue;
    all = false;
    if (reasons_used == kMostReasons) continue;
    TextWriter text(reasons[reasons_used++], kReasonSize);
    text.put(LoopName(d.id).c_str(), " is pinned to core ", d.core, ", but ");
    if (cores == 1) {
      text.put("there is only core 0");
    } else {
      text.put("the last one is core ", cores - 1);
    }
    text.put("; run it with --cores ", d.core + 1u, " or more.");
  }
  return all;
}

void report_core(unsigned core, const Placer::Analysis& analysis) {
  core_reports[core] = {analysis.size(), analysis.utilization_ppm(),
                        liu_layland_ppm(analysis.size())};
  for (unsigned rank = 0; rank < analysis.size(); ++rank) {
    for (unsigned i = 0; i < loop_count(); ++i) {
      if (loop(i).descriptor->id != analysis[rank].id) continue;
      loop(i).vcpu.core = static_cast<CoreId>(core);
      loop(i).rank = rank;
      loop(i).response_bound = analysis.response_time(rank);
    }
  }
}

}  // namespace

bool admit(unsigned cores) {
  reasons_used = 0;
  if (!pins_exist(cores)) return false;
  static Request<Ticks> requests[Board::kMaxLoops];
  const unsigned count = loop_count();
  for (unsigned i = 0; i < count; ++i) {
    const LoopDescriptor& d = *loop(i).descriptor;
    const TickDemand promised = promise(d);
    requests[i] = {.demand = {.budget = static_cast<Ticks>(promised.budget),
                              .period = static_cast<Ticks>(promised.period),
                              .deadline = static_cast<Ticks>(promised.deadline),
                              .id = d.id},
                   .pinned = d.core};
  }
  // One analysis per core: too much for a stack, and needed once.
  alignas(Placer::Analysis) static char room[Board::Port::kCores][sizeof(Placer::Analysis)];
  auto* analyses = reinterpret_cast<Placer::Analysis*>(room);
  for (unsigned core = 0; core < cores; ++core) {
    construct<Placer::Analysis>(&analyses[core], overheads(cores));
  }
  Placer placer(analyses, cores);
  const bool accepted = placer.place_all(requests, count, &explain);
  for (unsigned core = 0; core < cores; ++core) report_core(core, analyses[core]);
  return accepted;
}

const CoreReport& core_report(unsigned core) {
  return core_reports[core];
}
unsigned reason_count() {
  return reasons_used;
}
const char* reason(unsigned index) {
  return reasons[index];
}

}  // namespace hocket::runtime
