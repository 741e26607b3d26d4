// Admission of a sketch: all its loops or none, with the reason for each refusal in one sentence.
#include <stdio.h>

#include "kernel/base/construct.h"

#include "arduino/runtime/runtime.h"

namespace hocket::runtime {
namespace {

using Placer = Placement<Ticks, Board::Port::kCores, Board::kMaxLoops>;

CoreReport core_reports[Board::Port::kCores];
constexpr unsigned kMostReasons = 8;  // more than a person reads
constexpr size_t kReasonSize = 400;
char reasons[kMostReasons][kReasonSize];
unsigned reasons_used = 0;

Ticks from_ns(uint64_t ns) {
  return static_cast<Ticks>(ns / (1'000'000'000u / Board::Port::kTickHz));
}

/// A duration as people write it: «70 ms», «70.5 ms», «250 us». Rounded down to microseconds.
struct Readable {
  char text[32];
  explicit Readable(Ticks duration) {
    const long long microseconds = duration / kTicksPerMicrosecond;
    const long long whole = microseconds / 1000;
    const long long rest = microseconds % 1000;
    if (whole == 0) {
      snprintf(text, sizeof text, "%lld us", rest);
    } else if (rest == 0) {
      snprintf(text, sizeof text, "%lld ms", whole);
    } else {
      snprintf(text, sizeof text, "%lld.%03lld ms", whole, rest);
    }
  }
};

/// «loop 2», or «loop()» for the plain one.
struct LoopName {
  char text[16];
  explicit LoopName(unsigned id) {
    snprintf(text, sizeof text, id == kPlainLoop ? "loop()" : "loop %u", id);
  }
};

/// What would go wrong: «its response time would be 130 ms, later than its deadline of 100 ms».
void describe_miss(char* text, size_t size, const Refusal<Ticks>& refusal, const char* whose) {
  const Readable deadline(refusal.deadline);
  if (refusal.response == CoreAnalysis<Ticks, 1>::kUnbounded) {
    snprintf(text, size, "%s would have %s of work due within %s and never keep up", whose,
             Readable(refusal.demand).text, deadline.text);
  } else {
    snprintf(text, size, "%s response time would be %s, later than its deadline of %s", whose,
             Readable(refusal.response).text, deadline.text);
  }
}

void explain(const Refusal<Ticks>& refusal, const Demand<Ticks>& demand) {
  if (reasons_used == kMostReasons) return;
  const bool unbounded = refusal.response == CoreAnalysis<Ticks, 1>::kUnbounded;
  char whose[32];
  if (refusal.victim == demand.id) {
    snprintf(whose, sizeof whose, unbounded ? "it" : "its");
  } else {
    snprintf(whose, sizeof whose, unbounded ? "%s" : "%s's", LoopName(refusal.victim).text);
  }
  char miss[160];
  describe_miss(miss, sizeof miss, refusal, whose);
  char remedy[96];
  if (refusal.largest_budget > 0) {
    snprintf(remedy, sizeof remedy, "the largest budget that would fit is %s",
             Readable(refusal.largest_budget).text);
  } else {
    snprintf(remedy, sizeof remedy, "no budget at all would fit there");
  }
  snprintf(reasons[reasons_used++], kReasonSize,
           "%s asks for %s in every %s and core %u cannot guarantee it: %s; %s.",
           LoopName(demand.id).text, Readable(demand.budget).text, Readable(demand.period).text,
           static_cast<unsigned>(refusal.core), miss, remedy);
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
    char there_are[48];
    if (cores == 1) {
      snprintf(there_are, sizeof there_are, "there is only core 0");
    } else {
      snprintf(there_are, sizeof there_are, "the last one is core %u", cores - 1);
    }
    snprintf(reasons[reasons_used++], kReasonSize,
             "%s is pinned to core %u, but %s; run it with --cores %u or more.",
             LoopName(d.id).text, d.core, there_are, d.core + 1u);
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
    requests[i] = {.demand = {.budget = from_ns(d.budget_ns),
                              .period = from_ns(d.period_ns),
                              .deadline = from_ns(d.deadline_ns),
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
  const bool accepted = placer.place_all(requests, count, [](const Refusal<Ticks>& refusal) {
    explain(refusal, requests[refusal.request].demand);
  });
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
