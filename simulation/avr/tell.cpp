#include "simulation/avr/tell.h"

#include <cstdio>
#include <utility>

#include "simulation/avr/admitted_facts.h"
namespace hocket::avr {
namespace {

// A smaller share of the processor is not reported.
constexpr unsigned kNotablePercent = 5;

// Of timer 0, the clock of sketches without loops: 64 cycles a step, 256 steps.
constexpr Cycles kPlainClock = Cycles{64} * 256;

void tell_handlers(const Watcher& watcher, const Mcu& mcu, const uno::Declared& declared,
                   program::RunFacts& facts) {
  const Cycles handlers = watcher.interrupts().handlers();
  if (mcu.cycle() == 0 || handlers * 100 < mcu.cycle() * kNotablePercent) return;
  char text[200];
  std::snprintf(
      text, sizeof text, "Handlers of interrupts took %.1f %% of the processor%s",
      100.0 * static_cast<double>(handlers) / static_cast<double>(mcu.cycle()),
      declared.has_kernel
          ? ": those of attachInterrupt() from a budget of their own, all others from those of the "
            "loops that they interrupted."
          : ".");
  facts.notices.emplace_back(text);
}

/// The longest time for which loops that wait within sections hold handlers back.
uno::Ticks held_by_sections(const PinWatch& pins, const Mcu& mcu) {
  const auto most = static_cast<uno::Ticks>(pins.sections(mcu).most);
  return most == 0 ? 0 : (most + 1) * uno::Ticks{uno::kMatch};
}

uno::Ticks ticks_up(Cycles cycles) {
  constexpr Cycles kTick = kCyclesPerSecond / uno::kTickHz;
  return static_cast<uno::Ticks>((cycles + kTick - 1) / kTick);
}

void tell_sections(const PinWatch& pins, const Mcu& mcu, const uno::Declared& declared,
                   program::RunFacts& facts) {
  const PinWatch::Sections sections = pins.sections(mcu);
  if (sections.times == 0) return;
  std::string name = sections.loop == 0 ? "loop()" : "loop " + std::to_string(sections.loop);
  for (const uno::Loop& loop : declared.loops) {
    if (loop.id != sections.loop || loop.line == 0) continue;
    name += " (" + loop.file + ":" + std::to_string(loop.line) + ")";
  }
  facts.notices.push_back(
      name +
      " waited between noInterrupts() and interrupts() for longer than two of its periods, " +
      std::to_string(sections.times) + (sections.times == 1 ? " time" : " times") +
      " in all: handlers of attachInterrupt() went on after that time, and the rest of the section "
      "did not hold them back. Make it shorter, or do not wait in it.");
}

/// Facts of interrupts with attached handlers. (A port has one for all of its pins.)
void tell_interrupts(const Watcher& watcher, const Mcu& mcu, const uno::Declared& declared,
                     program::RunFacts& facts) {
  static constexpr const char* kModes[] = {"LOW", "CHANGE", "FALLING", "RISING"};
  const PinWatch& pins = watcher.pins();
  const PinWatch::Transactions transactions = pins.transactions(mcu.cycle());
  const uno::Held held{.sections = held_by_sections(pins, mcu),
                       .interrupts_in_transactions = transactions.interrupts,
                       .transaction = ticks_up(transactions.longest)};
  const bool promised = !facts.interrupts.empty() && facts.interrupts.front().bound.has_value();
  facts.interrupts.clear();
  unsigned lines = 0;
  for (unsigned i = 0; i < mcu.chip().lines(); ++i) lines += pins.attached(i) ? 1 : 0;
  uint64_t merged = 0;
  for (unsigned i = 0; i < mcu.chip().lines(); ++i) {
    if (!pins.attached(i)) continue;
    program::InterruptFacts& entry = facts.interrupts.emplace_back();
    entry.loop = 0;
    entry.mode = "CHANGE";
    if (i < mcu.chip().external.size()) {
      entry.pin = mcu.chip().external[i].pin;
      entry.mode = kModes[PinWatch::sense(mcu, i)];
    }
    entry.budget = facts.handlers.budget;
    entry.period = facts.handlers.period;
    if (promised) set_delay(declared, lines, held, entry);
    const PinWatch::Edges edges = pins.edges(i);
    program::InterruptRun& run = entry.run.emplace();
    run.edges = edges.arrived;
    run.delivered = edges.delivered;
    run.pending = edges.pending;
    run.no_room = run.may_have_merged = edges.merged;
    run.detached = edges.detached;
    run.longest_delay = nanos(pins.longest_delay(i, mcu.cycle()));
    merged += edges.merged;
  }
  if (pins.times_held(mcu) == 0) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "Handlers of attachInterrupt() used up their budget %u times, and were held back "
                "until the next "
                "one: %llu edges came while one was kept already, and are lost.",
                pins.times_held(mcu), static_cast<unsigned long long>(merged));
  facts.notices.emplace_back(text);
}

/// Facts of alarms whose handlers are called in the timer interrupt.
void tell_alarms(const Watcher& watcher, const Mcu& mcu, program::RunFacts& facts) {
  const AlarmWatch& alarms = watcher.alarms();
  if (!alarms.any() || alarms.times_held(mcu) == 0) return;
  const unsigned times = alarms.times_held(mcu);
  facts.notices.push_back(
      "Handlers of alarms used up their budget, HOCKET_ALARM_INTERRUPT, " +
      (times == 255 ? std::string("255 times or more") : std::to_string(times) + " times") +
      ", and the next ones were called when it was back. Give them a larger budget, or do less in "
      "them: one interrupt of the timer with its handlers took " +
      std::to_string(nanos(alarms.longest()) / 1000) + " us at most.");
}

}  // namespace

