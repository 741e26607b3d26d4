// The facts of a run that the kernel and the simulated machine know (simulation/program/facts.h).
#include <algorithm>
#include <iterator>

#include "arduino/runtime/complaints.h"
#include "arduino/runtime/no_room.h"
#include "arduino/runtime/policy_choice.h"
#include "arduino/runtime/sketches.h"
#include "simulation/machine/program.h"

namespace hocket::sim {
namespace {

using runtime::Loop;
using runtime::sketches;

Nanos nanoseconds(System::Duration duration) {
  return static_cast<Nanos>(std::max<int64_t>(duration.ticks(), 0));
}

/// Bytes of a stack that were ever used; a fresh one is zero. Compares whole words: a single byte
/// of an address may be zero in some runs, depending on where this process was loaded.
size_t stack_used(const port::Stack& stack) {
  const auto* const words = static_cast<const uint64_t*>(stack.base);
  const auto* const end = words + stack.size / sizeof *words;
  const auto* const lowest = std::find_if(words, end, [](uint64_t word) { return word != 0; });
  return static_cast<size_t>(end - lowest) * sizeof *words;
}

program::LoopFacts admission_of(const Loop& loop, bool accepted) {
  const LoopDescriptor& d = *loop.descriptor;
  program::LoopFacts facts{.id = d.id,
                           .periodic = d.kind == LoopKind::Periodic,
                           .other_kind = d.kind == LoopKind::Handler      ? "isr"
                                         : d.kind == LoopKind::BottomHalf ? "io"
                                                                          : nullptr,
                           .budget = d.budget_ns,
                           .period = d.period_ns,
                           .deadline = d.deadline_ns,
                           .core = {},
                           .response_bound = {},
                           .run = {}};
  if (d.kind == LoopKind::BottomHalf) {  // the deadline of the loops that it serves
    facts.deadline = static_cast<Nanos>(sketches().demand_of(loop).deadline);
  }
  if (accepted) {
    facts.core = loop.vcpu.core;
    if (loop.promised()) facts.response_bound = static_cast<Nanos>(loop.response_bound);
  }
  if (const auto* const split = sketches().split_of(loop)) {
    for (const auto& part : split->part) {
      facts.parts.push_back({part.core, static_cast<Nanos>(part.budget),
                             static_cast<Nanos>(part.offset), static_cast<Nanos>(part.deadline)});
    }
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
          .exhausted = runtime::exhausted_of(loop),
          .releases = outcome.releases,
          .deadline_misses = outcome.deadline_misses,
          .overruns = loop.is_periodic() ? std::optional(loop.overruns) : std::nullopt,
          .skipped = loop.is_periodic() ? std::optional(loop.skipped) : std::nullopt,
          .worst_response = nanoseconds(outcome.worst_response),
          .switches = loop.thread.counters.switches,
          .preemptions = loop.thread.counters.preemptions,
          .sleeps = loop.thread.counters.sleeps,
          .wakes = runtime::wakes_of(loop, end),
          .stack_size = loop.stack.size,
          .stack_used = stack_used(loop.stack)};
}

program::LoopCounts counts_of(const Loop& loop, System::Instant now) {
  const runtime::Outcome outcome = runtime::outcome_of(loop, now);
  return {.id = loop.descriptor->id,
          .iterations = loop.iterations,
          .exhausted = runtime::exhausted_of(loop),
          .deadline_misses = outcome.deadline_misses,
          .worst_response = nanoseconds(outcome.worst_response)};
}

constexpr const char* kModes[] = {"LOW", "HIGH", "CHANGE", "FALLING", "RISING"};
static_assert(std::size(kModes) == sys::kEdgeModes);

/// The facts of an interrupt before anything is attached.
program::InterruptFacts declared_interrupt(const Loop& loop, bool accepted) {
  const LoopDescriptor& d = *loop.descriptor;
  program::InterruptFacts facts{
      .pin = d.pin < 0 ? std::nullopt : std::optional(static_cast<unsigned>(d.pin)),
      .mode = d.mode < 0 ? nullptr : kModes[d.mode],
      .loop = d.id,
      .place = d.line == 0 ? d.file : std::string(d.file) + ":" + std::to_string(d.line),
      .budget = d.budget_ns,
      .period = d.period_ns,
      .bound = {},
      .paper_bound = {},
      .run = {}};
  if (!accepted || !loop.promised()) return facts;
  const runtime::DelayBounds bounds = sketches().delay_bounds(loop);
  facts.bound = static_cast<Nanos>(bounds.sound);
  facts.paper_bound = static_cast<Nanos>(bounds.paper);
  return facts;
}

program::InterruptFacts declared_direct(const LoopDescriptor& d, bool accepted) {
  program::InterruptFacts facts{
      .pin = d.pin < 0 ? std::nullopt : std::optional(static_cast<unsigned>(d.pin)),
      .mode = d.mode < 0 ? nullptr : kModes[d.mode],
      .loop = {},
      .place = std::string(d.file) + ":" + std::to_string(d.line),
      .budget = d.budget_ns,
      .period = d.period_ns,
      .bound = {},
      .paper_bound = {},
      .run = {}};
  if (accepted) facts.bound = static_cast<Nanos>(sketches().direct_bound(d));
  return facts;
}

program::InterruptFacts attached_interrupt(unsigned number, const runtime::interrupts::Pin& pin,
                                           System::Instant end, bool accepted) {
  using runtime::LostEdge;
  const runtime::interrupts::Direct* const direct = pin.former_direct;
  program::InterruptFacts facts = direct == nullptr ? declared_interrupt(*pin.former, accepted)
                                                    : declared_direct(*direct->declared, accepted);
  if (direct != nullptr) facts.longest = nanoseconds(direct->longest);
  // Each counted edge is in exactly one of these numbers, even if the run ended while edges were
  // being taken into their account.
  const uint64_t edges = SimPins::counted(number);
  const uint64_t overflowed = SimPins::overflowed(number);
  const runtime::EdgeAccount& account = pin.account;
  facts.pin = number;
  facts.mode = kModes[static_cast<unsigned>(pin.mode)];
  facts.run = {.edges = edges,
               .delivered = account.delivered(),
               .pending = edges - account.delivered() - account.lost() - overflowed,
               .no_room = account.lost(LostEdge::NoRoom) + overflowed,
               .detached = account.lost(LostEdge::Detached),
               .stopped = account.lost(LostEdge::Stopped),
               .too_soon = account.lost(LostEdge::TooSoon),
               .may_have_merged = account.merged(),
               .longest_delay = nanoseconds(runtime::interrupts::longest_delay(pin, end))};
  return facts;
}

/// The facts of pins, and of handlers to which no pin was attached.
std::vector<program::InterruptFacts> interrupts(System::Instant end, bool accepted, bool ran) {
  std::vector<program::InterruptFacts> all;
  std::vector<const void*> used;
  for (unsigned number = 0; ran && number < SimPins::kPins; ++number) {
    const runtime::interrupts::Pin* const pin = runtime::interrupts::pin(number);
    if (pin == nullptr) continue;
    all.push_back(attached_interrupt(number, *pin, end, accepted));
    used.push_back(pin->former);
    used.push_back(pin->former_direct);
  }
  const auto is_used = [&](const void* one) {
    return std::find(used.begin(), used.end(), one) != used.end();
  };
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    const Loop& loop = sketches().loop(i);
    if (loop.descriptor->kind != LoopKind::Handler || is_used(&loop)) continue;
    all.push_back(declared_interrupt(loop, accepted));
  }
  for (unsigned i = 0; i < runtime::interrupts::direct_count(); ++i) {
    const runtime::interrupts::Direct& direct = runtime::interrupts::direct(i);
    if (!is_used(&direct)) all.push_back(declared_direct(*direct.declared, accepted));
  }
  return all;
}

std::optional<Nanos> section_bound(runtime::Sketch& sketch) {
  const runtime::Ticks longest = sketches().longest_held(sketch);
  return longest == 0 ? std::nullopt : std::optional(static_cast<Nanos>(longest));
}

std::optional<program::SectionFacts> sections(System::Instant end, bool accepted) {
  if (sketches().loop_count() == 0) return std::nullopt;
  runtime::Sketch& sketch = *sketches().loop(0).sketch;
  const auto all = sketch.handlers().seen_until(end);
  if (all.count == 0) return std::nullopt;
  return program::SectionFacts{.count = all.count,
                               .longest = nanoseconds(all.longest),
                               .longest_wait = nanoseconds(all.longest_wait),
                               .given_up = all.given_up,
                               .remembered = all.remembered,
                               .declared = sketch.program().longest_section_ns,
                               .bound = accepted ? section_bound(sketch) : std::nullopt,
                               .revoked = all.revoked};
}

program::CounterFacts counters(unsigned cores, System::Instant end) {
  const runtime::CountersOfAll all = sketches().counters(cores, end);
  program::CounterFacts sum{.thread_switches = all.threads.switches,
                            .preemptions = all.threads.preemptions,
                            .timer_interrupts = all.cores.timer_interrupts,
                            .sleeps = all.threads.sleeps,
                            .wakes = all.wakes,
                            .ipis = all.cores.ipis,
                            .pin_interrupts = {}};
  sum.pin_interrupts = runtime::interrupts::top_half_count();
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

std::optional<program::OverheadFacts::Seen> kernel_seen(const host::Machine* machine) {
  if (machine == nullptr) return {};
  const host::Machine::KernelCosts& seen = machine->kernel_costs();
  return program::OverheadFacts::Seen{.interrupt_entry = seen.interrupt_entry,
                                      .context_switch = seen.context_switch,
                                      .timer_interrupt = seen.timer_interrupt,
                                      .longest_section = machine->longest_masked()};
}

program::OverheadFacts overheads(unsigned cores, const host::Machine* machine) {
  const auto costs = Board::Port::costs();
  const auto ns = [](Board::Port::Ticks ticks) { return static_cast<Nanos>(ticks); };
  const auto reckoned = sketches().overheads(cores);
  return {.interrupt_entry = ns(costs.interrupt_entry),
          .context_switch = ns(costs.context_switch),
          .timer_interrupt = ns(costs.timer_interrupt),
          .timer_lateness = ns(costs.timer_lateness),
          .longest_masked = ns(costs.longest_masked),
          .longest_masked_seen =
              machine == nullptr ? std::nullopt : std::optional(machine->longest_masked()),
          .kernel_seen = kernel_seen(machine),
          .longest_spin_seen = machine == nullptr ? std::nullopt : std::optional(longest_spin()),
          .spin_blocking = ns(reckoned.blocking),
          .activation = ns(reckoned.activation()),
          .smallest_budget = ns(smallest_budget(costs)),
          .pieces = kPiecesPerPeriod,
          .refills = SystemConfig::kRefills};
}

program::BoundFacts bounds(unsigned cores, bool accepted) {
  program::BoundFacts facts{.costs = stated::Costs::of(sketches().overheads(cores), 1'000'000'000),
                            .ranks = {}};
  sketches().state_ranks([&](const stated::Rank& rank) {
    if (!accepted || rank.core != stated::Rank::kNone) facts.ranks.push_back(rank);
  });
  sketches().state_interrupts(
      [&](const stated::Interrupts& each) { facts.interrupts.push_back(each); });
  if (!accepted) return facts;
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    const Loop& loop = sketches().loop(i);
    if (loop.descriptor->kind != LoopKind::Handler || !loop.promised()) continue;
    sketches().state_deliveries(
        loop, [&](const stated::Delivery& each) { facts.deliveries.push_back(each); });
  }
  for (unsigned i = 0; i < runtime::interrupts::direct_count(); ++i) {
    facts.directs.push_back(sketches().state_direct(runtime::interrupts::direct(i)));
  }
  return facts;
}

}  // namespace

std::optional<program::NoRoomFacts> no_room() {
  const uint64_t times = runtime::no_room_times();
  if (times == 0) return {};
  const runtime::NoRoom& said = runtime::no_room();
  return program::NoRoomFacts{.asker = program::name_of_asker(said.loop),
                              .bytes = said.bytes,
                              .codes = {said.codes, said.codes + said.code_count},
                              .times = times};
}

std::vector<std::string> complaints() {
  std::vector<std::string> all;
  for (unsigned i = 0; i < runtime::interrupts::complaint_count(); ++i) {
    char text[300];
    TextWriter writer(text, sizeof text);
    put_complaint(writer, runtime::interrupts::complaint(i));
    all.emplace_back(text);
  }
  return all;
}

std::vector<std::string> long_sections(const host::Machine& machine) {
  std::vector<std::string> notices;
  const System::Instant end = Board::instant(machine.ended_at());
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    const Loop& loop = sketches().loop(i);
    Text<500> text;
    if (runtime::interrupts::put_long_section(text, loop,
                                              runtime::interrupts::longest_section(loop, end))) {
      notices.emplace_back(text.c_str());
    }
  }
  return notices;
}

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

