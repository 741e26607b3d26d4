// A Bosch BME280: temperature, humidity and pressure of the air (data sheet BST-BME280-DS002).
//
// A driver reads calibration words and raw values, and computes the physical values by section
// 4.2.3. This part searches for the raw values for which those formulas give the scenario's values.

#include "simulation/parts/profile.h"
#include "simulation/parts/register_device.h"

namespace hocket::sim {
namespace {

// Calibration (table 16): the example of the BMP280's data sheet (BST-BMP280-DS001, 3.12), and
// ordinary words for humidity.
constexpr int64_t kT1 = 27504, kT2 = 26435, kT3 = -1000;
constexpr int64_t kP[] = {0, 36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000};
constexpr int64_t kH1 = 75, kH2 = 370, kH3 = 0, kH4 = 301, kH5 = 50, kH6 = 30;

/// The fine temperature t_fine, between the raw value and hundredths of a degree.
int64_t fine_temperature(int64_t raw) {
  const int64_t first = (((raw >> 3) - (kT1 << 1)) * kT2) >> 11;
  const int64_t away = (raw >> 4) - kT1;
  return first + ((((away * away) >> 12) * kT3) >> 14);
}
int64_t centidegrees(int64_t fine) {
  return (fine * 5 + 128) >> 8;
}
/// 256ths of a pascal.
int64_t pressure(int64_t raw, int64_t fine) {
  const int64_t t = fine - 128000;
  int64_t offset = t * t * kP[6];
  offset += (t * kP[5]) * 131072;
  offset += kP[4] * (int64_t{1} << 35);
  int64_t scale = ((t * t * kP[3]) >> 8) + t * kP[2] * 4096;
  scale = (((int64_t{1} << 47) + scale) * kP[1]) >> 33;
  int64_t p = ((((1048576 - raw) << 31) - offset) * 3125) / scale;
  const int64_t square = (kP[9] * (p >> 13) * (p >> 13)) >> 25;
  const int64_t linear = (kP[8] * p) >> 19;
  p = ((p + square + linear) >> 8) + kP[7] * 16;
  return p;
}
/// 1024ths of a percent.
int64_t humidity(int64_t raw, int64_t fine) {
  const int64_t t = fine - 76800;
  const int64_t linear = ((raw << 14) - (kH4 << 20) - kH5 * t + 16384) >> 15;
  const int64_t slope = (((((t * kH6) >> 10) * (((t * kH3) >> 11) + 32768)) >> 10) + 2097152) * kH2;
  int64_t h = linear * ((slope + 8192) >> 14);
  h -= ((((h >> 15) * (h >> 15)) >> 7) * kH1) >> 4;
  return std::clamp<int64_t>(h, 0, 419430400) >> 12;
}

/// The raw value below `end` whose physical value is nearest; `rises`: with the raw value.
template <class Formula>
uint32_t raw_of(int64_t wanted, int64_t end, bool rises, Formula formula) {
  int64_t low = 0, high = end - 1;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (rises ? formula(middle) < wanted : formula(middle) > wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const auto error = [&](int64_t raw) { return std::abs(formula(raw) - wanted); };
  return static_cast<uint32_t>(low > 0 && error(low - 1) < error(low) ? low - 1 : low);
}

class Bme280 final : public RegisterDevice {
 public:
  Bme280(Workbench& bench, Section& section)
      : RegisterDevice(bench, section, 0x76),
        temperature_(section.list("temperature"), -40'000, 85'000, 0),
        humidity_(section.list("humidity"), 0, kMillion, 0),
        pressure_(section.list("pressure"), 30'000'000, 110'000'000, 0) {}

  void facts(Facts& facts, Nanos end) const override {
    RegisterDevice::facts(facts, end);
    facts.count("measurements", measurements_);
    facts.fixed("temperature_c", temperature_.at(end), 3);
    facts.fixed("humidity_percent", humidity_.at(end), 4);
    facts.fixed("pressure_pa", pressure_.at(end), 3);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed("temperature_c", temperature_.at(now), 3);
    facts.fixed("humidity_percent", humidity_.at(now), 4);
    facts.fixed("pressure_hpa", pressure_.at(now), 5);
  }

 private:
  std::vector<Control> controls() const override {
    const Nanos now = bench_.events.now();
    return {
        number("temperature_c", "°C", -40 * kMillion, 85 * kMillion, temperature_.at(now) * 1000),
        number("humidity_percent", "%", 0, 100 * kMillion, humidity_.at(now) * 100),
        number("pressure_hpa", "hPa", 300 * kMillion, 1100 * kMillion, pressure_.at(now) * 10)};
  }
  void turned(Nanos now, size_t control, int64_t value) override {
    if (control == 0)
      temperature_.hold(now, value / 1000);
    else if (control == 1)
      humidity_.hold(now, value / 100);
    else
      pressure_.hold(now, value / 10);
  }

  // Registers (table 18).
  static constexpr uint8_t kId = 0xd0, kReset = 0xe0, kCtrlHum = 0xf2, kStatus = 0xf3,
                           kCtrlMeas = 0xf4, kConfig = 0xf5, kData = 0xf7;
  static constexpr uint8_t kChip = 0x60, kResetWord = 0xb6, kMeasuring = 1 << 3;
  static constexpr uint32_t kNotMeasured = 0x80000, kNoHumidity = 0x8000;

  /// Oversampling of a quantity; 0: it is not measured.
  bool measures_temperature() const { return (control_ >> 5) != 0; }
  bool measures_pressure() const { return ((control_ >> 2) & 7) != 0; }
  unsigned mode() const { return control_ & 3; }
  static Nanos samples(unsigned setting) {
    return setting == 0 ? 0 : Nanos{1} << std::min(setting - 1, 4u);
  }
  /// The typical time (section 9.1).
  Nanos measuring_time() const {
    constexpr Nanos kBegin = 1'000'000, kSample = 2'000'000, kFilter = 500'000;
    const Nanos temperature = samples(control_ >> 5), pressure = samples((control_ >> 2) & 7),
                humidity = samples(humidity_in_force_ & 7);
    return kBegin + kSample * (temperature + pressure + humidity) +
           kFilter * ((pressure > 0) + (humidity > 0));
  }

  void measure(Nanos now) {
    ++measurements_;
    const uint32_t t = raw_of(temperature_.at(now) / 10, 1 << 20, true,
                              [](int64_t raw) { return centidegrees(fine_temperature(raw)); });
    const int64_t fine = fine_temperature(t);
    raw_temperature_ = measures_temperature() ? t : kNotMeasured;
    raw_pressure_ = measures_pressure() ? raw_of(pressure_.at(now) * 256 / 1000, 1 << 20, false,
                                                 [&](int64_t raw) { return pressure(raw, fine); })
                                        : kNotMeasured;
    raw_humidity_ = (humidity_in_force_ & 7) != 0
                        ? raw_of(humidity_.at(now) * 1024 / 10'000, 1 << 16, true,
                                 [&](int64_t raw) { return humidity(raw, fine); })
                        : kNoHumidity;
  }

  void latch(Nanos now) override {
    if (mode() == 3) measure(now);
  }

  void set(Nanos now, uint8_t number, uint8_t value) override {
    if (number == kReset && value == kResetWord) {
      control_ = control_humidity_ = humidity_in_force_ = config_ = 0;
      raw_temperature_ = raw_pressure_ = kNotMeasured;
      raw_humidity_ = kNoHumidity;
    } else if (number == kCtrlHum) {
      control_humidity_ = value;  // takes effect with the next write to the other (5.4.3)
    } else if (number == kConfig) {
      config_ = value;
    } else if (number == kCtrlMeas) {
      control_ = value;
      humidity_in_force_ = control_humidity_;
      if (mode() == 0) return;
      done_at_ = now + measuring_time();
      measure(now);
      if (mode() != 3) control_ &= static_cast<uint8_t>(~3);  // forced mode: sleeps afterwards
    }
  }

  uint8_t get(Nanos now, uint8_t number) override {
    if (number == kId) return kChip;
    if (number == kCtrlHum) return control_humidity_;
    if (number == kStatus) return now < done_at_ ? kMeasuring : 0;
    if (number == kCtrlMeas) return control_;
    if (number == kConfig) return config_;
    if (number >= kData) return data(number - kData);
    return calibration(number);
  }

  uint8_t data(unsigned place) const {
    const uint32_t values[] = {raw_pressure_, raw_temperature_};
    if (place < 6) return static_cast<uint8_t>(values[place / 3] << 4 >> (16 - 8 * (place % 3)));
    return static_cast<uint8_t>(place == 6 ? raw_humidity_ >> 8 : raw_humidity_);
  }

  static uint8_t calibration(uint8_t number) {
    const int64_t words[] = {kT1,   kT2,   kT3,   kP[1], kP[2], kP[3],
                             kP[4], kP[5], kP[6], kP[7], kP[8], kP[9]};
    const auto low = [](int64_t word) { return static_cast<uint8_t>(word); };
    if (number >= 0x88 && number < 0xa0) return low(words[(number - 0x88) / 2] >> 8 * (number % 2));
    switch (number) {
      case 0xa1:
        return low(kH1);
      case 0xe1:
        return low(kH2);
      case 0xe2:
        return low(kH2 >> 8);
      case 0xe3:
        return low(kH3);
      case 0xe4:
        return low(kH4 >> 4);
      case 0xe5:
        return low((kH4 & 15) | (kH5 & 15) << 4);
      case 0xe6:
        return low(kH5 >> 4);
      case 0xe7:
        return low(kH6);
      default:
        return 0;
    }
  }

  Profile temperature_, humidity_, pressure_;  // millidegrees, millionths, thousandths of a pascal
  uint8_t control_ = 0, control_humidity_ = 0, humidity_in_force_ = 0, config_ = 0;
  uint32_t raw_temperature_ = kNotMeasured, raw_pressure_ = kNotMeasured,
           raw_humidity_ = kNoHumidity;
  Nanos done_at_ = 0;
  uint64_t measurements_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_bme280(Workbench& bench, Section& section) {
  for (const char* key : {"temperature", "humidity", "pressure"})
    if (!section.has(key)) section.fail(std::string("needs ") + key);
  return std::make_unique<Bme280>(bench, section);
}

}  // namespace hocket::sim
