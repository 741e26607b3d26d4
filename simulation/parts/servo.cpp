// A hobby servo: turns to the angle that the width of the last pulse asks for, no faster than its
// slew rate.
//
// angle = (width - min_pulse) / (max_pulse - min_pulse) · travel, clamped to 0 … travel. A pulse
// shorter than 400 µs or longer than 2.6 ms is no command (counted).

#include <algorithm>
#include <cstdlib>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

constexpr Nanos kShortest = 400'000, kLongest = 2'600'000;

class Servo final : public Part {
 public:
  Servo(Workbench& bench, Section& section)
      : Part(bench, section),
        min_pulse_(section.number_or("min_pulse", 544'000, kShortest, kLongest)),
        max_pulse_(section.number_or("max_pulse", 2'400'000, kShortest, kLongest)),
        travel_(section.number_or("travel", 180 * kMillion, kMillion, 360 * kMillion)),
        slew_(section.number_or("slew", 600 * kMillion, kMillion, 100'000 * kMillion)),
        angle_(travel_ / 2),
        target_(angle_),
        least_(angle_),
        greatest_(angle_),
        wave_(bench.waves.real(section.name(), "angle_deg", 1, angle_ / 1000, 3)) {
    if (min_pulse_ >= max_pulse_) section.fail("needs min_pulse below max_pulse");
    listen(section.pin("pin"), 0, "pin");
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    turn(now);
    if (high) {
      rose_ = now;
      return;
    }
    const Nanos width = now - rose_;
    if (width < kShortest || width > kLongest) {
      ++bad_pulses_;
      return;
    }
    ++pulses_;
    last_pulse_ = width;
    const int64_t asked =
        (static_cast<int64_t>(width) - min_pulse_) * travel_ / (max_pulse_ - min_pulse_);
    const bool rests = target_ == angle_;
    target_ = std::clamp<int64_t>(asked, 0, travel_);
    if (target_ == angle_) return;
    if (rests) bench_.waves.mark(now, wave_);  // the wave is straight from here on
    bench_.events.schedule(now + time_to_target(), *this);
  }

  void due(Nanos now, uint64_t) override { turn(now); }

  void ended(Nanos now) override { turn(now); }
  void facts(Facts& facts, Nanos) const override {
    facts.count("pulses", pulses_);
    facts.count("bad_pulses", bad_pulses_);
    facts.micros("last_pulse_us", last_pulse_);
    facts.fixed("angle_deg", angle_ / 1000, 3);
    facts.fixed("min_angle_deg", least_ / 1000, 3);
    facts.fixed("max_angle_deg", greatest_ / 1000, 3);
    facts.fixed("turned_deg", turned_ / 1000, 3);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed("angle_deg", (angle_ + way_by(now)) / 1000, 3);
  }

 private:
  /// How far it turns until then.
  int64_t way_by(Nanos now) const {
    const auto reach = static_cast<int64_t>(std::min<__int128>(
        static_cast<__int128>(slew_) * static_cast<__int128>(now - turned_at_) / 1'000'000'000,
        travel_));
    return std::clamp(target_ - angle_, -reach, reach);
  }

  Nanos time_to_target() const {
    const auto way = static_cast<unsigned __int128>(std::abs(target_ - angle_));
    return static_cast<Nanos>((way * 1'000'000'000 + static_cast<uint64_t>(slew_) - 1) /
                              static_cast<uint64_t>(slew_));
  }

  /// Brings the angle up to date.
  void turn(Nanos now) {
    const int64_t step = way_by(now);
    turned_at_ = now;
    if (step == 0) return;
    angle_ += step;
    turned_ += std::abs(step);
    least_ = std::min(least_, angle_);
    greatest_ = std::max(greatest_, angle_);
    bench_.waves.set(now, wave_, angle_ / 1000);
  }

  int64_t min_pulse_, max_pulse_, travel_, slew_;  // ns, ns, microdegrees, microdegrees per second
  int64_t angle_, target_, least_, greatest_, turned_ = 0;
  Waves::Signal wave_;
  Nanos rose_ = 0, turned_at_ = 0;
  std::optional<Nanos> last_pulse_;
  uint64_t pulses_ = 0, bad_pulses_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_servo(Workbench& bench, Section& section) {
  return std::make_unique<Servo>(bench, section);
}

}  // namespace hocket::sim
