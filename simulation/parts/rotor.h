// Which steps the rotor of a stepper motor can follow, in full steps.
//
// From standstill it follows up to `start` steps per second. While it runs, each step may come
// sooner than the one before, as far as `acceleration` allows, but never faster than `most`. A step
// that comes too soon is lost and stops the rotor; the rotor then takes the next step that comes no
// faster than `start`. (Pull-in and pull-out rate of a data sheet.)
#pragma once

#include <algorithm>
#include <optional>

#include "simulation/parts/section.h"

namespace hocket::sim {

class Rotor {
 public:
  /// Takes `start_rate`, `top_rate` and `acceleration` of the section; the defaults are whole
  /// steps a second.
  Rotor(Section& section, int64_t start, int64_t most, int64_t acceleration)
      : start_(rate(section, "start_rate", start)),
        most_(rate(section, "top_rate", most)),
        acceleration_(static_cast<double>(
            section.number_or("acceleration", acceleration, 1, 1'000'000'000))) {
    if (start_ > most_) section.fail("needs start_rate below top_rate");
  }

  /// A part of a full step is requested now in this direction (1, -1). Returns true if the rotor
  /// follows.
  bool follows(Nanos now, int direction, double part) {
    const bool first = !last_;
    const double seconds = first ? 0 : static_cast<double>(now - *last_) * 1e-9;
    last_ = now;
    const bool turns_back = direction != std::exchange(direction_, direction);
    if (first) return true;
    const double rate = seconds > 0 ? part / seconds : most_ + 1;
    const double before = turns_back ? 0 : rate_;
    const double possible = std::min(most_, std::max(start_, before + acceleration_ * seconds));
    fastest_ = std::max(fastest_, rate);
    rate_ = rate <= possible ? rate : 0;
    return rate <= possible;
  }
  /// The highest rate requested, in steps per second.
  double fastest() const { return fastest_; }

 private:
  static double rate(Section& section, const std::string& key, int64_t usual) {
    return static_cast<double>(section.number_or(key, usual * 1000, 1000, 1'000'000'000)) * 1e-3;
  }

  double start_, most_, acceleration_;
  std::optional<Nanos> last_;
  int direction_ = 0;
  double rate_ = 0, fastest_ = 0;
};

}  // namespace hocket::sim
