// The kernel's facts about its run: see fact_keeper.h.
#include "simulation/peer/fact_keeper.h"

#include <cstring>
#include <iterator>

namespace hocket::world {
namespace {

constexpr size_t kMostLoops = 1024;
constexpr size_t kMostFaults = 4096;
constexpr size_t kMostTexts = 4096;
constexpr size_t kMostInterrupts = 8;  // of a core, in an analysis
constexpr size_t kCoreOfRecord = 8;    // offset of the core in a record of the event log

/// No cost of a kernel has this many ticks.
constexpr uint64_t kNoCost = uint64_t{1} << 56;

/// Contracts are shorter than this (admission/ranked_demands.h).
bool beyond_ticks(uint64_t ticks) {
  return ticks >= uint64_t{1} << 62;
}

/// Appends an array that was received as bytes.
template <class Element>
void append(std::vector<Element>& to, Bytes payload, size_t most, const char* what) {
  const size_t count = payload.size() / sizeof(Element);
  if (to.size() + count > most) refuse(std::string("sent too many facts of ") + what);
  const size_t before = to.size();
  to.resize(before + count);
  if (count > 0) std::memcpy(&to[before], payload.data(), payload.size());
}

void append(std::vector<std::string>& to, Bytes payload) {
  if (to.size() >= kMostTexts) refuse("sent too many texts");
  to.emplace_back(payload.begin(), payload.end());
}

}  // namespace

void FactKeeper::keep(const Request& request, Bytes payload) {
  switch (static_cast<Operation>(request.operation)) {
    case Operation::Log:
      for (size_t at = 0; at < payload.size(); at += program::LogFile::kRecord) {
        if (payload[at + kCoreOfRecord] >= options_.cores) refuse("logged an event of no core");
      }
      log_.append(payload.data(), payload.size());
      break;
    case Operation::Facts:
      if (facts_.run) refuse("sent the facts of the run twice");
      std::memcpy(&facts_.run.emplace(), payload.data(), sizeof(RunFacts));
      check_run(*facts_.run);
      break;
    case Operation::CoreFacts:
      append(facts_.cores, payload, options_.cores, "cores");
      break;
    case Operation::LoopFacts:
      append(facts_.loops, payload, kMostLoops, "loops");
      for (const LoopFacts& loop : facts_.loops) check_loop(loop);
      break;
    case Operation::FaultFacts:
      append(facts_.faults, payload, kMostFaults, "faults");
      break;
    case Operation::InterruptFacts:
      append(facts_.interrupts, payload, kMostLoops, "interrupts");
      for (const InterruptFacts& each : facts_.interrupts) check_interrupt(each);
      break;
    case Operation::BesideFacts:
      if (facts_.beside) refuse("sent the facts of the system beside twice");
      std::memcpy(&facts_.beside.emplace(), payload.data(), sizeof(BesideFacts));
      check_beside(*facts_.beside, request.time);
      break;
    case Operation::NoRoomFacts:
      if (facts_.no_room) refuse("sent the facts of memory twice");
      std::memcpy(&facts_.no_room.emplace(), payload.data(), sizeof(NoRoomFacts));
      if (facts_.no_room->code_count > std::size(facts_.no_room->codes)) {
        refuse("named too many calls for memory");
      }
      break;
    case Operation::BoundCosts:
    case Operation::BoundRanks:
    case Operation::BoundInterrupts:
    case Operation::BoundDelivery:
    case Operation::BoundDirect:
      keep_bounds(static_cast<Operation>(request.operation), payload);
      break;
    case Operation::Reason:
      append(facts_.reasons, payload);
      break;
    default:  // the rules allow no other
      append(facts_.notices, payload);
      break;
  }
}

void FactKeeper::keep_bounds(Operation operation, Bytes payload) {
  if (operation == Operation::BoundCosts) {
    if (facts_.bounds) refuse("sent the costs of bounds twice");
    stated::Costs& costs = facts_.bounds.emplace().costs;
    std::memcpy(&costs, payload.data(), sizeof costs);
    if (costs.ticks_per_second == 0) refuse("says that its clock stands still");
    for (const uint64_t cost :
         {costs.interrupt_entry, costs.context_switch, costs.timer_interrupt, costs.timer_lateness,
          costs.longest_masked, costs.blocking, costs.overrun, costs.once}) {
      if (cost >= kNoCost) refuse("says that it costs " + std::to_string(cost) + " ticks");
    }
    return;
  }
  if (!facts_.bounds) refuse("sent terms of bounds before their costs");
  program::BoundFacts& bounds = *facts_.bounds;
  if (operation == Operation::BoundRanks) {
    append(bounds.ranks, payload, kMostLoops, "ranks");
    for (const stated::Rank& rank : bounds.ranks) check_rank(rank);
  } else if (operation == Operation::BoundInterrupts) {
    append(bounds.interrupts, payload, kMostInterrupts, "interrupts of bounds");
    for (const stated::Interrupts& each : bounds.interrupts) {
      if (beyond_ticks(each.length) || beyond_ticks(each.distance) || each.distance == 0) {
        refuse("says that interrupts have the distance " + std::to_string(each.distance));
      }
    }
  } else if (operation == Operation::BoundDelivery) {
    append(bounds.deliveries, payload, kMostLoops, "deliveries");
    for (const stated::Delivery& each : bounds.deliveries) {
      if (each.bottom_half >= kNoCost || beyond_ticks(each.wakeups) ||
          beyond_ticks(each.sections)) {
        refuse("says that a bottom half takes " + std::to_string(each.bottom_half) + " ticks");
      }
    }
  } else {
    append(bounds.directs, payload, kMostLoops, "direct handlers");
  }
}

void FactKeeper::check_rank(const stated::Rank& rank) const {
  const std::string name = "says that the virtual CPU of loop " + std::to_string(rank.loop);
  if (rank.core != stated::Rank::kNone && rank.core >= options_.cores) {
    refuse(name + " is on core " + std::to_string(rank.core));
  }
  const bool in_order = rank.budget > 0 && rank.budget <= rank.period &&
                        !beyond_ticks(rank.period) && rank.deadline > 0 &&
                        rank.deadline <= rank.period && rank.top_half < kNoCost &&
                        (rank.bound == stated::Rank::kNever || !beyond_ticks(rank.bound));
  if (!in_order) refuse(name + " has a contract that cannot be");
}

void FactKeeper::check_run(const RunFacts& run) const {
  if (run.cores != options_.cores) {
    refuse("ran on " + std::to_string(run.cores) + " cores, not " + std::to_string(options_.cores));
  }
  if (beyond_the_end(run.duration)) {
    refuse("says that the run lasted " + std::to_string(run.duration) + " ns");
  }
}

void FactKeeper::check_loop(const LoopFacts& loop) const {
  if (loop.core >= options_.cores) {
    refuse("says that loop " + std::to_string(loop.id) + " was on core " +
           std::to_string(loop.core) + " of " + std::to_string(options_.cores));
  }
}

void FactKeeper::check_beside(const BesideFacts& beside, Nanos now) const {
  if (beside.state < static_cast<uint32_t>(BesideState::Running) ||
      beside.state > static_cast<uint32_t>(BesideState::Restarting)) {
    refuse("says that the system beside is in the state " + std::to_string(beside.state));
  }
  if (beside.cores_on > options_.cores) {
    refuse("says that the system beside has " + std::to_string(beside.cores_on) + " cores of " +
           std::to_string(options_.cores));
  }
  for (const uint64_t time : beside.time) {
    if (time > now) {
      refuse("says that the system beside had " + std::to_string(time) + " ns of a core after " +
             std::to_string(now) + " ns");
    }
  }
}

void FactKeeper::check_interrupt(const InterruptFacts& interrupt) {
  if (interrupt.mode >= sys::kEdgeModes) {
    refuse("says that an interrupt has the mode " + std::to_string(interrupt.mode));
  }
}

}  // namespace hocket::world
