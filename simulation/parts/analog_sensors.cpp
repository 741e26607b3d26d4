// Analog sensors: a quantity of the scenario becomes a voltage at an analog pin by the curve of the
// device. To add one: its curve, and its make_… function.
//
//   resistor   supply ── sensor ──┬── 10 kΩ ── ground     (wiring: supply; ground: the other way)
//                                pin
//
// Sources: GL5528 data sheet (10 to 20 kΩ at 10 lx, γ 0.7); TMP36 (Analog Devices, 500 mV + 10
// mV/°C); LM35 (TI SNIS159, 10 mV/°C from 2 °C on); NTC of 10 kΩ, B 3950; MQ-2 (Hanwei, figure 2:
// LPG); DFRobot SEN0193 (soil: 2.54 V in air, 1.27 V in water).

#include <algorithm>
#include <array>

#include "simulation/parts/part.h"
#include "simulation/parts/profile.h"

namespace hocket::sim {
namespace {

struct Point {
  int64_t at, is;
};

/// Interpolates linearly between the points, which are in ascending order. Constant before the
/// first and after the last one.
template <size_t N>
int64_t on_curve(const std::array<Point, N>& points, int64_t at) {
  if (at <= points.front().at) return points.front().is;
  for (size_t i = 1; i < N; ++i) {
    const Point &before = points[i - 1], &after = points[i];
    if (at <= after.at)
      return before.is + static_cast<int64_t>(static_cast<__int128>(after.is - before.is) *
                                              (at - before.at) / (after.at - before.at));
  }
  return points.back().is;
}

constexpr int64_t kResistor = 10'000;  // ohms, of the divider

/// The share of the supply at the lower one of two resistors.
int64_t divided(int64_t upper, int64_t lower) {
  return static_cast<int64_t>(static_cast<__int128>(pinout::kSupplyMicrovolts) * lower /
                              (upper + lower));
}

/// 15 kΩ · (lx / 10)^-0.7, at eight points a decade where it bends most.
int64_t light_ohms(int64_t millilux) {
  constexpr std::array<Point, 22> kCurve{{
      {100, 376'783},   {178, 251'821},    {316, 168'303},   {562, 112'484},   {1'000, 75'178},
      {1'778, 50'245},  {3'162, 33'581},   {5'623, 22'444},  {10'000, 15'000}, {17'783, 10'025},
      {31'623, 6'700},  {56'234, 4'478},   {100'000, 2'993}, {177'828, 2'000}, {316'228, 1'337},
      {562'341, 893},   {1'000'000, 597},  {1'778'279, 399}, {3'162'278, 267}, {10'000'000, 119},
      {31'622'777, 53}, {100'000'000, 24},
  }};
  return on_curve(kCurve, millilux);
}

/// 10 kΩ · e^(3950 (1/T - 1/298.15)), every 5 °C.
int64_t thermistor_ohms(int64_t millidegrees) {
  static constexpr std::array<Point, 34> kCurve = [] {
    constexpr std::array<int64_t, 34> kOhms{
        401'860, 281'577, 200'204, 144'317, 105'385, 77'898, 58'246, 44'026, 33'621,
        25'925,  20'175,  15'837,  12'535,  10'000,  8'037,  6'506,  5'301,  4'348,
        3'588,   2'978,   2'486,   2'086,   1'760,   1'492,  1'270,  1'087,  934,
        805,     698,     606,     529,     463,     407,    359};
    std::array<Point, 34> points{};
    for (size_t i = 0; i < points.size(); ++i)
      points[i] = {-40'000 + 5'000 * static_cast<int64_t>(i), kOhms[i]};
    return points;
  }();
  return on_curve(kCurve, millidegrees);
}

struct Kind {
  const char* key;  // of the scenario, and the beginning of the fact
  const char* fact;
  int64_t least, most;
  unsigned decimals;  // of the key's base unit
  const char* unit;
  int64_t scale;   // millionths of the unit in one base unit
  bool resistor;   // otherwise `curve` gives microvolts
  bool to_ground;  // where the sensor is in the divider, unless the scenario says otherwise
  int64_t (*curve)(int64_t value);  // ohms, or microvolts
};

class AnalogSensor final : public Part {
 public:
  AnalogSensor(Workbench& bench, Section& section, const Kind& kind)
      : Part(bench, section),
        kind_(kind),
        pin_(section.pin("pin", PinUse::Analog)),
        driver_(claim(section, pin_, "pin")),
        wave_(bench.waves.real(section.name(), "volts", 1, 0, 6)) {
    if (!section.has(kind.key)) section.fail(std::string("needs ") + kind.key);
    value_.emplace(section.list(kind.key), kind.least, kind.most, kHighestSpeed);
    to_ground_ = kind.to_ground;
    if (kind.resistor)
      to_ground_ = section.choice_or("wiring", kind.to_ground ? 0 : 1, {"ground", "supply"}) == 0;
    bench.pins.listen(pin_, *this, 0);
  }

  void start() override { due(0, 0); }
  void due(Nanos now, uint64_t) override {
    update(now);
    if (now < value_->settled()) bench_.events.schedule(now + kTick, *this);
  }
  void sampled(Nanos now, unsigned) override {
    update(now);
    ++samples_;
  }

  void facts(Facts& facts, Nanos end) const override {
    facts.fixed(kind_.fact, value_->at(end), kind_.decimals);
    facts.fixed("volts", microvolts(end), 6);
    facts.count("samples", samples_);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed(kind_.fact, value_->at(now), kind_.decimals);
    facts.fixed("volts", microvolts(now), 6);
  }

 private:
  static constexpr Nanos kTick = 1'000'000;  // as for a potentiometer

  std::vector<Control> controls() const override {
    return {number(kind_.fact, kind_.unit, kind_.least * kind_.scale, kind_.most * kind_.scale,
                   value_->at(bench_.events.now()) * kind_.scale)};
  }
  void turned(Nanos now, size_t, int64_t value) override {
    value_->hold(now, value / kind_.scale);
    update(now);
  }

  int64_t microvolts(Nanos now) const {
    const int64_t found = kind_.curve(value_->at(now));
    if (!kind_.resistor) return found;
    return to_ground_ ? divided(kResistor, found) : divided(found, kResistor);
  }
  void update(Nanos now) {
    const int64_t level = microvolts(now);
    bench_.pins.drive(now, driver_, Drive::Source, level);
    bench_.waves.set(now, wave_, level);
  }

  const Kind& kind_;
  unsigned pin_;
  Pins::Driver driver_;
  Waves::Signal wave_;
  bool to_ground_ = false;
  std::optional<Profile> value_;
  uint64_t samples_ = 0;
};

int64_t tmp36_microvolts(int64_t millidegrees) {
  return 500'000 + millidegrees * 10;
}
int64_t lm35_microvolts(int64_t millidegrees) {
  return std::max<int64_t>(millidegrees, 0) * 10;
}
/// 10 kΩ in 1000 ppm, 98 kΩ in clean air, over a load of 5 kΩ to ground.
int64_t gas_microvolts(int64_t ppm) {
  constexpr std::array<Point, 8> kOhms{{{0, 98'300},
                                        {200, 16'000},
                                        {500, 10'500},
                                        {1'000, 7'600},
                                        {2'000, 5'500},
                                        {5'000, 3'600},
                                        {8'000, 2'900},
                                        {10'000, 2'600}}};
  return divided(on_curve(kOhms, ppm), 5'000);
}
/// Capacitive: the wetter, the lower.
int64_t soil_microvolts(int64_t millionths) {
  return 2'540'000 - millionths * 127 / 100;
}

constexpr Kind kLdr{"light", "light_lx", 0, 100'000'000, 3, "lx", 1'000, true, false, light_ohms};
constexpr Kind kNtc{"temperature", "temperature_c", -40'000, 125'000, 3,
                    "°C",          1'000,           true,    true,    thermistor_ohms};
constexpr Kind kTmp36{"temperature", "temperature_c", -40'000, 125'000, 3,
                      "°C",          1'000,           false,   false,   tmp36_microvolts};
constexpr Kind kLm35{"temperature", "temperature_c", -55'000, 150'000, 3,
                     "°C",          1'000,           false,   false,   lm35_microvolts};
constexpr Kind kMq2{"gas", "gas_ppm", 0, 10'000, 0, "ppm", 1'000'000, false, false, gas_microvolts};
constexpr Kind kSoil{"moisture", "moisture_percent", 0, kMillion, 4, "%", 100, false,
                     false,      soil_microvolts};

}  // namespace

std::unique_ptr<Part> make_ldr(Workbench& bench, Section& section) {
  return std::make_unique<AnalogSensor>(bench, section, kLdr);
}
std::unique_ptr<Part> make_ntc(Workbench& bench, Section& section) {
  return std::make_unique<AnalogSensor>(bench, section, kNtc);
}
std::unique_ptr<Part> make_tmp36(Workbench& bench, Section& section) {
  return std::make_unique<AnalogSensor>(bench, section, kTmp36);
}
std::unique_ptr<Part> make_lm35(Workbench& bench, Section& section) {
  return std::make_unique<AnalogSensor>(bench, section, kLm35);
}
std::unique_ptr<Part> make_mq2(Workbench& bench, Section& section) {
  return std::make_unique<AnalogSensor>(bench, section, kMq2);
}
std::unique_ptr<Part> make_soil_sensor(Workbench& bench, Section& section) {
  return std::make_unique<AnalogSensor>(bench, section, kSoil);
}

}  // namespace hocket::sim
