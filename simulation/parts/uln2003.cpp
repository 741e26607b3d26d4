// A small geared stepper (28BYJ-48) at a ULN2003: four inputs, one for each coil.
//
//   half step   0     1     2     3     4     5     6     7
//   inputs    1000  1100  0100  0110  0010  0011  0001  1001      IN1 is the first
//
// The rotor goes to the half step that the coils ask for, the shorter way; opposite to where it
// stands they cannot turn it. A sketch sets one pin after the other, so a pattern counts when it
// has stood for 200 µs. The motor is rotor.h, with half steps.
//
// Source: 28BYJ-48 data sheet (64 half steps a turn of the rotor, gear 1:64; no-load pull-in above
// 600 Hz, pull-out above 1000 Hz). Without a load they take the 15 turns a minute of its tutorials.

#include <array>
#include <cstdlib>

#include "simulation/parts/exact_math.h"
#include "simulation/parts/part.h"
#include "simulation/parts/pin_list.h"
#include "simulation/parts/rotor.h"

namespace hocket::sim {
namespace {

class CoilDriver final : public Part {
 public:
  CoilDriver(Workbench& bench, Section& section)
      : Part(bench, section),
        rotor_(section, 1050, 1200, 4'000),
        turn_(section.number_or("steps_per_turn", 4096, 8, 100'000)),
        wave_(bench.waves.real(section.name(), "position", 1, 0, 0)) {
    const std::vector<unsigned> pins = pin_list(bench, section, "inputs", kCoils, kCoils);
    for (unsigned i = 0; i < kCoils; ++i) listen(pins[i], i, "in" + std::to_string(i + 1));
  }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    coils_ = high ? coils_ | 1u << terminal : coils_ & ~(1u << terminal);
    bench_.events.schedule(now + kSettles, *this, ++version_);
  }

  void due(Nanos now, uint64_t token) override {
    if (token == version_) pull(now - kSettles);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.fixed("position", position_, 0);
    facts.count("steps", steps_);
    facts.count("missed_steps", missed_);
    facts.fixed("angle_deg", position_ * 360'000 / turn_, 3);
    facts.fixed("fastest_steps_s", exact::rounded(rotor_.fastest() * 10), 1);
    facts.flag("on", coils_ != 0);
  }
  void live(Facts& facts, Nanos now, Nanos) const override { this->facts(facts, now); }

 private:
  static constexpr unsigned kCoils = 4;
  static constexpr int64_t kHalfSteps = 8;
  static constexpr Nanos kSettles = 200'000;

  /// The half step of a pattern (bit 0: IN1); -1: it pulls to none.
  static int phase(unsigned coils) {
    constexpr std::array<int, 16> kPhases{-1, 0, 2, 1, 4, -1, 3, -1, 6, 7, -1, -1, 5, -1, -1, -1};
    return kPhases[coils & 15];
  }

  void pull(Nanos now) {
    const int wanted = phase(coils_);
    if (wanted < 0) return;
    int64_t way = ((wanted - position_) % kHalfSteps + kHalfSteps) % kHalfSteps;
    if (way == 0) return;
    if (way > kHalfSteps / 2) way -= kHalfSteps;
    const auto size = static_cast<uint64_t>(std::abs(way));
    steps_ += size;
    const bool opposite = size == kHalfSteps / 2;
    if (opposite || !rotor_.follows(now, way > 0 ? 1 : -1, static_cast<double>(size))) {
      missed_ += size;
      return;
    }
    position_ += way;
    bench_.waves.jump(bench_.events.now(), wave_, position_);
  }

  Rotor rotor_;
  int64_t turn_;
  Waves::Signal wave_;
  unsigned coils_ = 0;
  uint64_t version_ = 0;
  int64_t position_ = 0;
  uint64_t steps_ = 0, missed_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_uln2003(Workbench& bench, Section& section) {
  return std::make_unique<CoilDriver>(bench, section);
}

}  // namespace hocket::sim
