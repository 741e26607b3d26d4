// A potentiometer between ground and supply, its wiper on an analog pin, turned by a profile of
// positions.
//
// The converter reads the exact position of its instant; the level of a digital read and the wave
// file follow every millisecond.

#include "simulation/parts/part.h"
#include "simulation/parts/profile.h"

namespace hocket::sim {
namespace {

constexpr Nanos kTick = 1'000'000;

class Potentiometer final : public Part {
 public:
  Potentiometer(Workbench& bench, Section& section)
      : Part(bench, section),
        pin_(section.pin("pin", PinUse::Analog)),
        driver_(claim(section, pin_, "pin")),
        wave_(bench.waves.real(section.name(), "volts", 1, 0, 6)) {
    if (!section.has("position")) section.fail("needs position");
    position_.emplace(section.list("position"), 0, kMillion, 1'000 * kMillion);
    bench.pins.listen(pin_, *this, 0);
  }

  void start() override { due(0, 0); }

  void due(Nanos now, uint64_t) override {
    update(now);
    if (now < position_->settled()) bench_.events.schedule(now + kTick, *this);
  }

  void sampled(Nanos now, unsigned) override {
    update(now);
    ++samples_;
  }

  void facts(Facts& facts, Nanos end) const override {
    facts.fixed("position_percent", position_->at(end), 4);
    facts.count("samples", samples_);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed("position_percent", position_->at(now), 4);
  }

 private:
  std::vector<Control> controls() const override {
    return {number("position_percent", "%", 0, 100 * kMillion,
                   100 * position_->at(bench_.events.now()))};
  }
  void turned(Nanos now, size_t, int64_t value) override {
    position_->hold(now, value / 100);
    update(now);
  }

  void update(Nanos now) {
    const int64_t microvolts = position_->at(now) * (pinout::kSupplyMicrovolts / kMillion);
    bench_.pins.drive(now, driver_, Drive::Source, microvolts);
    bench_.waves.set(now, wave_, microvolts);
  }

  unsigned pin_;
  Pins::Driver driver_;
  Waves::Signal wave_;
  std::optional<Profile> position_;
  uint64_t samples_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_potentiometer(Workbench& bench, Section& section) {
  return std::make_unique<Potentiometer>(bench, section);
}

}  // namespace hocket::sim