std::vector<program::LoopCounts> loop_counts(Nanos now) {
  std::vector<program::LoopCounts> all;
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    if (sketches().loop(i).never_asked()) continue;
    all.push_back(counts_of(sketches().loop(i), Board::instant(now)));
  }
  return all;
}

program::RunFacts gather_facts(const program::Options& options, bool accepted,
                               const host::Machine* machine) {
  const bool ran = machine != nullptr;
  program::RunFacts facts{.board = HOCKET_BOARD_NAME,
                          .cores = options.cores,
                          .seed = options.seed,
                          .duration = ran ? machine->ended_at() : 0,
                          .clock = "virtual",
                          .tick = {},
                          .end = {},
                          .accepted = accepted,
                          .anyway = ran && !accepted,
                          .admission = {},
                          .reasons = {},
                          .loops = {},
                          .counters = {},
                          .faults = {},
                          .model = model_facts(machine),
                          .overheads = overheads(options.cores, machine),
                          .masked = {},
                          .notices = {},
                          .policy = runtime::ChosenPolicy::kName};
  for (unsigned i = 0; i < options.cores; ++i) {
    const runtime::CoreReport report = sketches().core_report(i);
    facts.admission.push_back({report.utilization_ppm, report.liu_layland_ppm});
  }
  for (unsigned i = 0; i < sketches().reason_count(); ++i) {
    facts.reasons.emplace_back(sketches().reason(i));
  }
  for (unsigned i = 0; i < sketches().loop_count(); ++i) {
    if (sketches().loop(i).never_asked()) continue;
    program::LoopFacts loop = admission_of(sketches().loop(i), accepted);
    if (!accepted && sketches().room_of(i) != kAnyCore) loop.core = sketches().room_of(i);
    if (ran) loop.run = run_of(sketches().loop(i), Board::instant(machine->ended_at()));
    facts.loops.push_back(loop);
  }
  const bool states_bounds = accepted || !ran;
  if (kPromises<runtime::Sketches::Analysis> && states_bounds) {
    facts.bounds = bounds(options.cores, accepted);
  }
  const System::Instant end = Board::instant(facts.duration);
  facts.interrupts = interrupts(end, accepted, ran);
  if (ran) facts.sections = sections(Board::instant(machine->ended_at()), accepted);
  if (ran) facts.counters = counters(options.cores, Board::instant(machine->ended_at()));
  return facts;
}

}  // namespace hocket::sim
