// A stepper motor at a driver with step and direction inputs (A4988, DRV8825 and others).
//
//   step  ──┐‾‾‾└───   each rising edge is a microstep     enable  low: on; open: on
//           ≥ 1 µs high, ≥ 1 µs low; direction 200 ns before it
//
// Source: Allegro A4988 data sheet, figure 1 and "functional description"; the motor is rotor.h.

#include <cstdlib>

#include "simulation/parts/exact_math.h"
#include "simulation/parts/part.h"
#include "simulation/parts/rotor.h"

namespace hocket::sim {
namespace {

class StepDriver final : public Part {
 public:
  StepDriver(Workbench& bench, Section& section)
      : Part(bench, section),
        rotor_(section, 600, 2000, 20'000),
        wave_(bench.waves.real(section.name(), "position", 1, 0, 0)) {
    const int64_t parts = section.number_or("microsteps", 1, 1, 256);
    if ((parts & (parts - 1)) != 0) section.fail("needs a power of two for microsteps");
    part_ = 1.0 / static_cast<double>(parts);
    turn_ = section.number_or("steps_per_turn", 200, 4, 10'000) * parts;
    listen(section.pin("step"), kStep, "step");
    listen(section.pin("dir"), kDirection, "dir");
    if (section.has("enable")) listen(section.pin("enable"), kEnable, "enable");
  }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    if (terminal == kEnable) {
      off_ = high;
    } else if (terminal == kDirection) {
      back_ = high;
      turned_ = now;
    } else if (high) {
      if (fell_ && now - *fell_ < kShortest) ++short_pulses_;
      rose_ = now;
      step(now);
    } else {
      if (rose_ && now - *rose_ < kShortest) ++short_pulses_;
      fell_ = now;
    }
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("steps", steps_);
    facts.fixed("position", position_, 0);
    facts.fixed("asked_position", asked_, 0);
    facts.count("missed_steps", missed_);
    facts.count("steps_while_off", ignored_);
    facts.count("short_pulses", short_pulses_);
    facts.count("late_directions", late_directions_);
    facts.fixed("angle_deg", position_ * 360'000 / turn_, 3);
    facts.fixed("fastest_steps_s", exact::rounded(rotor_.fastest() * 10 / part_), 1);
    facts.flag("on", !off_);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.fixed("position", position_, 0);
    facts.fixed("angle_deg", position_ * 360'000 / turn_, 3);
    facts.count("missed_steps", missed_);
    facts.flag("on", !off_);
  }

 private:
  enum Terminal : unsigned { kStep, kDirection, kEnable };
  static constexpr Nanos kShortest = 1'000, kSetup = 200;

  void step(Nanos now) {
    if (off_) {
      ++ignored_;
      return;
    }
    ++steps_;
    if (turned_ && now - *turned_ < kSetup) ++late_directions_;
    const int direction = back_ ? -1 : 1;
    asked_ += direction;
    if (!rotor_.follows(now, direction, part_)) {
      ++missed_;
      return;
    }
    position_ += direction;
    bench_.waves.jump(now, wave_, position_);
  }

  Rotor rotor_;
  double part_ = 1;     // of a full step
  int64_t turn_ = 200;  // microsteps
  Waves::Signal wave_;
  bool off_ = false, back_ = false;
  std::optional<Nanos> rose_, fell_, turned_;
  int64_t position_ = 0, asked_ = 0;
  uint64_t steps_ = 0, missed_ = 0, ignored_ = 0, short_pulses_ = 0, late_directions_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_a4988(Workbench& bench, Section& section) {
  return std::make_unique<StepDriver>(bench, section);
}

}  // namespace hocket::sim
