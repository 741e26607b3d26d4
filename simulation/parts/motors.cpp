// A pair of motors under a vehicle that drives towards an obstacle.
//
// Each side: an H-bridge with two inputs and an optional speed (enable) input. One input high: full
// speed in that direction; both or none: the side stops. A side's speed v follows the asked speed u
// with one time constant τ:
//   v(t) = u + (v0 - u)·e^(-t/τ),  way = u·t + (v0 - u)·τ·(1 - e^(-t/τ));  τ = 0: v = u at once
// The vehicle is a point with a heading: way = mean of both sides, turn = difference / track
// (differential drive). The obstacle is a wall across the x axis (the direction of travel at the
// start), of a width or endless; it may move, or appear ahead of the vehicle. Motion is computed
// from event to event, in steps of at most 1 ms, with the closed form above, so PWM edges and
// reversals count at their exact instants.
//
//         y │        ┃ obstacle
//   vehicle ●────────┃───────── x     outputs: distance ahead for a sensor, facts for the report

#include <algorithm>
#include <array>
#include <cmath>

#include "simulation/parts/exact_math.h"
#include "simulation/parts/part.h"
#include "simulation/parts/profile.h"
#include "simulation/parts/vehicle.h"

namespace hocket::sim {
namespace {

using exact::metres;
using exact::rounded;

constexpr Nanos kTravelStep = 1'000'000;
constexpr unsigned kStepsPerWave = 10;
/// Sound that hits the wall at more than 60° from the perpendicular is not reflected back.
constexpr double kLeastCosine = 0.5;
/// Below this speed (1 µm/s) the vehicle stands.
constexpr double kStanding = 1e-6;

int64_t centi_cm(double value) {
  return rounded(value * 1e4);
}

class Motors final : public Part, public Vehicle {
 public:
  Motors(Workbench& bench, Section& section);

  void start() override;
  void level_changed(Nanos now, unsigned terminal, bool high) override;
  void written(Nanos now, unsigned terminal) override;
  void due(Nanos now, uint64_t token) override;
  void ended(Nanos now) override { advance(now); }
  void facts(Facts& facts, Nanos now) const override;
  std::optional<int64_t> distance_ahead(Nanos now) override;
  void live(Facts& facts, Nanos now, Nanos since) const override;

 private:
  std::vector<Control> controls() const override;
  void turned(Nanos now, size_t control, int64_t value) override;
  enum Input : unsigned { kForward, kBackward, kEnable, kInputs };
  enum Token : uint64_t { kTick, kAppear };
  struct Side {
    std::array<bool, kInputs> in{};
    int direction = 0;  // asked: -1, 0, 1; the enable input not counted
    double speed = 0;
  };

  void connect(Section& section, const std::string& group, unsigned side);
  void appear(Nanos now);
  void advance(Nanos now);
  void step(Nanos end);
  double asked(const Side& side) const;
  double run(Side& side, double seconds) const;
  bool moves() const;
  bool obstacle_exists() const { return obstacle_.has_value() || appeared_.has_value(); }
  double wall(Nanos now) const { return appeared_ ? wall_ : metres(obstacle_->at(now)); }
  bool in_the_way(double y) const { return !half_width_ || std::fabs(y) <= *half_width_; }
  void note_gap(double gap);
  void keep_ticking();
  void show(Nanos now);

  std::array<Side, 2> sides_;
  double full_speed_, time_constant_, track_;  // m/s, s, m
  std::optional<Profile> obstacle_;
  std::optional<double> half_width_;
  Nanos appears_at_ = kNever;
  double appears_ahead_ = 0;
  std::optional<Nanos> appeared_;
  double wall_ = 0;

  Nanos at_ = 0;  // instant of the state below
  double x_ = 0, y_ = 0, heading_ = 0, driven_ = 0;
  std::optional<double> least_gap_;
  std::optional<Nanos> collided_, reaction_;
  double impact_speed_ = 0;
  bool ticking_ = false;

