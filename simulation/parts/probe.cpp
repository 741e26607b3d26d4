// A probe: measures what a logic analyser would say of a pin.
//
// High and low times count only when both of their edges were seen; a period is the time from one
// rising edge to the next; frequency and duty are taken from the first rising edge to the last.

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Probe final : public Part {
 public:
  Probe(Workbench& bench, Section& section) : Part(bench, section) {
    listen(section.pin("pin"), 0, "pin");
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (last_edge_) {
      const Nanos span = now - *last_edge_;
      (high ? low_ : high_).add(span);
      intervals_.add(span);
      if (!high) high_ns_ += span;
    } else {
      first_edge_ = now;
    }
    if (high) {
      if (last_rise_) periods_.add(now - *last_rise_);
      if (!first_rise_) first_rise_ = now, high_ns_ = 0;
      last_rise_ = now;
      high_ns_at_rise_ = high_ns_;
    }
    last_edge_ = now;
    ++(high ? rises_ : falls_);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("edges", rises_ + falls_);
    facts.count("rising", rises_);
    facts.count("falling", falls_);
    facts.micros("first_edge_us", first_edge_);
    facts.micros("last_edge_us", last_edge_);
    high_.facts(facts, "high");
    low_.facts(facts, "low");
    intervals_.facts(facts, "interval");
    periods_.facts(facts, "period");
    std::optional<int64_t> frequency, duty;
    if (rises_ > 1) {
      const Nanos span = *last_rise_ - *first_rise_;
      frequency = static_cast<int64_t>(static_cast<unsigned __int128>(rises_ - 1) *
                                       1'000'000'000'000'000u / span);
      duty = static_cast<int64_t>(static_cast<unsigned __int128>(high_ns_at_rise_) * 100'000'000u /
                                  span);
    }
    facts.fixed("frequency_hz", frequency, 6);
    facts.fixed("duty_percent", duty, 6);
  }

 private:
  std::optional<Nanos> first_edge_, last_edge_, first_rise_, last_rise_;
  Nanos high_ns_ = 0, high_ns_at_rise_ = 0;  // since the first rise; the same at the last rise
  uint64_t rises_ = 0, falls_ = 0;
  Spans high_, low_, intervals_, periods_;
};

}  // namespace

std::unique_ptr<Part> make_probe(Workbench& bench, Section& section) {
  return std::make_unique<Probe>(bench, section);
}

}  // namespace hocket::sim
