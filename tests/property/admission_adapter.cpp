// The kernel's admission tests (admission/fixed_priority_analysis.h, deadline_analysis.h) on one
// core.
#include "admission_adapter.h"

#define HOCKET_CHECKED
#include "admission/deadline_analysis.h"
#include "admission/fixed_priority_analysis.h"
#include "admission/placement.h"

namespace hocket::test {
namespace {

using Analysis = FixedPriorityAnalysis<Ticks, 16>;
static_assert(Analysis::kUnbounded == kNoBound);

Overheads<Ticks> overheads_of(const Account& account) {
  return {.costs = {.interrupt_entry = account.entry,
                    .context_switch = account.switching,
                    .timer_interrupt = account.interrupt,
                    .timer_lateness = account.lateness,
                    .longest_masked = account.masked},
          .blocking = account.blocking,
          .overrun = account.lock,
          .several_cores = account.several_cores,
          .idle_time = account.idle_time};
}

}  // namespace

AdmissionAnswer admit_one_core(const TaskSet& set, const Account& account) {
  Analysis analysis(overheads_of(account));
  for (const auto& [length, distance] : account.handlers) analysis.add_handler(length, distance);
  const std::vector<std::size_t> order = by_rank(set);
  for (unsigned rank = 0; rank < order.size(); ++rank) {
    const ServerSpec& spec = set.servers[order[rank]];
    const std::size_t number = order[rank];
    const Ticks top_half = number < account.top_half.size() ? account.top_half[number] : 0;
    analysis.insert_at(rank, {spec.budget, spec.period, spec.deadline, 0, spec.io, top_half});
  }
  AdmissionAnswer answer;
  answer.response.resize(order.size());
  for (unsigned rank = 0; rank < order.size(); ++rank) {
    answer.response[order[rank]] = analysis.response_time(rank);
  }
  const unsigned misfit = analysis.first_misfit(0);
  answer.accepted = misfit == analysis.size();
  if (!answer.accepted) {
    Analysis above(overheads_of(account));
    for (unsigned rank = 0; rank <= misfit; ++rank) above.insert_at(rank, analysis[rank]);
    answer.largest_budget_that_fits = above.largest_budget(misfit);
  }
  return answer;
}

DeadlineAnswer admit_by_deadline(const TaskSet& set, const Account& account,
                                 const std::vector<Section>& sections) {
  DeadlineAnalysis<Ticks, 16> analysis(overheads_of(account));
  for (const auto& [length, distance] : account.handlers) analysis.add_handler(length, distance);
  for (const Section& s : sections) analysis.add_section({s.length, s.holder, s.user});
  for (unsigned i = 0; i < set.servers.size(); ++i) {
    const ServerSpec& spec = set.servers[i];
    const Ticks top_half = i < account.top_half.size() ? account.top_half[i] : 0;
    analysis.insert_at(i, {spec.budget, spec.period, spec.deadline, 0, spec.io, top_half});
  }
  DeadlineAnswer answer;
  answer.accepted = analysis.first_misfit(0) == analysis.size();
  answer.first_overload = analysis.first_overload();
  if (answer.first_overload != 0) answer.due = analysis.demand_by(answer.first_overload);
  for (unsigned i = 0; i < set.servers.size(); ++i) {
    answer.largest_budget.push_back(analysis.largest_budget(i));
  }
  return answer;
}

namespace {

template <class OneCore>
Placed place_with(const TaskSet& set, const Account& account, unsigned cores,
                  const std::vector<int>& pin) {
  std::vector<OneCore> analyses(cores, OneCore(overheads_of(account)));
  for (OneCore& analysis : analyses) {
    for (const auto& [length, distance] : account.handlers) analysis.add_handler(length, distance);
  }
  Request<Ticks> requests[16] = {};
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const ServerSpec& spec = set.servers[i];
    const Ticks top_half = i < account.top_half.size() ? account.top_half[i] : 0;
    requests[i] = {
        {spec.budget, spec.period, spec.deadline, static_cast<uint8_t>(i), spec.io, top_half},
        pin[i] < 0 ? kAnyCore : static_cast<CoreId>(pin[i]),
        kAnyCore};
  }
  Placement<OneCore, 16> placement(analyses.data(), cores);
  Placed placed;
  placed.all = placement.place_all(
      requests, static_cast<unsigned>(set.servers.size()), [&](const Refusal<Ticks>& refusal) {
        placed.refused.push_back({refusal.request, refusal.core, refusal.largest_budget});
      });
  for (const OneCore& analysis : analyses) {
    std::vector<std::size_t>& on_core = placed.core.emplace_back();
    for (unsigned rank = 0; rank < analysis.size(); ++rank) on_core.push_back(analysis[rank].id);
  }
  return placed;
}

}  // namespace

Placed place(const TaskSet& set, const Account& account, Order order, unsigned cores,
             const std::vector<int>& pin) {
  return order == Order::Priority
             ? place_with<Analysis>(set, account, cores, pin)
             : place_with<DeadlineAnalysis<Ticks, 16>>(set, account, cores, pin);
}

std::vector<int> place_by_deadline(const TaskSet& set, unsigned cores) {
  using ByDeadline = DeadlineAnalysis<Ticks, 16>;
  std::vector<ByDeadline> analyses(cores, ByDeadline(overheads_of({})));
  Request<Ticks> requests[16] = {};
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    const ServerSpec& spec = set.servers[i];
    requests[i] = {
        {spec.budget, spec.period, spec.deadline, static_cast<uint8_t>(i)}, kAnyCore, kAnyCore};
  }
  Placement<ByDeadline, 16> placement(analyses.data(), cores);
  placement.place_all(requests, static_cast<unsigned>(set.servers.size()),
                      [](const Refusal<Ticks>&) {});
  std::vector<int> placed;
  for (std::size_t i = 0; i < set.servers.size(); ++i) {
    placed.push_back(requests[i].core == kAnyCore ? -1 : requests[i].core);
  }
  return placed;
}

TaskSet stretched(TaskSet set, Ticks factor) {
  for (ServerSpec& s : set.servers) {
    s.budget *= factor;
    s.period *= factor;
    s.deadline *= factor;
  }
  return set;
}

}  // namespace hocket::test