  Nanos update_gap_;
  std::optional<Nanos> first_update_, last_update_, last_write_;
  uint64_t updates_ = 0, direction_changes_ = 0;
  Spans update_intervals_;
  Waves::Signal wave_distance_, wave_speed_, wave_heading_;
};

Motors::Motors(Workbench& bench, Section& section)
    : Part(bench, section),
      full_speed_(metres(section.number("speed", 0, kHighestSpeed))),
      time_constant_(static_cast<double>(section.time_or("time_constant", 100'000'000)) * 1e-9),
      track_(metres(section.number_or("track", 150'000'000, 1'000'000, kLongestLength))),
      update_gap_(section.time_or("update_gap", 10'000'000)),
      wave_distance_(bench.waves.real(section.name(), "distance_cm", 10, 0, 2)),
      wave_speed_(bench.waves.real(section.name(), "speed_cm_s", 11, 0, 2)),
      wave_heading_(bench.waves.real(section.name(), "heading_deg", 12, 0, 2)) {
  connect(section, "left", 0);
  connect(section, "right", 1);
  const bool appears = section.has("appears.at") || section.has("appears.ahead");
  if (appears && section.has("obstacle")) section.fail("has both obstacle and appears");
  if (section.has("obstacle"))
    obstacle_.emplace(section.list("obstacle"), -kLongestLength, kLongestLength, kHighestSpeed);
  if (appears) {
    appears_at_ = static_cast<Nanos>(section.number("appears.at", 0, kLongestTime));
    appears_ahead_ = metres(section.number("appears.ahead", 0, kLongestLength));
  }
  if (section.has("obstacle_width")) {
    if (!appears && !obstacle_) section.fail("has an obstacle_width without an obstacle");
    half_width_ = metres(section.number("obstacle_width", 1, kLongestLength)) / 2;
  }
}

void Motors::connect(Section& section, const std::string& group, unsigned side) {
  const unsigned base = side * kInputs;
  listen(section.pin(group + ".forward"), base + kForward, group + "_forward");
  listen(section.pin(group + ".backward"), base + kBackward, group + "_backward");
  if (section.has(group + ".speed"))
    listen(section.pin(group + ".speed", PinUse::Pwm), base + kEnable, group + "_speed");
  else
    sides_[side].in[kEnable] = true;
}

void Motors::start() {
  if (appears_at_ != kNever) bench_.events.schedule(appears_at_, *this, kAppear);
  if (obstacle_) note_gap(wall(0) - x_);
  keep_ticking();
  show(0);
}

void Motors::level_changed(Nanos now, unsigned terminal, bool high) {
  advance(now);
  Side& side = sides_[terminal / kInputs];
  side.in[terminal % kInputs] = high;
  const int direction = int{side.in[kForward]} - int{side.in[kBackward]};
  if (direction != side.direction) {
    side.direction = direction;
    ++direction_changes_;
    if (appeared_ && !reaction_) reaction_ = now - *appeared_;
  }
  keep_ticking();
}

/// Writes that follow one another within the update gap are one update (a drive() that sets several
/// pins).
void Motors::written(Nanos now, unsigned) {
  const bool same = last_write_ && now - *last_write_ < update_gap_;
  last_write_ = now;
  if (same) return;
  if (last_update_) update_intervals_.add(now - *last_update_);
  if (!first_update_) first_update_ = now;
  last_update_ = now;
  ++updates_;
}

void Motors::due(Nanos now, uint64_t token) {
  advance(now);
  if (token == kAppear) return appear(now);
  ticking_ = false;
  keep_ticking();
  if (now / kTravelStep % kStepsPerWave == 0 || !ticking_) show(now);
}

void Motors::appear(Nanos now) {
  appeared_ = now;
  wall_ = x_ + appears_ahead_;
  if (in_the_way(y_)) note_gap(appears_ahead_);
  show(now);
  keep_ticking();
}

double Motors::asked(const Side& side) const {
  return side.in[kEnable] ? full_speed_ * side.direction : 0.0;
}

/// Advances one side's speed by `seconds`; returns the distance covered.
double Motors::run(Side& side, double seconds) const {
  const double target = asked(side);
  if (time_constant_ == 0) {
    side.speed = target;
    return target * seconds;
  }
  const double left = exact::decay(seconds / time_constant_);
  const double excess = side.speed - target;
  side.speed = target + excess * left;
  if (target == 0 && std::fabs(side.speed) < kStanding) side.speed = 0;
  return target * seconds + excess * time_constant_ * (1.0 - left);
}

bool Motors::moves() const {
  return std::any_of(sides_.begin(), sides_.end(),
                     [this](const Side& side) { return side.speed != 0 || asked(side) != 0; });
}

void Motors::advance(Nanos now) {
  if (now <= at_) return;
  if (!moves() && (!obstacle_ || at_ >= obstacle_->settled())) {
    at_ = now;
    return;
  }
  while (at_ < now) step(std::min(now, (at_ / kTravelStep + 1) * kTravelStep));
}

void Motors::step(Nanos end) {
  const double seconds = static_cast<double>(end - at_) * 1e-9;
  const double left = run(sides_[0], seconds), right = run(sides_[1], seconds);
  const double way = (left + right) / 2, turn = (right - left) / track_;
  const double middle = heading_ + turn / 2;
  const double x = x_ + way * exact::cosine(middle), y = y_ + way * exact::sine(middle);
  heading_ += turn;
  double share = 1;  // of the step until it hits the wall
  if (obstacle_exists()) {
    const double before = wall(at_) - x_, after = wall(end) - x;
    const bool hit = before >= 0 && after <= 0 && before > after && in_the_way(y);
    share = hit ? before / (before - after) : 1;
    if (hit && !collided_) {
      collided_ = at_ + static_cast<Nanos>(rounded(share * static_cast<double>(end - at_)));
      impact_speed_ = (before - after) / seconds;
    }
    if (in_the_way(y) && (hit || after >= 0)) note_gap(hit ? 0 : after);
    x_ = hit ? wall(end) : x;
    if (hit)
      for (Side& side : sides_) side.speed = 0;
  } else {
    x_ = x;
  }
  y_ = y_ + (y - y_) * share;
  driven_ += std::fabs(way) * share;
  at_ = end;
}

void Motors::note_gap(double gap) {
  least_gap_ = std::min(least_gap_.value_or(gap), gap);
}

void Motors::keep_ticking() {
  if (ticking_ || (!moves() && (!obstacle_ || at_ >= obstacle_->settled()))) return;
  ticking_ = true;
  bench_.events.schedule((at_ / kTravelStep + 1) * kTravelStep, *this, kTick);
}

void Motors::show(Nanos now) {
  if (obstacle_exists()) bench_.waves.set(now, wave_distance_, centi_cm(wall(now) - x_));
  bench_.waves.set(now, wave_speed_, centi_cm((sides_[0].speed + sides_[1].speed) / 2));
  bench_.waves.set(now, wave_heading_, rounded(heading_ * 18000 / 3.14159265358979323846));
}

/// The last computed state, at most one step old while it moves.
void Motors::live(Facts& facts, Nanos, Nanos) const {
  facts.fixed("left_cm_s", centi_cm(sides_[0].speed), 2);
  facts.fixed("right_cm_s", centi_cm(sides_[1].speed), 2);
  facts.fixed("x_cm", centi_cm(x_), 2);
  facts.fixed("y_cm", centi_cm(y_), 2);
  facts.fixed("heading_deg", rounded(heading_ * 18000 / 3.14159265358979323846), 2);
  facts.fixed("obstacle_cm",
              obstacle_exists() ? std::optional(centi_cm(wall(at_) - x_)) : std::nullopt, 2);
  facts.flag("collided", collided_.has_value());
}

/// The obstacle's distance from the vehicle, in the direction of the start.
std::vector<Control> Motors::controls() const {
  constexpr int64_t kFarthest = 1'000;  // cm
  const double ahead = obstacle_exists() ? wall(at_) - x_ : kFarthest * 1e-2;
  const int64_t now = std::clamp<int64_t>(rounded(ahead * 1e8), 0, kFarthest * kMillion);
  return {number("obstacle_cm", "cm", 0, kFarthest * kMillion, now)};
}

void Motors::turned(Nanos now, size_t, int64_t value) {
  advance(now);
  obstacle_.reset();
  appeared_ = now;
  wall_ = x_ + static_cast<double>(value) * 1e-8;
  if (in_the_way(y_)) note_gap(wall_ - x_);
  show(now);
  keep_ticking();
}

std::optional<int64_t> Motors::distance_ahead(Nanos now) {
  advance(now);
  if (!obstacle_exists()) return std::nullopt;
  const double gap = wall(now) - x_, cosine = exact::cosine(heading_);
  if (gap < 0 || cosine < kLeastCosine) return std::nullopt;
  const double ahead = gap / cosine;
  if (ahead > metres(kLongestLength)) return std::nullopt;
  if (!in_the_way(y_ + ahead * exact::sine(heading_))) return std::nullopt;
  return rounded(ahead * 1e9);
}

void Motors::facts(Facts& facts, Nanos) const {
  facts.fixed("min_distance_cm", least_gap_ ? std::optional(centi_cm(*least_gap_)) : std::nullopt,
              2);
  facts.flag("collided", collided_.has_value());
  facts.micros("collided_at_us", collided_);
  facts.fixed("impact_speed_cm_s",
              collided_ ? std::optional(centi_cm(impact_speed_)) : std::nullopt, 2);
  facts.fixed("driven_cm", centi_cm(driven_), 2);
  facts.fixed("x_cm", centi_cm(x_), 2);
  facts.fixed("y_cm", centi_cm(y_), 2);
  facts.fixed("heading_deg", rounded(heading_ * 18000 / 3.14159265358979323846), 2);
  facts.micros("obstacle_appeared_at_us", appeared_);
  facts.micros("reaction_us", reaction_);
  facts.count("updates", updates_);
  facts.count("direction_changes", direction_changes_);
  facts.micros("first_update_us", first_update_);
  facts.micros("last_update_us", last_update_);
  update_intervals_.facts(facts, "update_interval");
}

}  // namespace

std::unique_ptr<Part> make_motors(Workbench& bench, Section& section) {
  return std::make_unique<Motors>(bench, section);
}

}  // namespace hocket::sim
