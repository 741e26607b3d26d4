// HC-SR04 ultrasonic sensor: a trigger pulse of 10 µs or more starts a ping; the echo pulse's
// length is the way of the sound there and back.
//
//   trigger ─┐‾‾‾‾└──────────────────────────────
//   echo    ────────── 450 µs ──┐‾‾‾ 58.2 µs per cm ‾‾‾└────      nothing in range: 38 ms
//
// Sources: the sensor's data sheet (trigger 10 µs, 2 cm to 4 m, µs/58 = cm, 60 ms cycle); 450 µs
// and 38 ms as measured on common modules.

#include <algorithm>

#include "simulation/parts/part.h"
#include "simulation/parts/profile.h"
#include "simulation/parts/vehicle.h"

namespace hocket::sim {
namespace {

constexpr Nanos kShortestTrigger = 10'000;
constexpr Nanos kPingDelay = 450'000;
constexpr Nanos kNoEcho = 38'000'000;
constexpr int64_t kNearest = 20'000'000;  // 2 cm
/// 58.2 µs a centimetre, both ways: sound at 343.6 m/s, air at about 20 °C.
constexpr Nanos echo_length(int64_t nanometres) {
  return static_cast<Nanos>(nanometres) * 582 / 100'000;
}
/// Nanometres as centimetres with two decimals.
constexpr int64_t centi(int64_t nanometres) {
  return nanometres / 100'000;
}

class Hcsr04 final : public Part {
 public:
  Hcsr04(Workbench& bench, Section& section)
      : Part(bench, section),
        echo_(claim(section, section.pin("echo"), "echo")),
        noise_(section.number_or("noise", 0, 0, 1'000'000'000)),
        range_(section.number_or("range", 4'000'000'000, kNearest, 6'000'000'000)),
        cycle_(section.time_or("cycle", 60'000'000)),
        random_(bench.seed, section.name()),
        wave_(bench.waves.real(section.name(), "distance_cm", 2, 0, 2)) {
    listen(section.pin("trigger"), 1, "trigger");
    if (section.has("vehicle") == section.has("distance"))
      section.fail("needs either distance or vehicle");
    if (section.has("vehicle"))
      vehicle_name_ = section.word("vehicle");
    else
      distance_.emplace(section.list("distance"), 0, kLongestLength, kHighestSpeed);
  }

  void link() override {
    if (vehicle_name_.empty()) return;
    const auto found = bench_.parts.find(vehicle_name_);
    vehicle_ = found == bench_.parts.end() ? nullptr : dynamic_cast<Vehicle*>(found->second);
    if (vehicle_ == nullptr)
      fail("sees the vehicle " + vehicle_name_ + ", which is no part of type motors");
  }

  void start() override { bench_.pins.drive(0, echo_, Drive::Low); }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (high) {
      trigger_rose_ = now;
    } else if (now - trigger_rose_ < kShortestTrigger) {
      ++short_triggers_;
    } else if (state_ != State::Idle) {
      ++ignored_triggers_;
    } else {
      if (pings_ > 0 && now - pinged_ < cycle_) ++early_triggers_;
      ++pings_;
      pinged_ = now;
      state_ = State::Listening;
      bench_.events.schedule(now + kPingDelay, *this);
    }
  }

  void due(Nanos now, uint64_t) override {
    if (state_ == State::Listening) {
      state_ = State::Echo;
      bench_.events.schedule(now + measure(now), *this);
      bench_.pins.drive(now, echo_, Drive::High);
    } else {
      state_ = State::Idle;
      bench_.pins.drive(now, echo_, Drive::Low);
    }
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("pings", pings_);
    facts.count("echoes", echoes_);
    facts.count("no_echoes", no_echoes_);
    facts.count("early_triggers", early_triggers_);
    facts.count("ignored_triggers", ignored_triggers_);
    facts.count("short_triggers", short_triggers_);
    facts.fixed("last_distance_cm", last_, 2);
    facts.fixed("min_distance_cm", least_, 2);
    facts.fixed("max_distance_cm", greatest_, 2);
  }
  void live(Facts& facts, Nanos, Nanos) const override { facts.fixed("distance_cm", last_, 2); }

 private:
  /// The distance in front. On a vehicle the vehicle's obstacle sets it, so there is no control.
  std::vector<Control> controls() const override {
    if (!distance_) return {};
    const int64_t now = distance_->at(bench_.events.now());
    return {number("distance_cm", "cm", 0, range_ / kMillionthCm * 5 / 4, now / kMillionthCm)};
  }
  void turned(Nanos now, size_t, int64_t value) override {
    distance_->hold(now, value * kMillionthCm);
  }
  static constexpr int64_t kMillionthCm = 10;  // nm

  enum class State : uint8_t { Idle, Listening, Echo };

  /// The length of the echo pulse for the present distance.
  Nanos measure(Nanos now) {
    const std::optional<int64_t> distance =
        vehicle_ ? vehicle_->distance_ahead(now) : distance_->at(now);
    if (!distance || *distance > range_) {
      ++no_echoes_;
      return kNoEcho;
    }
    const auto noise =
        static_cast<int64_t>(random_.between(0, 2 * static_cast<uint64_t>(noise_))) - noise_;
    const int64_t heard = std::max(kNearest, *distance + noise);
    ++echoes_;
    last_ = centi(heard);
    least_ = std::min(least_.value_or(*last_), *last_);
    greatest_ = std::max(greatest_.value_or(*last_), *last_);
    bench_.waves.set(now, wave_, *last_);
    return echo_length(heard);
  }

  Pins::Driver echo_;
  int64_t noise_, range_;
  Nanos cycle_;
  Random random_;
  Waves::Signal wave_;
  std::optional<Profile> distance_;
  std::string vehicle_name_;
  Vehicle* vehicle_ = nullptr;
  State state_ = State::Idle;
  Nanos trigger_rose_ = 0, pinged_ = 0;
  uint64_t pings_ = 0, echoes_ = 0, no_echoes_ = 0;
  uint64_t early_triggers_ = 0, ignored_triggers_ = 0, short_triggers_ = 0;
  std::optional<int64_t> last_, least_, greatest_;
};

}  // namespace

std::unique_ptr<Part> make_hcsr04(Workbench& bench, Section& section) {
  return std::make_unique<Hcsr04>(bench, section);
}

}  // namespace hocket::sim
