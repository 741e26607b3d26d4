// What the kernel and the simulated machine know of a run (simulation/program/facts.h).
#include <sys/mman.h>

#include <algorithm>

#include "arduino/runtime/sketches.h"
#include "simulation/machine/program.h"

namespace hocket::sim {
namespace {

using runtime::Loop;
using runtime::sketches;

Nanos nanoseconds(System::Duration duration) {
  return static_cast<Nanos>(std::max<int64_t>(duration.ticks(), 0));
}

/// Bytes of a stack that were ever used: fresh pages are zero, and untouched ones are not resident.
size_t stack_used(const port::Stack& stack) {
  constexpr size_t kPage = 4096;
  std::vector<unsigned char> resident(stack.size / kPage);
  if (mincore(stack.base, stack.size, resident.data()) != 0) return 0;
  const auto* bytes = static_cast<const unsigned char*>(stack.base);
  for (size_t page = 0; page < resident.size(); ++page) {
    if ((resident[page] & 1) == 0) continue;
    for (size_t i = page * kPage; i < (page + 1) * kPage; ++i) {
      if (bytes[i] != 0) return stack.size - i;
    }
  }
  return 0;
}

program::LoopFacts admission_of(const Loop& loop, bool accepted) {
  const LoopDescriptor& d = *loop.descriptor;
  program::LoopFacts facts{.id = d.id,
                           .periodic = d.kind == LoopKind::Periodic,
                           .budget = d.budget_ns,
                           .period = d.period_ns,
                           .deadline = d.deadline_ns,
                           .core = {},
                           .response_bound = {},
                           .run = {}};
  if (accepted) {
    facts.core = loop.vcpu.core;
    facts.response_bound = static_cast<Nanos>(loop.response_bound);
  }
  return facts;
}

program::LoopRun run_of(const Loop& loop, System::Instant end) {
  const runtime::Outcome outcome = runtime::outcome_of(loop, end);
  const auto& meter = loop.thread.meter;
  const bool measured = meter.windows() > 0;
  return {.iterations = loop.iterations,
          .cpu_time = nanoseconds(loop.thread.meter.total()),
          .kernel_time = nanoseconds(loop.thread.kernel_time),
          .least_cpu = measured ? std::optional(nanoseconds(meter.least())) : std::nullopt,
          .most_cpu = measured ? std::optional(nanoseconds(meter.most())) : std::nullopt,
          .exhausted = loop.vcpu.exhausted,
          .releases = outcome.releases,
          .deadline_misses = outcome.deadline_misses,
          .worst_response = nanoseconds(outcome.worst_response),
          .stack_size = loop.stack.size,
          .stack_used = stack_used(loop.stack)};
}

program::CounterFacts counters(unsigned cores) {
  program::CounterFacts sum;
  for (unsigned i = 0; i < cores; ++i) {
    const Counters& c = System::core(static_cast<CoreId>(i)).account.counters;
    sum.thread_switches += c.thread_switches;
    *sum.preemptions += c.preemptions;
    sum.timer_interrupts += c.timer_interrupts;
    *sum.sleeps += c.sleeps;
    sum.ipis += c.ipis;
  }
  return sum;
}

program::ModelFacts model_facts(const host::Machine* machine) {
  const host::Model model = machine == nullptr ? host::Model{} : machine->model();
  return {.block = model.block,
          .device_access = model.device_access,
          .ipi_latency = model.ipi_latency,
          .interrupt_entry = model.interrupt_entry,
          .blocks = machine == nullptr ? std::nullopt : std::optional(machine->blocks())};
}

Nanos longest_spin() {
  Nanos longest = 0;
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    longest = std::max(longest, nanoseconds(sketches().loop(i).longest_hold));
  }
  return longest;
}

program::OverheadFacts overheads(unsigned cores, const host::Machine* machine) {
  constexpr auto costs = Board::Port::costs();
  const auto ns = [](Board::Port::Ticks ticks) { return static_cast<Nanos>(ticks); };
  const auto reckoned = sketches().overheads(cores);
  return {.interrupt_entry = ns(costs.interrupt_entry),
          .context_switch = ns(costs.context_switch),
          .timer_interrupt = ns(costs.timer_interrupt),
          .timer_lateness = ns(costs.timer_lateness),
          .longest_masked = ns(costs.longest_masked),
          .longest_masked_seen =
              machine == nullptr ? std::nullopt : std::optional(machine->longest_masked()),
          .longest_spin_seen = machine == nullptr ? std::nullopt : std::optional(longest_spin()),
          .spin_blocking = ns(reckoned.blocking),
          .activation = ns(reckoned.activation()),
          .smallest_budget = ns(smallest_budget(costs)),
          .pieces = kPiecesPerPeriod,
          .refills = SystemConfig::kRefills};
}

}  // namespace

std::vector<std::string> kept_locks(const host::Machine& machine) {
  std::vector<std::string> notices;
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    const Loop& waiter = sketches().loop(i);
    if (waiter.waits_for == nullptr) continue;
    const Loop* const holder = sketches().holder_of(waiter.waits_for);
    const Nanos waited = machine.ended_at() - static_cast<Nanos>(waiter.waits_since.ticks());
    const auto expected = static_cast<Nanos>(runtime::spin_blocking(machine.core_count()));
    if (holder == nullptr || waited <= expected) continue;
    Text<200> text;
    runtime::put_kept_lock(text, waiter, *holder);
    notices.emplace_back(text.c_str());
  }
  return notices;
}

program::RunFacts gather_facts(const program::Options& options, bool accepted,
                               const host::Machine* machine) {
  const bool ran = machine != nullptr;
  program::RunFacts facts{.board = Board::kName,
                          .cores = options.cores,
                          .seed = options.seed,
                          .duration = ran ? machine->ended_at() : 0,
                          .clock = "virtual",
                          .tick = {},
                          .end = {},
                          .accepted = accepted,
                          .admission = {},
                          .reasons = {},
                          .loops = {},
                          .counters = {},
                          .faults = {},
                          .model = model_facts(machine),
                          .overheads = overheads(options.cores, machine),
                          .masked = {},
                          .notices = {}};
  for (unsigned i = 0; i < options.cores; ++i) {
    const runtime::CoreReport report = sketches().core_report(i);
    facts.admission.push_back({report.utilization_ppm, report.liu_layland_ppm});
  }
  for (unsigned i = 0; i < sketches().reason_count(); ++i) {
    facts.reasons.emplace_back(sketches().reason(i));
  }
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    program::LoopFacts loop = admission_of(sketches().loop(i), accepted);
    if (ran) loop.run = run_of(sketches().loop(i), Board::instant(machine->ended_at()));
    facts.loops.push_back(loop);
  }
  if (ran) facts.counters = counters(options.cores);
  return facts;
}

}  // namespace hocket::sim