namespace {

program::HeldFacts held_facts(const AccountWatch::Held& held, const InterruptWatch& interrupts) {
  return {.together = nanos(held.together),
          .longest = nanos(held.longest),
          .interrupt = held.interrupt == 0 ? std::string() : interrupts.name(held.interrupt)};
}

program::MaskedFacts masked_facts(const MaskedSection& longest, const InterruptWatch& interrupts) {
  return {.loop = longest.loop,
          .codes = {longest.places.begin(), longest.places.begin() + longest.place_count},
          .interrupt = longest.interrupt == 0 ? std::string() : interrupts.name(longest.interrupt),
          .length = nanos(longest.length)};
}

}  // namespace

void tell_facts(Watcher& watcher, const Mcu& mcu, const uno::Declared& declared,
                program::RunFacts& facts) {
  const auto runs = watcher.finish();
  for (size_t i = 0; i < runs.size(); ++i) facts.loops[i].run = runs[i];
  facts.counters = watcher.counters();
  const MaskedSection& longest = watcher.longest_masked();
  facts.overheads.longest_masked_seen = nanos(longest.length);
  facts.overheads.longest_spin_seen = nanos(watcher.longest_spin());
  if (declared.has_kernel) {
    const AccountWatch::Longest& seen = watcher.kernel_costs();
    facts.overheads.kernel_seen = {.interrupt_entry = nanos(seen.interrupt_entry),
                                   .context_switch = nanos(seen.context_switch),
                                   .timer_interrupt = nanos(seen.timer_interrupt),
                                   .longest_section = nanos(seen.masked)};
    if (declared.has_handlers) {
      facts.overheads.handler = nanos(Cycles{uno::kLongestHandler} * 8);
      const auto longest_handler = watcher.interrupts().longest_of_pins();
      facts.overheads.handler_seen = nanos(longest_handler.length);
      facts.overheads.handler_of = watcher.interrupts().name(longest_handler.number);
    }
    if (declared.handlers.period > 0) {
      const uno::StormCosts& storm = declared.chip_costs().storm;
      facts.overheads.refill = nanos(Cycles{8} * (storm.look + storm.let_in + storm.end));
      facts.overheads.refill_seen = nanos(watcher.interrupts().longest_refill());
    }
    facts.held =
        program::HeldBefore{.context_switch = held_facts(seen.switch_held, watcher.interrupts()),
                            .longest_masked = held_facts(seen.masked_held, watcher.interrupts())};
    facts.masked_outside = masked_facts(watcher.masked_outside_kernel(), watcher.interrupts());
  } else {
    facts.clock_interrupt = nanos(kPlainClock);
  }
  if (longest.length > 0) facts.masked = masked_facts(longest, watcher.interrupts());
  for (const std::string& text : watcher.attached().notices()) facts.notices.push_back(text);
  facts.no_room = watcher.heap().no_room();
  tell_handlers(watcher, mcu, declared, facts);
  tell_interrupts(watcher, mcu, declared, facts);
  tell_sections(watcher.pins(), mcu, declared, facts);
  tell_alarms(watcher, mcu, facts);
}

}  // namespace hocket::avr
