// The facts of a run as records (see report.h).
#include "boards/aarch64/kernel/report.h"

#include "arduino/runtime/runtime.h"
#include "boards/aarch64/kernel/domain.h"
#include "boards/aarch64/kernel/faults.h"
#include "boards/aarch64/kernel/world.h"

namespace hocket::report {
namespace {

using runtime::Loop;
using world::Operation;

uint64_t ns(System::Duration duration) {
  return duration.ticks() < 0 ? 0 : Board::nanoseconds(duration.ticks());
}

uint32_t length(const char* text) {
  uint32_t count = 0;
  while (text[count] != '\0') ++count;
  return count;
}

world::RunFacts run_facts(System::Instant end, unsigned cores, bool accepted) {
  constexpr auto costs = Board::Port::costs();
  world::RunFacts facts{};
  facts.duration = Board::nanoseconds(end.ticks());
  facts.accepted = accepted ? 1 : 0;
  facts.cores = cores;
  facts.in_setup = runtime::phase() == runtime::Phase::Running ? 0 : 1;
  facts.restarts = faults::restarts();
  for (unsigned i = 0; i < cores; ++i) {
    const Counters& counters = System::core(static_cast<CoreId>(i)).counters;
    facts.thread_switches += counters.thread_switches;
    facts.preemptions += counters.preemptions;
    facts.timer_interrupts += counters.timer_interrupts;
    facts.sleeps += counters.sleeps;
    facts.kicks += counters.kicks;
  }
  facts.context_switch = Board::nanoseconds(costs.context_switch);
  facts.timer_interrupt = Board::nanoseconds(costs.timer_interrupt);
  facts.timer_lateness = Board::nanoseconds(costs.timer_lateness);
  facts.longest_masked = Board::nanoseconds(costs.longest_masked);
  facts.longest_masked_seen = world::kUnknown;
  facts.spin_blocking = Board::nanoseconds(runtime::spin_blocking(cores));
  facts.minimum_budget = Board::nanoseconds(Board::kMinimumBudget);
  facts.refills = SystemConfig::kRefills;
  return facts;
}

world::LoopFacts loop_facts(const Loop& loop, bool ran) {
  const LoopDescriptor& d = *loop.descriptor;
  const bool periodic = d.kind == LoopKind::Periodic;
  const auto& meter = loop.thread.meter;
  world::LoopFacts facts{};
  facts.id = d.id;
  facts.periodic = periodic ? 1 : 0;
  facts.core = loop.vcpu.core;
  facts.budget = d.budget_ns;
  facts.period = d.period_ns;
  facts.deadline = d.deadline_ns;
  facts.iterations = loop.iterations;
  facts.cpu_time = ns(loop.thread.meter.total());
  facts.least_cpu = meter.windows() > 0 ? ns(meter.least()) : world::kUnknown;
  facts.most_cpu = meter.windows() > 0 ? ns(meter.most()) : world::kUnknown;
  facts.exhausted = loop.vcpu.exhausted;
  facts.releases = periodic ? loop.releases : loop.vcpu.releases;
  facts.deadline_misses = periodic ? loop.deadline_misses : loop.vcpu.deadline_misses;
  facts.worst_response = ns(periodic ? loop.worst_response : loop.vcpu.worst_response);
  facts.response_bound = Board::nanoseconds(loop.response_bound);
  facts.stack_size = loop.stack.size;
  facts.stack_used = ran ? domain::stack_used(loop.stack) : 0;
  return facts;
}

}  // namespace

void send(System::Instant end, unsigned cores, bool accepted) {
  const bool ran = end > System::Instant(0);
  const world::RunFacts facts = run_facts(end, cores, accepted);
  world::ask(Operation::Facts, 0, 0, 0, &facts, sizeof facts);
  for (unsigned i = 0; i < cores; ++i) {
    const runtime::CoreReport& core = runtime::core_report(i);
    const world::CoreFacts record{core.utilization_ppm, core.liu_layland_ppm};
    world::ask(Operation::CoreFacts, 0, 0, 0, &record, sizeof record);
  }
  for (unsigned i = 0; i < runtime::loop_count(); ++i) {
    const world::LoopFacts record = loop_facts(runtime::loop(i), ran);
    world::ask(Operation::LoopFacts, 0, 0, 0, &record, sizeof record);
  }
  for (unsigned i = 0; i < faults::count(); ++i) {
    world::ask(Operation::FaultFacts, 0, 0, 0, &faults::record(i), sizeof(world::FaultFacts));
  }
  for (unsigned i = 0; i < runtime::reason_count(); ++i) {
    const char* text = runtime::reason(i);
    world::ask(Operation::Reason, 0, 0, 0, text, length(text));
  }
}

void notice(const char* text) {
  world::ask(Operation::Notice, 0, 0, 0, text, length(text));
}

}  // namespace hocket::report
