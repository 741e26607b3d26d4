#include "simulation/uno/tell.h"

#include <cstdio>

namespace hocket::uno {
namespace {

// A smaller part of the processor is not worth a sentence.
constexpr unsigned kNotablePercent = 5;

void tell_handlers(const Watcher& watcher, const Mcu& mcu, program::RunFacts& facts) {
  const Cycles handlers = watcher.interrupts().handlers();
  if (mcu.cycle() == 0 || handlers * 100 < mcu.cycle() * kNotablePercent) return;
  char text[160];
  std::snprintf(text, sizeof text,
                "Handlers of interrupts took %.1f %% of the processor: the loops that they "
                "interrupted paid for them with their budgets.",
                100.0 * static_cast<double>(handlers) / static_cast<double>(mcu.cycle()));
  facts.notices.emplace_back(text);
}

}  // namespace

void tell_facts(Watcher& watcher, const Mcu& mcu, program::RunFacts& facts) {
  const auto runs = watcher.finish();
  for (size_t i = 0; i < runs.size(); ++i) facts.loops[i].run = runs[i];
  facts.counters = watcher.counters();
  const MaskedSection& longest = watcher.longest_masked();
  facts.overheads.longest_masked_seen = nanos(longest.length);
  facts.overheads.longest_spin_seen = nanos(watcher.longest_spin());
  if (longest.length > 0) {
    facts.masked = {.loop = longest.loop,
                    .codes = {longest.places.begin(), longest.places.begin() + longest.place_count},
                    .interrupt = longest.interrupt == 0 ? std::string()
                                                        : InterruptWatch::name(longest.interrupt)};
  }
  tell_handlers(watcher, mcu, facts);
}

}  // namespace hocket::uno
