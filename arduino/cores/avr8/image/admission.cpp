#include "arduino/cores/avr8/image/admission.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "admission/deadline_analysis.h"
#include "admission/fixed_priority_analysis.h"
#include "admission/no_promise.h"
#include "arduino/api/serial_rate.h"
#include "arduino/cores/avr8/alarm_costs.h"
#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/storm.h"
#include "arduino/cores/avr8/tick_costs.h"

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
void add_serial(const Declared& declared, unsigned port, Admission& admission, Admitted& result) {
  const Declared::Serial& serial = declared.serial[port];
  const ChipCosts& costs = declared.chip_costs();
  constexpr uint32_t kFours = kSerialBuffer / kDevicesTogether;
  const SerialRate rate = serial_rate(serial.rate);
  const Ticks sent = ticks_of(kDevicesTogether * rate.sent_cycles());
  const Ticks received = ticks_of(kDevicesTogether * rate.received_cycles());
  result.overheads.once += 4 * costs.character();
  if constexpr (Admission::kHasBacklogs) {
    admission.add_backlog(costs.together(), sent, kFours);
  } else {
    result.overheads.once += static_cast<Ticks>(kFours) * costs.together();
  }
  if (serial.reads) admission.add_handler(costs.together(), received);
  const double share =
      serial.reads ? static_cast<double>(costs.together()) / static_cast<double>(received) : 0;
  result.serial.push_back({.port = port,
                           .rate = serial.rate,
                           .constant = serial.constant,
                           .character = costs.character(),
                           .received_share = share});
  if (serial.constant) return;
  result.notices.push_back(
      name_of_port(port) +
      ".begin() has a rate that is not a constant: its interrupts are counted for " +
      std::to_string(serial.rate) +
      " bits per second, and a higher rate is refused as the sketch runs.");
}

/// All ports; and once for a limit that is moved when fewer than four have come within the window.
template <class Admission>
void add_serial_ports(const Declared& declared, Admission& admission, Admitted& result) {
  if (!declared.has_kernel) return;
  for (unsigned port = 0; port < Declared::kMostPorts; ++port) {
    if (declared.serial[port].rate != 0) add_serial(declared, port, admission, result);
  }
  if (!result.serial.empty()) result.overheads.once += declared.chip_costs().move;
}

/// Adds the ports' share if a loop does not fit.
void explain_serial(Admitted& result) {
  const bool no_room = std::any_of(
      result.reasons.begin(), result.reasons.end(),
      [](const std::string& reason) { return reason.find("guarantee") != std::string::npos; });
  if (!no_room) return;
  for (const SerialShare& serial : result.serial) {
    if (serial.received_share == 0) continue;
    char text[160];
    std::snprintf(text, sizeof text,
                  "what comes in at %s takes up to %.1f %% of core 0 before all loops, at %u bits "
                  "per second: a lower rate leaves more.",
                  name_of_port(serial.port).c_str(), 100 * serial.received_share, serial.rate);
    result.reasons.emplace_back(text);
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
StatedInputs inputs_of(const Admission& admission, const Admitted& result) {
  StatedInputs inputs{.costs = stated::Costs::of(result.overheads, kTickHz)};
  admission.state_ranks(1, [&](const stated::Rank& rank) {
    if (!result.accepted || rank.core != stated::Rank::kNone) inputs.ranks.push_back(rank);
  });
  admission.state_interrupts(
      [&](const stated::Interrupts& each) { inputs.interrupts.push_back(each); });
  return inputs;
}

/// The costs of the kernel, and what comes once before any loop.
Overheads<Ticks> overheads_of(const Declared& declared, bool by_deadline) {
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
                             .by_deadline = by_deadline,
                             .idle_time = std::any_of(declared.loops.begin(), declared.loops.end(),
                                                      [](const Loop& l) { return l.background; }),
                             .once = ahead};
  if (declared.tick > 0) overheads.costs.timer_lateness += declared.tick;
  return overheads;
}

/// What runs before all loops.
template <class Admission>
void add_handlers(const Declared& declared, Admission& admission) {
  const auto& handlers = declared.handlers;
  const auto& alarms = declared.alarms;
  if (handlers.period > 0) admission.add_handler(handlers.budget, handlers.period);
  if (alarms.period > 0) admission.add_handler(alarms.budget, alarms.period);
  if (declared.tick > 0) admission.add_handler(kTickFrame, declared.tick);
}

/// Admits with the analysis of a policy.
template <class Analysis>
void admit_by(const Declared& declared, bool anyway, Admitted& result) {
  std::vector<LoopDescriptor> descriptors;
  descriptors.reserve(declared.loops.size());
  for (const Loop& loop : declared.loops) descriptors.push_back(descriptor_of(loop));
  std::vector<const LoopDescriptor*> loops;
  loops.reserve(descriptors.size());
  for (const LoopDescriptor& d : descriptors) loops.push_back(&d);
  const auto count = static_cast<unsigned>(loops.size());

  result.promises = kPromises<Analysis>;
  result.overheads = overheads_of(declared, kByDeadline<Analysis>);
  runtime::Admission<Rate, Analysis, 1, kMostLoopsOfAny> admission;
  add_handlers(declared, admission);
  if constexpr (kPromises<Analysis>) add_serial_ports(declared, admission, result);
  result.accepted = admission.admit(loops.data(), count, 1, result.overheads);
  result.core = admission.core(0);
  for (unsigned i = 0; i < admission.reason_count(); ++i) {
    result.reasons.emplace_back(admission.reason(i));
  }
  if (!result.accepted) explain_serial(result);
  result.anyway = !result.accepted && anyway && admission.place_anyway(1);
  for (unsigned i = 0; i < count; ++i) {
    AdmittedLoop& of = result.loops.emplace_back();
    of.placed = admission.room_of(i) != kAnyCore;
    if (!result.accepted || !declared.has_kernel) continue;
    const Ticks bound = admission.place(i).response_bound;
    if (bound < Analysis::kUnbounded) of.response_bound = bound;
  }
  if constexpr (kPromises<Analysis>) {
    if (declared.has_kernel && !result.anyway) result.inputs = inputs_of(admission, result);
  }
}

/// The name of the kernel's policy in the report.
const char* name_of(PolicyNumber policy) {
  static constexpr std::array kNames{"vcpu", "edf", "hybrid-edf", "mlq", "bitmap", "lottery"};
  static_assert(kNames.size() == kPolicies);
  return kNames[static_cast<size_t>(policy)];
}

}  // namespace

Admitted admit(const Declared& declared, bool anyway) {
  Admitted result{.policy = name_of(declared.kernel.policy)};
  switch (declared.kernel.policy) {
    case PolicyNumber::Vcpu:
      admit_by<FixedPriorityAnalysis<Ticks, kMostLoopsOfAny, /*kBacklogs=*/true>>(declared, anyway,
                                                                                  result);
      break;
    case PolicyNumber::Edf:
      admit_by<DeadlineAnalysis<Ticks, kMostLoopsOfAny>>(declared, anyway, result);
      break;
    case PolicyNumber::HybridEdf:
      admit_by<DeadlineAnalysis<Ticks, kMostLoopsOfAny, /*kHybrid=*/true>>(declared, anyway,
                                                                           result);
      break;
    default:
      admit_by<NoPromise<Ticks, kMostLoopsOfAny>>(declared, anyway, result);
  }
  return result;
}

}  // namespace hocket::uno
