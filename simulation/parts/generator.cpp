// A signal generator: a square wave, edges with random gaps, or edges at given instants.
//
// Every edge of a square wave has its exact instant, start + (n + phase [+ duty]) / frequency,
// rounded down to a nanosecond. The output begins low; the first edge rises.

#include <algorithm>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Generator final : public Part {
 public:
  Generator(Workbench& bench, Section& section)
      : Part(bench, section),
        driver_(claim(section, section.pin("pin"), "pin")),
        start_(section.time_or("start", 0)),
        count_(static_cast<uint64_t>(section.number_or("count", INT64_MAX, 1, INT64_MAX))),
        random_(bench.seed, section.name()) {
    const bool gaps = section.has("gaps.shortest") || section.has("gaps.longest");
    if (section.has("frequency") + gaps + section.has("edges") != 1)
      section.fail("needs one of frequency, gaps and edges");
    if (section.has("frequency")) {
      frequency_ = static_cast<uint64_t>(section.number("frequency", 1, 10'000'000'000));
      duty_ = static_cast<uint64_t>(section.number_or("duty", kMillion / 2, 1, kMillion - 1));
      phase_ = static_cast<uint64_t>(section.number_or("phase", 0, 0, kMillion));
    } else if (gaps) {
      shortest_ = static_cast<Nanos>(section.number("gaps.shortest", 0, kLongestTime));
      longest_ = static_cast<Nanos>(section.number("gaps.longest", 1'000, kLongestTime));
      if (shortest_ > longest_) section.fail("has a shortest gap above the longest");
    } else {
      for (const Item& item : section.list("edges")) {
        const auto at = static_cast<Nanos>(item.number("", 0, kLongestTime));
        if (!edges_.empty() && at <= edges_.back()) item.fail("must have ascending times");
        edges_.push_back(at);
      }
    }
  }

  void start() override {
    bench_.pins.drive(0, driver_, Drive::Low);
    last_ = start_;
    schedule();
  }

  void due(Nanos now, uint64_t token) override {
    if (token != version_) return;  // the frequency has been changed
    if (made_ == 0) first_ = now;
    last_ = now;
    bench_.pins.drive(now, driver_, ++made_ % 2 == 1 ? Drive::High : Drive::Low);
    schedule();
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("edges", made_);
    facts.micros("first_edge_us", first_);
    facts.micros("last_edge_us", first_ ? std::optional(last_) : std::nullopt);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    if (frequency_ != 0 || stands_) facts.fixed("frequency_hz", stands_ ? 0 : millihertz(), 3);
  }

 private:
  static constexpr int64_t kHighest = 100'000;  // Hz, as a control

  std::vector<Control> controls() const override {
    if (frequency_ == 0 && !stands_) return {};
    return {number("frequency_hz", "Hz", 0, kHighest * kMillion,
                   stands_ ? 0 : std::min(kHighest * kMillion, millihertz() * 1000))};
  }
  /// Restarts with a rising edge; 0: stops, low.
  void turned(Nanos now, size_t, int64_t value) override {
    ++version_;
    bench_.pins.drive(now, driver_, Drive::Low);
    frequency_ = static_cast<uint64_t>(value / 1000);
    stands_ = frequency_ == 0;
    start_ = now;
    base_ = made_ += made_ % 2;  // the falling edge, if it was high
    if (!stands_) schedule();
  }
  int64_t millihertz() const { return static_cast<int64_t>(frequency_); }

  void schedule() {
    if (made_ >= count_) return;
    if (frequency_ != 0) {
      const uint64_t within = phase_ + (made_ % 2 == 1 ? duty_ : 0);
      // millionths of a period · 10^12 mHz·ns / 10^6
      const uint64_t periods = (made_ - base_) / 2;
      const auto millionths = static_cast<unsigned __int128>(periods) * kMillion + within;
      bench_.events.schedule(start_ + static_cast<Nanos>(millionths * kMillion / frequency_), *this,
                             version_);
    } else if (longest_ != 0) {
      // Two edges cannot share an instant.
      bench_.events.schedule(last_ + std::max<Nanos>(1, random_.between(shortest_, longest_)),
                             *this);
    } else if (made_ < edges_.size()) {
      bench_.events.schedule(start_ + edges_[made_], *this);
    }
  }

  Pins::Driver driver_;
  Nanos start_;
  uint64_t count_;
  Random random_;
  uint64_t frequency_ = 0;  // millihertz
  uint64_t duty_ = 0, phase_ = 0;
  Nanos shortest_ = 0, longest_ = 0;
  std::vector<Nanos> edges_;
  uint64_t made_ = 0, base_ = 0;  // edges made; those before the present frequency
  uint64_t version_ = 0;
  bool stands_ = false;
  Nanos last_ = 0;
  std::optional<Nanos> first_;
};

}  // namespace

std::unique_ptr<Part> make_generator(Workbench& bench, Section& section) {
  return std::make_unique<Generator>(bench, section);
}

}  // namespace hocket::sim
