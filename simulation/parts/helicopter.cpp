// A small helicopter in hover, with the unit that moves its servos, on a serial port.
//
// The rotor makes it unstable: it tilts away from where the air comes from, so a drift grows into a
// swing, and the swing doubles within a second. The board must correct it many times a second.
//
//   p' = -D·p - M·v + B·δ      roll; v the speed through the air to the right     φ' = p
//   q' = -D·q + M·u + B·δ      pitch; u the speed through the air ahead           θ' = q
//   r' = -Dr·r - W·v + Br·δ - T·collective                                        ψ' = r
//   u' = -g·sin θ - X·u        v' = g·sin φ - X·v       w' = Bw·collective - Xw·w - g·(1 - cos φ·cos θ)
//   δ follows the board's commands with the lag of servos and rotor
//
// (The usual model of a hover, linear but for the tilt of the thrust; the figures are those of a
// helicopter of some kilogrammes.) Gusts: the wind of each direction is noise through a lag of one
// second. Motion is computed from event to event in steps of at most 1 ms, wind in steps of 10 ms.
//
//   control packet  (board → helicopter)   number, number of the attitude it is made from, roll,
//                                          pitch, yaw, collective: 1/10000 of full deflection
//   feedback        (helicopter → board)   number of the control packet, where the servos are
//
// Upset: roll or pitch has reached 60°, or the helicopter has hit the ground. Then it stays where
// it is, and nothing is counted.

#include <algorithm>
#include <array>
#include <cmath>

#include "simulation/parts/aircraft.h"
#include "simulation/parts/exact_math.h"
#include "simulation/parts/packets.h"
#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

using exact::metres;
using exact::rounded;

constexpr Nanos kStep = 1'000'000, kWindStep = 10'000'000;
constexpr double kGravity = 9.81, kDegree = 3.14159265358979323846 / 180;
constexpr double kUpset = 60 * kDegree;
/// Of roll and pitch: damping, 1/s; tilt by the air's speed, rad/(m·s); full deflection, rad/s².
constexpr double kDamping = 1, kSpeedTilt = 1, kCyclic = 15;
/// Of yaw: damping, by the wind from the side, full deflection, and the main rotor's torque.
constexpr double kYawDamping = 1, kWeathercock = 0.2, kTail = 8, kTorque = 2;
/// Drag, 1/s, of the level and the vertical way; full collective, m/s².
constexpr double kDrag = 0.1, kRotorDrag = 0.8, kCollective = 10;
constexpr double kLag = 0.04;  // of servos and rotor, s
constexpr double kGustLag = 1, kVerticalGusts = 0.5;
constexpr double kFullDeflection = 10'000;  // in a packet
constexpr size_t kControlLength = 12, kSampleMemory = 256;

double seconds(Nanos span) {
  return static_cast<double>(span) * 1e-9;
}

