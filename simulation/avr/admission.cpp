#include "simulation/avr/admission.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "admission/deadline_analysis.h"
#include "admission/fixed_priority_analysis.h"
#include "admission/no_promise.h"
#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/serial_rate.h"
#include "arduino/cores/avr8/storm.h"
#include "arduino/cores/avr8/tick_costs.h"
#include "arduino/runtime/admission.h"

namespace hocket::uno {
namespace {

constexpr unsigned kMostLoopsOfAny = larger(Atmega328p::kMostLoops, Atmega2560::kMostLoops);

LoopDescriptor descriptor_of(const Loop& loop) {
  LoopDescriptor d{};
  d.file = loop.file.c_str();
  d.budget_ns = loop.budget_ns;
  d.period_ns = loop.period_ns;
  d.deadline_ns = loop.deadline_ns;
  d.line = loop.line;
  d.id = static_cast<uint8_t>(loop.id);
  d.core = static_cast<uint8_t>(loop.core);
  d.kind = loop.periodic ? LoopKind::Periodic : LoopKind::Loop;
  d.background = loop.background;
  d.priority = loop.priority;
  d.tickets = loop.tickets;
  return d;
}

program::Nanos ns(Ticks ticks) {
  return Rate::ns_up(static_cast<uint64_t>(ticks));
}

program::OverheadFacts overhead_facts(const Overheads<Ticks>& overheads) {
  const auto& costs = overheads.costs;
  return {.interrupt_entry = ns(costs.interrupt_entry),
          .context_switch = ns(costs.context_switch),
          .timer_interrupt = ns(costs.timer_interrupt),
          .timer_lateness = ns(costs.timer_lateness),
          .longest_masked = ns(costs.longest_masked),
          .longest_masked_seen = {},
          .longest_spin_seen = {},
          .spin_blocking = ns(overheads.blocking + overheads.once),
          .activation = ns(overheads.activation()),
          .smallest_budget = ns(smallest_budget(costs)),
          .pieces = kPiecesOnSmallProcessor,
          .refills = kRefills};
}

/// The longest time that an edge waits for its handler, if no handler takes longer than
/// kLongestHandler and earlier edges of its line have been handled.
///
///   budget whole      used up, held back          given back   ─▶ seen at timer 0's next match
///   │▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒│───────────────────────────│····│▒     a handler in the middle
///   0        (C − over) / 2 at the earliest       n · T
///
/// At each replenishment one line is enabled by itself: of the pending lines, the next in
/// round-robin order. So all others come at most once before it: as many times n · T.
///
/// (In idle time a handler is charged with up to twice its time, because the way in and out is
/// shorter.)
std::vector<program::NamedTerm> longest_delay_terms(const Declared& declared, unsigned lines) {
  constexpr Ticks kFrames = 60;              // the way in and out, and holding back
  constexpr Ticks kRefill = kLook + kLetIn;  // the longest of the system's own that masks
  const Ticks budget = declared.handlers.budget, period = declared.handlers.period;
  const Ticks beyond = kLongestHandler + kFrames + static_cast<Ticks>(lines) * Ticks{kLetIn};
  const Ticks over = beyond + static_cast<Ticks>(looks_in(static_cast<uint64_t>(period)));
  // The part of a period's replenishment that exceeds the cost of matches meanwhile (declared.cpp).
  const Ticks gain = budget - (period * kLook + kMatch - 1) / kMatch;
  const Ticks periods = 1 + (beyond + kLook) / gain;
  const Ticks turn = larger<Ticks>(period, kMatch);  // one line is enabled at each match
  const Ticks device = declared.has_servos ? declared.chip_costs().longest_servo
                       : declared.has_wire ? declared.chip_costs().longest_wire_step
                                           : declared.chip_costs().longest_device;
  return {{"held_back", static_cast<Ticks>(lines) * periods * turn},
          {"before_it_is_used_up", -larger<Ticks>((budget - over) / 2, 0)},
          {"until_a_match", Ticks{kMatch}},
          {"handler", kLongestHandler},
          {"frames", kFrames},
          {"device_or_masked", larger(larger(kLongestDeviceMasked, kRefill), device)},
          {"spinlock", declared.has_spinlocks ? kLongestSpin : 0}};
}

/// The bound of the paper: T − C, and the handler on a processor of its own.
std::vector<program::NamedTerm> paper_delay_terms(const Declared& declared) {
  const Ticks budget = declared.handlers.budget, period = declared.handlers.period;
  return {{"waits", period - budget},
          {"periods", kLongestHandler / budget * period},
          {"work", kLongestHandler % budget}};
}

Ticks sum(const std::vector<program::NamedTerm>& terms) {
  int64_t all = 0;
  for (const program::NamedTerm& term : terms) all += term.ticks;
  return static_cast<Ticks>(all);
}

}  // namespace

void set_delay(const Declared& declared, unsigned lines, const Held& held,
               program::InterruptFacts& interrupt) {
  interrupt.terms = longest_delay_terms(declared, lines);
  // Each line's turn comes with a match, and matches within a section bring none.
  // (The match that ends a section which has waited for too long takes longer.)
  const Ticks end = held.sections > 0 ? kEnd : 0;
  interrupt.terms.push_back({"sections", static_cast<Ticks>(lines) * held.sections + end});
  // The turn of a line that a transaction keeps masked waits for its end, with all others. Matches
  // meanwhile may use the rest of the budget: then it is the next budget, and the next transaction.
  const Ticks turn = larger<Ticks>(declared.handlers.period, kMatch);
  interrupt.terms.push_back({"transactions", static_cast<Ticks>(held.interrupts_in_transactions) *
                                                 (2 * held.transaction + turn)});
  interrupt.paper_terms = paper_delay_terms(declared);
  interrupt.bound = ns(sum(interrupt.terms));
  interrupt.paper_bound = ns(sum(interrupt.paper_terms));
}

namespace {

/// For all handlers of attachInterrupt() together, because their pins are known only at run time.
/// (If the policy promises nothing, they are held back all the same, and no delay is promised.)
program::InterruptFacts handler_facts(const Declared& declared, bool promises) {
  program::InterruptFacts all{};
  all.budget = ns(declared.handlers.budget);
  all.period = ns(declared.handlers.period);
  if (promises) set_delay(declared, declared.handlers.lines, {}, all);
  return all;
}

Ticks ticks_of(uint32_t cycles) {
  return static_cast<Ticks>(cycles / 8);
}

/// "Serial", "Serial1" …
std::string name_of_port(unsigned port) {
  return port == 0 ? "Serial" : "Serial" + std::to_string(port);
}

/// A serial port's interrupts. The writing loop pays for those of its characters when it writes.
/// Characters of other loops that are in the buffer may still be sent, no faster than the port's
/// rate. Received characters depend only on the line.
///
/// They are counted in fours, because limits are moved after four. One more: for what came while
/// interrupts were masked (at most three characters in the receiver, and one sent). (The limit
/// moves after four interrupts of any ports, so four of each port are no fewer.)
template <class Admission>
void add_serial(const Declared& declared, unsigned port, Admission& admission,
                Overheads<Ticks>& overheads, program::RunFacts& facts) {
  const Declared::Serial& serial = declared.serial[port];
  const ChipCosts& costs = declared.chip_costs();
  const Ticks masked_away = 4 * costs.character();
  constexpr uint32_t kFours = kSerialBuffer / kDevicesTogether;
  const SerialRate rate = serial_rate(serial.rate);
  const Ticks sent = ticks_of(kDevicesTogether * rate.sent_cycles());
  const Ticks received = ticks_of(kDevicesTogether * rate.received_cycles());
  overheads.once += masked_away;
  if constexpr (Admission::kHasBacklogs) {
    admission.add_backlog(costs.together(), sent, kFours);
  } else {
    overheads.once += static_cast<Ticks>(kFours) * costs.together();
  }
  if (serial.reads) admission.add_handler(costs.together(), received);
  facts.serial_interrupts.push_back(
      {.port = port,
       .rate = serial.rate,
       .constant = serial.constant,
       .each = ns(costs.character()),
       .sent_before = kSerialBuffer - 1,
       .received_share = serial.reads
                             ? static_cast<double>(costs.together()) / static_cast<double>(received)
                             : 0});
  if (serial.constant) return;
  facts.notices.push_back(
      name_of_port(port) +
      ".begin() has a rate that is not a constant: its interrupts are counted for " +
      std::to_string(serial.rate) +
      " bits per second, and a higher rate is refused as the sketch runs.");
}

/// All ports; and once for a limit that is moved when fewer than four have come within the window.
template <class Admission>
void add_serial_ports(const Declared& declared, Admission& admission, Overheads<Ticks>& overheads,
                      program::RunFacts& facts) {
  if (!declared.has_kernel) return;
  for (unsigned port = 0; port < Declared::kMostPorts; ++port) {
    if (declared.serial[port].rate == 0) continue;
    add_serial(declared, port, admission, overheads, facts);
  }
  if (!facts.serial_interrupts.empty()) overheads.once += declared.chip_costs().move;
}

/// Adds the ports' share if a loop does not fit.
void explain_serial(program::RunFacts& facts) {
  const bool no_room = std::any_of(
      facts.reasons.begin(), facts.reasons.end(),
      [](const std::string& reason) { return reason.find("guarantee") != std::string::npos; });
  if (!no_room) return;
  for (const program::SerialFacts& serial : facts.serial_interrupts) {
    if (serial.received_share == 0) continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  "what comes in at %s takes up to %.1f %% of core 0 before all loops, at %u bits "
                  "per second: a lower rate leaves more.",
                  name_of_port(serial.port).c_str(), 100 * serial.received_share, serial.rate);
    facts.reasons.emplace_back(text);
  }
}

/// A loop that is woken while another one runs pays for that (kernel.cpp), but the payment comes
/// before its turn: the running loop may have priority over it, and its budget may not be usable
/// yet. It is not woken again before it has run. So each loop counts with one wake-up before any
/// other loop.
Ticks wake_ups_of_others(const Declared& declared) {
  if (!declared.handlers_wake || declared.loops.empty()) return 0;
  return static_cast<Ticks>(declared.loops.size() - 1) * declared.costs().timer_interrupt;
}

/// The inputs of the analysis, for the report.
template <class Admission>
program::BoundFacts bound_facts(const Admission& admission, const Overheads<Ticks>& overheads,
                                bool accepted) {
  program::BoundFacts facts{.costs = stated::Costs::of(overheads, kTickHz), .ranks = {}};
  admission.state_ranks(1, [&](const stated::Rank& rank) {
    if (!accepted || rank.core != stated::Rank::kNone) facts.ranks.push_back(rank);
  });
  admission.state_interrupts(
      [&](const stated::Interrupts& each) { facts.interrupts.push_back(each); });
  return facts;
}

/// Admits with the analysis of a policy.
template <class Analysis>
void admit_by(const Declared& declared, program::RunFacts& facts, bool anyway) {
  std::vector<LoopDescriptor> descriptors;
  descriptors.reserve(declared.loops.size());
  for (const Loop& loop : declared.loops) descriptors.push_back(descriptor_of(loop));
  std::vector<const LoopDescriptor*> loops;
  loops.reserve(descriptors.size());
  for (const LoopDescriptor& d : descriptors) loops.push_back(&d);

  const Ticks spin = declared.has_spinlocks ? kLongestSpin : 0;
  // Two budgets may be used directly after one another, and a handler may overrun.
  const auto& handlers = declared.handlers;
  Ticks ahead = handlers.budget > 0 ? handlers.budget + kLongestHandler : 0;
  const auto& alarms = declared.alarms;
  if (alarms.period > 0) ahead += alarms.budget + longest_alarm_handler(alarms.budget);
  ahead += wake_ups_of_others(declared);
  Overheads<Ticks> overheads{.costs = declared.costs(),
                             .blocking = spin,
                             .overrun = spin,
                             .several_cores = false,
                             .by_deadline = kByDeadline<Analysis>,
                             .idle_time = std::any_of(declared.loops.begin(), declared.loops.end(),
                                                      [](const Loop& l) { return l.background; }),
                             .once = ahead};
  runtime::Admission<Rate, Analysis, 1, kMostLoopsOfAny> admission;
  if (handlers.period > 0) admission.add_handler(handlers.budget, handlers.period);
  if (alarms.period > 0) admission.add_handler(alarms.budget, alarms.period);
  if (declared.tick > 0) {
    overheads.costs.timer_lateness += declared.tick;
    admission.add_handler(kTickFrame, declared.tick);
  }
  if constexpr (kPromises<Analysis>) add_serial_ports(declared, admission, overheads, facts);
  facts.accepted = admission.admit(loops.data(), static_cast<unsigned>(loops.size()), 1, overheads);
  const runtime::CoreReport core = admission.core(0);
  facts.admission.push_back({core.utilization_ppm, core.liu_layland_ppm});
  for (unsigned i = 0; i < admission.reason_count(); ++i) {
    facts.reasons.emplace_back(admission.reason(i));
  }
  if (!facts.accepted) explain_serial(facts);
  facts.anyway = !facts.accepted && anyway && admission.place_anyway(1);
  for (unsigned i = 0; i < loops.size(); ++i) {
    program::LoopFacts& of = facts.loops.emplace_back();
    of.id = descriptors[i].id;
    of.periodic = descriptors[i].kind == LoopKind::Periodic;
    of.budget = descriptors[i].budget_ns;
    of.period = descriptors[i].period_ns;
    of.deadline = descriptors[i].deadline_ns;
    of.scheduled = declared.has_kernel;  // (a plain loop() has no budget)
    if (admission.room_of(i) != kAnyCore) of.core = 0;
    if (!facts.accepted || !declared.has_kernel) continue;
    const Ticks bound = admission.place(i).response_bound;
    if (bound < Analysis::kUnbounded) of.response_bound = ns(bound);
  }
  facts.overheads = overhead_facts(overheads);
  if constexpr (kPromises<Analysis>) {
    if (declared.has_kernel && !facts.anyway) {
      facts.bounds = bound_facts(admission, overheads, facts.accepted);
    }
  }
  facts.handlers = {ns(handlers.budget), ns(handlers.period)};
  if (handlers.period > 0 && (facts.accepted || facts.anyway)) {
    facts.interrupts.push_back(handler_facts(declared, kPromises<Analysis> && facts.accepted));
  }
}

/// The name of the kernel's policy in the report.
const char* name_of(PolicyNumber policy) {
  static constexpr std::array kNames{"vcpu", "edf", "hybrid-edf", "mlq", "bitmap", "lottery"};
  static_assert(kNames.size() == kPolicies);
  return kNames[static_cast<size_t>(policy)];
}

}  // namespace

void admit(const Declared& declared, program::RunFacts& facts, bool anyway) {
  facts.policy = name_of(declared.kernel.policy);
  switch (declared.kernel.policy) {
    case PolicyNumber::Vcpu:
      return admit_by<FixedPriorityAnalysis<Ticks, kMostLoopsOfAny, /*kBacklogs=*/true>>(
          declared, facts, anyway);
    case PolicyNumber::Edf:
      return admit_by<DeadlineAnalysis<Ticks, kMostLoopsOfAny>>(declared, facts, anyway);
    case PolicyNumber::HybridEdf:
      return admit_by<DeadlineAnalysis<Ticks, kMostLoopsOfAny, /*kHybrid=*/true>>(declared, facts,
                                                                                  anyway);
    default:
      return admit_by<NoPromise<Ticks, kMostLoopsOfAny>>(declared, facts, anyway);
  }
}

}  // namespace hocket::uno
