#include "simulation/avr/admitted_facts.h"

#include "arduino/api/serial_rate.h"

namespace hocket::avr {
namespace {

using program::Nanos;

Nanos ns(int64_t ticks) {
  return uno::Rate::ns_up(static_cast<uint64_t>(ticks));
}

program::OverheadFacts overhead_facts(const Overheads<uno::Ticks>& overheads) {
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
          .refills = uno::kRefills};
}

program::LoopFacts loop_facts(const uno::Declared& declared, const uno::Loop& loop,
                              const uno::AdmittedLoop& admitted) {
  program::LoopFacts facts{};
  facts.id = loop.id;
  facts.periodic = loop.periodic;
  facts.budget = loop.budget_ns;
  facts.period = loop.period_ns;
  facts.deadline = loop.deadline_ns;
  facts.scheduled = declared.has_kernel;  // (a plain loop() has no budget)
  if (admitted.placed) facts.core = 0;
  if (admitted.response_bound) facts.response_bound = ns(*admitted.response_bound);
  return facts;
}

/// For all handlers of attachInterrupt() together, because their pins are known only at run time.
/// (If the policy promises nothing, they are held back all the same, and no delay is promised.)
program::InterruptFacts handler_facts(const uno::Declared& declared, bool promises) {
  program::InterruptFacts all{};
  all.budget = ns(declared.handlers.budget);
  all.period = ns(declared.handlers.period);
  if (promises) set_delay(declared, declared.handlers.lines, {}, all);
  return all;
}

/// Appends the terms. Returns the bound: their sum.
Nanos state(const std::vector<uno::DelayTerm>& terms, std::vector<program::NamedTerm>& stated) {
  int64_t sum = 0;
  for (const uno::DelayTerm& term : terms) {
    stated.push_back({term.name, term.ticks});
    sum += term.ticks;
  }
  return ns(sum);
}

}  // namespace

void set_delay(const uno::Declared& declared, unsigned lines, const uno::Held& held,
               program::InterruptFacts& interrupt) {
  interrupt.bound = state(longest_delay(declared, lines, held), interrupt.terms);
  interrupt.paper_bound = state(paper_delay(declared), interrupt.paper_terms);
}

void tell_admission(const uno::Declared& declared, const uno::Admitted& admitted,
                    program::RunFacts& facts) {
  facts.policy = admitted.policy;
  facts.accepted = admitted.accepted;
  facts.anyway = admitted.anyway;
  facts.admission.push_back({admitted.core.utilization_ppm, admitted.core.liu_layland_ppm});
  facts.reasons = admitted.reasons;
  facts.notices = admitted.notices;
  for (size_t i = 0; i < declared.loops.size(); ++i) {
    facts.loops.push_back(loop_facts(declared, declared.loops[i], admitted.loops[i]));
  }
  facts.overheads = overhead_facts(admitted.overheads);
  if (const auto& inputs = admitted.inputs) {
    facts.bounds = {
        .costs = inputs->costs, .ranks = inputs->ranks, .interrupts = inputs->interrupts};
  }
  for (const uno::SerialShare& serial : admitted.serial) {
    facts.serial_interrupts.push_back({.port = serial.port,
                                       .rate = serial.rate,
                                       .constant = serial.constant,
                                       .each = ns(serial.character),
                                       .sent_before = uno::kSerialBuffer - 1,
                                       .received_share = serial.received_share});
  }
  const auto& handlers = declared.handlers;
  facts.handlers = {ns(handlers.budget), ns(handlers.period)};
  if (handlers.period > 0 && (facts.accepted || facts.anyway)) {
    facts.interrupts.push_back(handler_facts(declared, admitted.promises && facts.accepted));
  }
}

}  // namespace hocket::avr