class Helicopter final : public Part, public Aircraft, private SerialListener {
 public:
  Helicopter(Workbench& bench, Section& section)
      : Part(bench, section),
        port_(port(section)),
        sender_(section, port_, bench.seed),
        gusts_(metres(section.number_or("gusts", 0, 0, kStrongestGusts))),
        late_after_(section.time_or("late_after", 30'000'000)),
        random_(bench.seed, section.name()),
        wave_roll_(bench.waves.real(section.name(), "roll_deg", 1, 0, 2)),
        wave_pitch_(bench.waves.real(section.name(), "pitch_deg", 2, 0, 2)),
        wave_height_(bench.waves.real(section.name(), "height_m", 3, 0, 2)) {
    motion_.place[2] = metres(section.number_or("height", 20'000'000'000, 1'000'000, kHighest));
    motion_.specific[2] = kGravity;
    port_.connect(*this);
  }

  void start() override {
    if (bench_.waves.on()) bench_.events.schedule(0, *this);
  }
  /// Only updates the wave file.
  void due(Nanos now, uint64_t) override {
    advance(now);
    bench_.waves.set(now, wave_roll_, rounded(motion_.roll / kDegree * 100));
    bench_.waves.set(now, wave_pitch_, rounded(motion_.pitch / kDegree * 100));
    bench_.waves.set(now, wave_height_, rounded(motion_.place[2] * 100));
    bench_.events.schedule(now + kWindStep, *this);
  }

  const Motion& motion(Nanos now) override {
    advance(now);
    return motion_;
  }
  void attitude_told(Nanos now, uint16_t number) override {
    samples_[number % kSampleMemory] = {now, number};
  }

  void ended(Nanos now) override { advance(now); }
  void facts(Facts& facts, Nanos now) const override;

 private:
  static constexpr int64_t kStrongestGusts = 100'000'000'000;  // nm/s: 100 m/s
  static constexpr int64_t kHighest = 10'000'000'000'000;      // nm: 10 km
  struct Sample {
    Nanos at = kNever;
    uint16_t number = 0;
  };

  void port_sent(Nanos now, uint8_t byte) override {
    if (const auto payload = reader_.take(byte)) controlled(now, *payload);
  }
  bool may_answer() const override { return true; }
  Nanos sends_at() const override { return kNever; }

  void controlled(Nanos now, const std::string& payload);
  void count_control(Nanos now, const std::string& payload);
  void advance(Nanos now);
  void blow();
  void step(double dt);
  void turn(double dt, double ahead, double aside);
  void note_tilt(double dt);

  SerialPort& port_;
  PacketSender sender_;
  PacketReader reader_{PacketType::Control, kControlLength};
  double gusts_;  // root mean square, m/s
  Nanos late_after_;
  Random random_;

  Nanos at_ = 0, winds_at_ = 0;  // instant of the state below; of the next change of the wind
  Motion motion_;
  std::array<double, 3> wind_{};              // north, east, up
  std::array<double, 4> asked_{}, servos_{};  // roll, pitch, yaw, collective: -1 … 1

  std::optional<Nanos> upset_at_;
  bool fell_ = false;
  double tilt_squares_ = 0, most_tilt_ = 0, flown_ = 0;

  std::array<Sample, kSampleMemory> samples_{};
  std::optional<Nanos> last_control_;
  uint16_t last_number_ = 0;
  uint64_t controls_ = 0, missing_controls_ = 0, late_controls_ = 0;
  Spans intervals_, ages_;
  Nanos longest_without_ = 0;
  Waves::Signal wave_roll_, wave_pitch_, wave_height_;
};

void Helicopter::controlled(Nanos now, const std::string& payload) {
  advance(now);
  count_control(now, payload);
  Payload feedback;
  feedback.u16(payload_u16(payload, 0));
  for (size_t i = 0; i < asked_.size(); ++i) {
    asked_[i] = std::clamp(payload_i16(payload, 4 + 2 * i) / kFullDeflection, -1.0, 1.0);
    feedback.i16(servos_[i] * kFullDeflection);
  }
  sender_.send(now, PacketType::Feedback, feedback);
}

void Helicopter::count_control(Nanos now, const std::string& payload) {
  const uint16_t number = payload_u16(payload, 0), from = payload_u16(payload, 2);
  ++controls_;
  if (last_control_) {
    missing_controls_ += static_cast<uint16_t>(number - last_number_ - 1);
    const Nanos interval = now - *last_control_;
    if (!upset_at_) {
      intervals_.add(interval);
      if (interval > late_after_) ++late_controls_;
      longest_without_ = std::max(longest_without_, interval);
    }
  }
  last_number_ = number;
  last_control_ = now;
  const Sample& sample = samples_[from % kSampleMemory];
  if (!upset_at_ && sample.at != kNever && sample.number == from) ages_.add(now - sample.at);
}

void Helicopter::advance(Nanos now) {
  while (at_ < now && !upset_at_) {
    if (at_ >= winds_at_) blow();
    const Nanos end = std::min(now, (at_ / kStep + 1) * kStep);
    step(seconds(end - at_));
    at_ = end;
    const bool down = motion_.place[2] <= 0;
    if (std::fabs(motion_.roll) < kUpset && std::fabs(motion_.pitch) < kUpset && !down) continue;
    upset_at_ = at_;
    fell_ = down;
    motion_.rates = motion_.speed = {};
  }
  at_ = std::max(at_, now);
}

/// The next wind: the lag's share of the last one, and as much noise as keeps its mean square.
void Helicopter::blow() {
  winds_at_ += kWindStep;
  if (gusts_ == 0) return;
  const double left = exact::decay(seconds(kWindStep) / kGustLag);
  const double fresh = std::sqrt(1 - left * left);
  for (size_t i = 0; i < wind_.size(); ++i) {
    // The sum of four even numbers: near enough to a normal one, of variance 1.
    double noise = -2;
    for (int n = 0; n < 4; ++n) noise += static_cast<double>(random_.next() >> 11) * 0x1p-53;
    const double strength = gusts_ * (i == 2 ? kVerticalGusts : 1);
    wind_[i] = wind_[i] * left + fresh * strength * noise * std::sqrt(3.0);
  }
}

void Helicopter::step(double dt) {
  const double lag_left = exact::decay(dt / kLag);
  for (size_t i = 0; i < servos_.size(); ++i)
    servos_[i] = asked_[i] + (servos_[i] - asked_[i]) * lag_left;

  Motion& m = motion_;
  const double cosine = exact::cosine(m.yaw), sine = exact::sine(m.yaw);
  const double air_north = m.speed[0] - wind_[0], air_east = m.speed[1] - wind_[1];
  const double ahead = air_north * cosine + air_east * sine;
  const double aside = air_east * cosine - air_north * sine;
  const double drag_ahead = -kDrag * ahead, drag_aside = -kDrag * aside;
  const double lift = kGravity + kCollective * servos_[3] - kRotorDrag * (m.speed[2] - wind_[2]);
  const double push_ahead = drag_ahead - kGravity * exact::sine(m.pitch);
  const double push_aside = drag_aside + kGravity * exact::sine(m.roll);
  const std::array<double, 3> acceleration = {
      push_ahead * cosine - push_aside * sine, push_ahead * sine + push_aside * cosine,
      lift - kGravity * (2 - exact::cosine(m.roll) * exact::cosine(m.pitch))};
  m.specific = {drag_ahead, drag_aside, lift};
  turn(dt, ahead, aside);
  for (size_t i = 0; i < acceleration.size(); ++i) {
    m.speed[i] += acceleration[i] * dt;
    m.place[i] += m.speed[i] * dt;
  }
  note_tilt(dt);
}

void Helicopter::turn(double dt, double ahead, double aside) {
  Motion& m = motion_;
  auto& [roll, pitch, yaw] = m.rates;
  roll += dt * (-kDamping * roll - kSpeedTilt * aside + kCyclic * servos_[0]);
  pitch += dt * (-kDamping * pitch + kSpeedTilt * ahead + kCyclic * servos_[1]);
  yaw +=
      dt * (-kYawDamping * yaw - kWeathercock * aside + kTail * servos_[2] - kTorque * servos_[3]);
  m.roll += dt * roll;
  m.pitch += dt * pitch;
  m.yaw += dt * yaw;
}

/// How far the mast is from upright; for the small angles in which it flies, the root of the
/// squares.
void Helicopter::note_tilt(double dt) {
  const double square = motion_.roll * motion_.roll + motion_.pitch * motion_.pitch;
  tilt_squares_ += square * dt;
  flown_ += dt;
  most_tilt_ = std::max(most_tilt_, std::sqrt(square));
}

/// The last computed state: motion is only computed at events.
void Helicopter::facts(Facts& facts, Nanos) const {
  const auto centidegrees = [](double angle) { return rounded(angle / kDegree * 100); };
  facts.flag("upset", upset_at_.has_value());
  facts.micros("upset_at_us", upset_at_);
  facts.json("upset_because", !upset_at_ ? "null" : fell_ ? "\"ground\"" : "\"tilt\"");
  const double mean_square = flown_ > 0 ? tilt_squares_ / flown_ : 0;
  facts.fixed("tilt_rms_deg", centidegrees(std::sqrt(mean_square)), 2);
  facts.fixed("tilt_most_deg", centidegrees(most_tilt_), 2);
  facts.fixed("roll_deg", centidegrees(motion_.roll), 2);
  facts.fixed("pitch_deg", centidegrees(motion_.pitch), 2);
  facts.fixed("heading_deg", centidegrees(motion_.yaw), 2);
  facts.fixed("north_m", rounded(motion_.place[0] * 100), 2);
  facts.fixed("east_m", rounded(motion_.place[1] * 100), 2);
  facts.fixed("height_m", rounded(motion_.place[2] * 100), 2);
  facts.count("controls", controls_);
  facts.count("controls_missing", missing_controls_);
  facts.count("controls_refused", reader_.refused());
  facts.count("controls_late", late_controls_);
  Nanos longest = longest_without_;
  if (last_control_ && !upset_at_) longest = std::max(longest, at_ - *last_control_);
  facts.micros("longest_without_control_us", last_control_ ? std::optional(longest) : std::nullopt);
  intervals_.facts(facts, "control_interval");
  ages_.facts(facts, "attitude_age");
  sender_.facts(facts);
}

}  // namespace

std::unique_ptr<Part> make_helicopter(Workbench& bench, Section& section) {
  return std::make_unique<Helicopter>(bench, section);
}

}  // namespace hocket::sim
