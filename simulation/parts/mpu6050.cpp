// An InvenSense MPU-6050: acceleration and rate of turn in three axes, and its own temperature
// (register map RM-MPU-6000A-00, revision 4.2).
//
// It starts asleep and measures nothing until it is woken (PWR_MGMT_1). Ranges take effect; filters
// and the FIFO are registers without effect.

#include "simulation/parts/profile.h"
#include "simulation/parts/register_device.h"

namespace hocket::sim {
namespace {

int16_t limited(int64_t value) {
  return static_cast<int16_t>(std::clamp<int64_t>(value, INT16_MIN, INT16_MAX));
}

class Mpu6050 final : public RegisterDevice {
  static constexpr uint8_t kGyroConfig = 0x1b, kAccelConfig = 0x1c, kIntStatus = 0x3a, kData = 0x3b,
                           kDataEnd = 0x49, kPower = 0x6b, kWhoAmI = 0x75;
  static constexpr uint8_t kAsleep = 1 << 6, kResets = 1 << 7;
  static constexpr int64_t kMicro = 1'000'000;

 public:
  Mpu6050(Workbench& bench, Section& section)
      : RegisterDevice(bench, section, 0x68),
        temperature_(profile(section, "temperature", 25'000, 85'000)) {
    for (const char* axis : {"x", "y", "z"}) {
      // At rest, lying flat.
      const int64_t usual = *axis == 'z' ? kMicro : 0;
      accelerations_.push_back(
          profile(section, std::string("acceleration.") + axis, usual, 16 * kMicro));
      rates_.push_back(profile(section, std::string("rate.") + axis, 0, 2000 * kMicro));
    }
    reset();
  }

  void live(Facts& facts, Nanos now, Nanos) const override {
    for (const Control& each : controls_at(now)) facts.fixed(each.name, each.value, 6);
  }

 private:
  std::vector<Control> controls() const override { return controls_at(bench_.events.now()); }
  std::vector<Control> controls_at(Nanos now) const {
    std::vector<Control> all;
    all.reserve(2 * 3 + 1);
    for (unsigned axis = 0; axis < 3; ++axis) {
      all.push_back(number(std::string("acceleration_") + kAxes[axis] + "_g", "g", -16 * kMicro,
                           16 * kMicro, accelerations_[axis].at(now)));
    }
    for (unsigned axis = 0; axis < 3; ++axis) {
      all.push_back(number(std::string("rate_") + kAxes[axis] + "_dps", "°/s", -2000 * kMicro,
                           2000 * kMicro, rates_[axis].at(now)));
    }
    all.push_back(
        number("temperature_c", "°C", -40 * kMicro, 85 * kMicro, temperature_.at(now) * 1000));
    return all;
  }
  void turned(Nanos now, size_t control, int64_t value) override {
    if (control < 3)
      accelerations_[control].hold(now, value);
    else if (control < 6)
      rates_[control - 3].hold(now, value);
    else
      temperature_.hold(now, value / 1000);
  }
  static constexpr const char* kAxes[] = {"x", "y", "z"};

  static Profile profile(Section& section, const std::string& key, int64_t usual, int64_t most) {
    std::vector<Item> items = section.list(key);
    if (items.empty()) items.emplace_back(section.line(), key, "at=0 is=" + std::to_string(usual));
    return Profile(items, -most, most, 0);
  }

  void reset() {
    std::fill(std::begin(registers_), std::end(registers_), uint8_t{0});
    registers_[kPower] = kAsleep;
    registers_[kWhoAmI] = 0x68;
  }

  void latch(Nanos now) override {
    if ((registers_[kPower] & kAsleep) != 0) return;
    // 16,384 for 1 g and 131 for 1 degree a second in the narrowest of four ranges.
    const unsigned narrow = registers_[kAccelConfig] >> 3 & 3,
                   slow = registers_[kGyroConfig] >> 3 & 3;
    int16_t values[7];
    for (unsigned axis = 0; axis < 3; ++axis) {
      values[axis] = limited(accelerations_[axis].at(now) * (16'384 >> narrow) / kMicro);
      values[4 + axis] = limited(rates_[axis].at(now) * 131 / (kMicro << slow));
    }
    values[3] = limited((temperature_.at(now) - 36'530) * 340 / 1000);
    for (unsigned i = 0; i < 7; ++i) {
      registers_[kData + 2 * i] = static_cast<uint8_t>(values[i] >> 8);
      registers_[kData + 2 * i + 1] = static_cast<uint8_t>(values[i]);
    }
    registers_[kIntStatus] = 1;
  }
  uint8_t get(Nanos, uint8_t number) override { return registers_[number & 0x7f]; }
  void set(Nanos, uint8_t number, uint8_t value) override {
    if (number == kPower && (value & kResets) != 0) return reset();
    const bool only_read = number == kWhoAmI || (number >= kIntStatus && number < kDataEnd);
    if (!only_read) registers_[number & 0x7f] = value;
  }

  Profile temperature_;                         // millidegrees
  std::vector<Profile> accelerations_, rates_;  // millionths of g; of a degree a second
  uint8_t registers_[0x80];
};

}  // namespace

std::unique_ptr<Part> make_mpu6050(Workbench& bench, Section& section) {
  return std::make_unique<Mpu6050>(bench, section);
}

}  // namespace hocket::sim
