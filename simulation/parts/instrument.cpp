// An instrument on an aircraft: see instrument.h.

#include "simulation/parts/instrument.h"

namespace hocket::sim {
namespace {
constexpr int64_t kLowestRate = 100, kHighestRate = 1'000'000;  // mHz: 0.1 Hz to 1 kHz
}

Instrument::Instrument(Workbench& bench, Section& section, int64_t rate)
    : Part(bench, section),
      port_(port(section)),
      sender_(section, port_, bench.seed),
      rate_(static_cast<uint64_t>(section.number_or("rate", rate, kLowestRate, kHighestRate))),
      aircraft_name_(section.word("aircraft")),
      next_(instant(1)) {
  port_.connect(*this);
}

void Instrument::link() {
  const auto found = bench_.parts.find(aircraft_name_);
  aircraft_ = found == bench_.parts.end() ? nullptr : dynamic_cast<Aircraft*>(found->second);
  if (aircraft_ == nullptr)
    fail("is on the aircraft " + aircraft_name_ + ", which is no part of type helicopter");
}

/// Computed from the start, so that no rounding accumulates.
Nanos Instrument::instant(uint64_t sample) const {
  constexpr uint64_t kMilliSecondsOfNanos = 1'000'000'000'000;
  return static_cast<Nanos>(static_cast<unsigned __int128>(sample) * kMilliSecondsOfNanos / rate_);
}

void Instrument::due(Nanos now, uint64_t) {
  const uint64_t number = samples_++;
  next_ = instant(samples_ + 1);
  bench_.events.schedule(next_, *this);
  sample(now, static_cast<uint16_t>(number), *aircraft_, sender_);
}

}  // namespace hocket::sim
