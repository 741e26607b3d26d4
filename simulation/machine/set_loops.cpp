#include "simulation/machine/set_loops.h"

#include <charconv>
#include <deque>

#include "simulation/program/options.h"

namespace hocket::sim {
namespace {

using program::UsageError;

[[noreturn]] void refuse(unsigned id, const std::string& why) {
  throw UsageError{"--loop: loop " + std::to_string(id) + " " + why};
}

void change(LoopDescriptor& loop, const SetLoop& wanted) {
  if (wanted.budget_ns != 0) loop.budget_ns = wanted.budget_ns;
  if (wanted.period_ns != 0) {
    if (loop.deadline_ns == loop.period_ns) loop.deadline_ns = wanted.period_ns;
    loop.period_ns = wanted.period_ns;
  }
  if (loop.period_ns > LoopDescriptor::kLongestPeriodNs) refuse(loop.id, "has too long a period");
  if (loop.deadline_ns > loop.period_ns)
    refuse(loop.id, "has a deadline behind the end of its period");
  if (loop.budget_ns > loop.deadline_ns)
    refuse(loop.id, "has a budget longer than its period, or its deadline");
}

}  // namespace

SetLoop read_set_loop(const std::string& text) {
  uint64_t numbers[3] = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (uint64_t& number : numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    const bool last = &number == &numbers[2];
    if (error != std::errc{} || (last ? next != end : next == end || *next != ':')) {
      throw UsageError{"--loop takes ID:BUDGET:PERIOD, in nanoseconds, not \"" + text + "\""};
    }
    at = next + 1;
  }
  if (numbers[0] > LoopDescriptor::kHighestId)
    throw UsageError{"--loop: there is no loop " + std::to_string(numbers[0])};
  return {static_cast<unsigned>(numbers[0]), numbers[1], numbers[2]};
}

runtime::Program with_set_loops(runtime::Program program, const std::vector<SetLoop>& wanted) {
  if (wanted.empty()) return program;
  static std::deque<LoopDescriptor> changed;  // their addresses must stay valid
  static std::vector<const LoopDescriptor*> table;
  table.assign(program.loops_begin, program.loops_end);
  for (const SetLoop& each : wanted) {
    bool found = false;
    for (const LoopDescriptor*& entry : table) {
      if (!entry->is_a_loop() || entry->id != each.id) continue;
      found = true;
      changed.push_back(*entry);
      change(changed.back(), each);
      entry = &changed.back();
    }
    if (!found) refuse(each.id, "is not there");
  }
  program.loops_begin = table.data();
  program.loops_end = table.data() + table.size();
  return program;
}

}  // namespace hocket::sim
