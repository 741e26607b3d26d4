// The bounds of a run with their terms, as the JSON object `bounds` of the report
// (docs/reference/report.md): each can be recomputed from it to the tick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "admission/stated.h"
#include "simulation/program/json.h"

namespace hocket::program {

/// A bound that a board makes by a sum of its own.
struct NamedTerm {
  const char* name;
  int64_t ticks;
};

/// What a board's admission reckoned with.
struct BoundFacts {
  stated::Costs costs;
  std::vector<stated::Rank> ranks;  // each core's in order, then those that were refused
  std::vector<stated::Interrupts> interrupts = {};
  std::vector<stated::Delivery> deliveries = {};
  std::vector<stated::Direct> directs = {};
};

/// As an object, name by name.
Json named_json(const std::vector<NamedTerm>& terms);

/// `by_deadline`: as the policy decides.
Json bounds_json(const BoundFacts& facts, unsigned cores, bool by_deadline);

}  // namespace hocket::program
