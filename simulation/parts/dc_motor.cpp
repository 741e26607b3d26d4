// A motor at one half of an H-bridge driver (L293D, L298): two inputs, and an enable input for PWM.
//
//   forward backward enable        speed v follows the asked speed u with one time constant:
//      1       0       1     u = full          v(t) = u + (v0 - u)·e^(-t/τ)
//      0       1       1     u = -full
//      1       1       1     brakes            every other combination: it runs down
//
// Sources: L293D data sheet (TI SLRS008), table 3; L298 data sheet, figure 6. As of `motors`, whose
// sides behave in the same way and drive a vehicle.

#include <array>
#include <cmath>

#include "simulation/parts/exact_math.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class DcMotor final : public Part {
 public:
  DcMotor(Workbench& bench, Section& section)
      : Part(bench, section),
        full_(static_cast<double>(section.number_or("full_speed", 200'000, 1, 1'000'000'000)) /
              1e3 / 60),
        time_constant_(static_cast<double>(section.time_or("time_constant", 50'000'000)) * 1e-9),
        wave_(bench.waves.real(section.name(), "speed_rpm", 1, 0, 2)) {
    listen(section.pin("forward"), kForward, "forward");
    listen(section.pin("backward"), kBackward, "backward");
    if (section.has("enable"))
      listen(section.pin("enable"), kEnable, "enable");
    else
      in_[kEnable] = true;
  }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    advance(now);
    if (!ticking_) bench_.waves.mark(now, wave_);  // constant until now
    in_[terminal] = high;
    const int direction = int{in_[kForward]} - int{in_[kBackward]};
    if (direction != 0 && direction != direction_) {
      if (direction_ != 0) ++direction_changes_;
      direction_ = direction;
    }
    show(now);
    tick();
  }

  void due(Nanos now, uint64_t) override {
    ticking_ = false;
    advance(now);
    show(now);
    tick();
  }

  void ended(Nanos now) override { advance(now); }
  void facts(Facts& facts, Nanos) const override {
    facts.fixed("speed_rpm", centi_rpm(speed_), 2);
    facts.fixed("max_speed_rpm", centi_rpm(fastest_), 2);
    facts.fixed("turns", exact::rounded(turns_ * 1e3), 3);
    facts.micros("driven_us", driven_);
    facts.micros("braked_us", braked_);
    facts.count("direction_changes", direction_changes_);
  }
  /// The last computed state, which is at most 10 ms old.
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.fixed("speed_rpm", centi_rpm(speed_), 2);
    facts.fixed("turns", exact::rounded(turns_ * 1e3), 3);
  }

 private:
  enum Input : unsigned { kForward, kBackward, kEnable, kInputs };
  static constexpr Nanos kShown = 10'000'000;
  static constexpr double kStandsStill = 1e-6;  // turns a second

  static int64_t centi_rpm(double turns) { return exact::rounded(turns * 6e3); }
  double asked() const {
    return in_[kEnable] ? full_ * (int{in_[kForward]} - int{in_[kBackward]}) : 0.0;
  }

  void advance(Nanos now) {
    if (now <= at_) return;
    const double seconds = static_cast<double>(now - at_) * 1e-9, target = asked();
    if (target != 0) driven_ += now - at_;
    if (in_[kEnable] && in_[kForward] && in_[kBackward]) braked_ += now - at_;
    at_ = now;
    if (time_constant_ == 0) {
      speed_ = target;
      turns_ += target * seconds;
    } else {
      const double left = exact::decay(seconds / time_constant_), excess = speed_ - target;
      speed_ = target + excess * left;
      turns_ += target * seconds + excess * time_constant_ * (1.0 - left);
      if (target == 0 && std::fabs(speed_) < kStandsStill) speed_ = 0;
    }
    if (std::fabs(speed_) > fastest_) fastest_ = std::fabs(speed_);
  }

  void tick() {
    if (ticking_ || (asked() == 0 && speed_ == 0)) return;
    ticking_ = true;
    bench_.events.schedule(at_ + kShown, *this);
  }
  void show(Nanos now) { bench_.waves.set(now, wave_, centi_rpm(speed_)); }

  double full_, time_constant_;  // turns a second, s
  Waves::Signal wave_;
  std::array<bool, kInputs> in_{};
  int direction_ = 0;
  Nanos at_ = 0, driven_ = 0, braked_ = 0;
  double speed_ = 0, fastest_ = 0, turns_ = 0;
  bool ticking_ = false;
  uint64_t direction_changes_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_dc_motor(Workbench& bench, Section& section) {
  return std::make_unique<DcMotor>(bench, section);
}

}  // namespace hocket::sim
