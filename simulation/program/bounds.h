// The bounds of a run with their terms, as the JSON object `bounds` of the report
// (docs/reference/report.md): each can be recomputed from it to the tick.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "admission/stated.h"
#include "simulation/program/json.h"

namespace hocket::program {

/// A bound that a board computes as a sum.
struct NamedTerm {
  const char* name;
  int64_t ticks;
};

/// The inputs of a board's admission.
struct BoundFacts {
  stated::Costs costs;
  std::vector<stated::Rank> ranks;  // each core's in order, then the refused ones
  std::vector<stated::Interrupts> interrupts = {};
  std::vector<stated::Delivery> deliveries = {};
  std::vector<stated::Direct> directs = {};
};

/// As a JSON object, keyed by name.
Json named_json(const std::vector<NamedTerm>& terms);

/// `by_deadline`: as the policy decides.
Json bounds_json(const BoundFacts& facts, unsigned cores, bool by_deadline);

}  // namespace hocket::program
