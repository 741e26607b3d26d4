// The terms of each bound as JSON: see bounds.h.
#include "simulation/program/bounds.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "admission/terms.h"

namespace hocket::program {
namespace {

using stated::Rank;

constexpr unsigned kMostRanks = 1024;
using ByPriority = FixedPriorityTerms<int64_t, kMostRanks>;
using ByDeadline = DeadlineTerms<int64_t, kMostRanks>;
using Ranks = std::vector<Rank>;

Json bound_of(uint64_t bound) {
  return bound == Rank::kNever ? Json(nullptr) : Json(bound);
}
Json core_of(uint32_t core) {
  return core == Rank::kNone ? Json(nullptr) : Json(core);
}

Json costs_json(const stated::Costs& costs) {
  return {{"interrupt_entry", costs.interrupt_entry},
          {"context_switch", costs.context_switch},
          {"timer_interrupt", costs.timer_interrupt},
          {"timer_lateness", costs.timer_lateness},
          {"longest_masked", costs.longest_masked}};
}

Json contract_json(const Rank& rank, const Overheads<int64_t>& overheads) {
  Json json = {{"loop", rank.loop}};
  if (rank.part != 0) json["part"] = rank.part;
  json["io"] = rank.io != 0;
  json["promised"] = rank.free == 0;
  json["budget"] = rank.budget;
  json["period"] = rank.period;
  json["deadline"] = rank.deadline;
  json["top_half"] = rank.top_half;
  json["enforced"] = overheads.enforced(rank.demand());
  return json;
}

/// One term of another loop.
Json taken_json(const Rank& other, const Taken& taken) {
  Json json = {{"loop", other.loop}};
  if (other.part != 0) json["part"] = other.part;
  json["jobs"] = other.io != 0 ? Json(nullptr) : Json(taken.times);
  json["ticks"] = taken.ticks;
  return json;
}

// --- Fixed priorities ---

Json terms_json(const ByPriority& analysis, const Ranks& ranks, unsigned rank, size_t interrupts) {
  const uint64_t window = ranks[rank].bound;
  const auto& overheads = analysis.overheads();
  Json lines = Json::array(), loops = Json::array();
  for (unsigned i = 0; i < interrupts; ++i) {
    const Taken taken = analysis.interrupts_within(i, window);
    lines.push_back({{"jobs", taken.times}, {"ticks", taken.ticks}});
  }
  for (unsigned i = 0; i < rank; ++i) {
    loops.push_back(taken_json(ranks[i], analysis.taken_within(i, window)));
  }
  return {{"timer_lateness", overheads.costs.timer_lateness},
          {"longest_masked", overheads.costs.longest_masked},
          {"blocking", overheads.blocking},
          {"once", overheads.once},
          {"lock_overrun", overheads.overrun},
          {"own", analysis.enforced_budget(rank)},
          {"top_halves", analysis.top_halves_beside(rank)},
          {"ahead", analysis.ahead_before(rank)},
          {"interrupts", lines},
          {"loops", loops}};
}

// --- Deadlines ---

/// The first deadline of a loop with the least slack.
std::optional<unsigned> tightest(const ByDeadline& analysis) {
  std::optional<unsigned> found;
  int64_t least = 0;
  for (unsigned i = 0; i < analysis.with_deadline(); ++i) {
    const int64_t instant = analysis[i].deadline;
    const int64_t left = instant - analysis.demand_by(instant);
    if (found && left >= least) continue;
    found = i;
    least = left;
  }
  return found;
}

Json demand_json(const ByDeadline& analysis, const Ranks& ranks, unsigned rank) {
  const uint64_t instant = ranks[rank].deadline;
  const auto& overheads = analysis.overheads();
  Json loops = Json::array();
  for (unsigned i = 0; i < analysis.with_deadline(); ++i) {
    if (ranks[i].deadline > instant) continue;
    Json taken = taken_json(ranks[i], analysis.due_by(i, instant));
    taken["ahead"] = analysis.ahead_of_budget();
    loops.push_back(std::move(taken));
  }
  return {{"instant", instant},
          {"total", analysis.total_by(instant)},
          {"timer_lateness", overheads.costs.timer_lateness},
          {"longest_masked", overheads.costs.longest_masked},
          {"once", overheads.once},
          {"blocking", analysis.blocking_by(instant)},
          {"top_halves", analysis.top_halves()},
          {"interrupts", analysis.interrupts_by(instant)},
          {"loops", loops}};
}

// --- Cores ---

Ranks ranks_of(const BoundFacts& facts, uint32_t core) {
  Ranks ranks;
  std::copy_if(facts.ranks.begin(), facts.ranks.end(), std::back_inserter(ranks),
               [core](const Rank& rank) { return rank.core == core; });
  return ranks;
}

/// Interrupts without a limit come first, as with add_handler() and add_backlog().
std::vector<stated::Interrupts> interrupts_of(const BoundFacts& facts, uint32_t core) {
  std::vector<stated::Interrupts> found;
  for (const stated::Interrupts& each : facts.interrupts) {
    if (each.core == core || each.core == Rank::kNone) found.push_back(each);
  }
  return found;
}

Json interrupts_json(const std::vector<stated::Interrupts>& interrupts) {
  Json list = Json::array();
  for (const stated::Interrupts& each : interrupts) {
    const bool any = each.most == stated::Interrupts::kAny;
    list.push_back(
        {{"length", each.length},
         {"distance", each.distance},
         {"most", any ? Json(nullptr) : Json(each.most)},
         {"share", static_cast<double>(each.length) / static_cast<double>(each.distance)}});
  }
  return list;
}

template <class Analysis>
void fill(Analysis& analysis, const Ranks& ranks,
          const std::vector<stated::Interrupts>& interrupts) {
  for (const stated::Interrupts& each : interrupts) {
    const auto length = static_cast<int64_t>(each.length);
    const auto distance = static_cast<int64_t>(each.distance);
    if constexpr (requires { analysis.add_backlog(length, distance, each.most); }) {
      if (each.most != stated::Interrupts::kAny) {
        analysis.add_backlog(length, distance, each.most);
        continue;
      }
    }
    analysis.add_handler(length, distance);
  }
  for (unsigned i = 0; i < ranks.size(); ++i) analysis.insert_at(i, ranks[i].demand());
}

Json core_json(const BoundFacts& facts, unsigned core, bool by_deadline) {
  const Overheads<int64_t> overheads = facts.costs.overheads();
  const Ranks ranks = ranks_of(facts, core);
  const auto interrupts = interrupts_of(facts, core);
  Json list = Json::array();
  Json json = {{"core", core}, {"interrupts", interrupts_json(interrupts)}};
  if (by_deadline) {
    const auto analysis = std::make_unique<ByDeadline>(overheads);
    fill(*analysis, ranks, interrupts);
    for (const Rank& rank : ranks) {
      Json one = contract_json(rank, overheads);
      one["bound"] = bound_of(rank.bound);
      list.push_back(std::move(one));
    }
    json["ranks"] = std::move(list);
    const auto rank = tightest(*analysis);
    if (rank) json["demand"] = demand_json(*analysis, ranks, *rank);
    return json;
  }
  const auto analysis = std::make_unique<ByPriority>(overheads);
  fill(*analysis, ranks, interrupts);
  for (unsigned i = 0; i < ranks.size(); ++i) {
    Json one = contract_json(ranks[i], overheads);
    one["bound"] = bound_of(ranks[i].bound);
    if (ranks[i].bound != Rank::kNever) {
      one["terms"] = terms_json(*analysis, ranks, i, interrupts.size());
    }
    list.push_back(std::move(one));
  }
  json["ranks"] = std::move(list);
  return json;
}

// --- Delays of pins ---

const Rank* rank_of(const BoundFacts& facts, uint32_t loop) {
  const auto found = std::find_if(facts.ranks.begin(), facts.ranks.end(), [loop](const Rank& rank) {
    return rank.loop == loop && rank.core != Rank::kNone;
  });
  return found == facts.ranks.end() ? nullptr : &*found;
}

Json delivery_json(const stated::Delivery& delivery, const Rank& io, const Rank& handler,
                   const Overheads<int64_t>& overheads) {
  const Demand<int64_t> first = io.demand(), second = handler.demand();
  const auto bottom_half = static_cast<int64_t>(delivery.bottom_half);
  const auto io_response = static_cast<int64_t>(io.bound);
  const auto handler_response = static_cast<int64_t>(handler.bound);
  const auto wakeups = static_cast<int64_t>(delivery.wakeups);
  const DeliveryTerms<int64_t> delays(overheads);
  const auto sections = static_cast<int64_t>(delivery.sections);
  const int64_t held = delays.held_back(second, handler_response, wakeups, sections);
  const auto terms = delays.of(first, io_response, bottom_half, second, handler_response, wakeups);
  return {{"loop", delivery.handler},
          {"io", delivery.io},
          {"bottom_half", bottom_half},
          {"wakeups", wakeups},
          {"sections", sections},
          {"bound",
           delays.bound(first, io_response, bottom_half, second, handler_response, wakeups, held)},
          {"paper_bound", paper_delivery(first, second, bottom_half)},
          {"terms",
           {{"io_waits", terms.io_waits},
            {"io_ahead", terms.io_ahead},
            {"io_periods", terms.io_periods},
            {"io_response", terms.io_response},
            {"io_work", terms.io_work},
            {"handler_waits", terms.handler_waits},
            {"handler_ahead", terms.handler_ahead},
            {"handler_response", terms.handler_response},
            {"ending", terms.ending},
            {"held", held}}}};
}

/// Whether all products of a delay fit into ticks: contracts of years may exceed them.
bool computable(const stated::Delivery& delivery, const Rank& io,
                const Overheads<int64_t>& overheads) {
  const auto ahead = static_cast<uint64_t>(overheads.enforcement() + overheads.overrun);
  const auto ending = static_cast<uint64_t>(overheads.activation());
  const uint64_t more = delivery.bottom_half / io.budget + 2;
  const auto small = [](uint64_t a, uint64_t b) {
    uint64_t product;
    return !__builtin_mul_overflow(a, b, &product) && product < uint64_t{1} << 58;
  };
  return small(delivery.wakeups, ending) && small(more, ahead) && small(more, io.period) &&
         small(more * ahead / io.budget + 1, io.period) && small(io.bound, 1) &&
         small(delivery.bottom_half, 1) && small(delivery.sections, 1);
}

Json direct_json(const stated::Direct& direct) {
  return {{"line", direct.line},
          {"length", direct.length},
          {"distance", direct.distance},
          {"top_half", direct.top_half},
          {"lines", direct.lines},
          {"sections", direct.sections},
          {"bound", bound_of(direct.bound)}};
}

}  // namespace

Json named_json(const std::vector<NamedTerm>& terms) {
  Json json = {};
  for (const NamedTerm& term : terms) json[term.name] = term.ticks;
  return json;
}

Json bounds_json(const BoundFacts& facts, unsigned cores, bool by_deadline) {
  const Overheads<int64_t> overheads = facts.costs.overheads();
  Json json = {{"ticks_per_second", facts.costs.ticks_per_second},
               {"order", by_deadline ? "deadline" : "priority"},
               {"costs", costs_json(facts.costs)},
               {"several_cores", overheads.several_cores},
               {"activation", overheads.activation()},
               {"ahead", overheads.enforcement() + overheads.overrun},
               {"blocking", overheads.blocking},
               {"idle_blocking", overheads.idle_time ? overheads.blocking : 0},
               {"lock_overrun", overheads.overrun},
               {"once", overheads.once}};
  Json list = Json::array();
  for (unsigned core = 0; core < cores; ++core) {
    list.push_back(core_json(facts, core, by_deadline));
  }
  json["cores"] = std::move(list);
  Json refused = Json::array();
  for (const Rank& rank : ranks_of(facts, Rank::kNone)) {
    Json one = contract_json(rank, overheads);
    one["core"] = core_of(rank.pinned);
    refused.push_back(std::move(one));
  }
  json["refused"] = std::move(refused);
  Json deliveries = Json::array(), directs = Json::array();
  for (const stated::Delivery& each : facts.deliveries) {
    const Rank* const io = rank_of(facts, each.io);
    const Rank* const handler = rank_of(facts, each.handler);
    if (io == nullptr || handler == nullptr) continue;
    if (io->bound == Rank::kNever || handler->bound == Rank::kNever) continue;
    if (!computable(each, *io, overheads)) continue;
    deliveries.push_back(delivery_json(each, *io, *handler, overheads));
  }
  for (const stated::Direct& each : facts.directs) directs.push_back(direct_json(each));
  json["deliveries"] = std::move(deliveries);
  json["direct"] = std::move(directs);
  return json;
}

}  // namespace hocket::program
