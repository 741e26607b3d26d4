// A DS18B20 thermometer on a 1-Wire bus (Maxim data sheet 19-7487), with a supply of its own.
//
//   scratchpad: temperature (2, low first) │ TH │ TL │ configuration │ ff 0c 10 │ CRC
//
// The temperature is in sixteenths of a degree, with 9 to 12 bits that count; it reads 85 °C until
// the first conversion has ended. A conversion measures at the instant of its request.

#include "simulation/parts/one_wire.h"
#include "simulation/parts/profile.h"

namespace hocket::sim {
namespace {

constexpr uint8_t kFamily = 0x28;
constexpr uint8_t kConvert = 0x44, kWrite = 0x4e, kRead = 0xbe, kCopy = 0x48, kRecall = 0xb8,
                  kPower = 0xb4;
constexpr Nanos kFullConversion = 750'000'000, kCopies = 10'000'000;
constexpr int16_t kAtPowerOn = 85 * 16;

class Ds18b20 final : public OneWireDevice {
 public:
  Ds18b20(Workbench& bench, Section& section)
      : OneWireDevice(bench, section, kFamily),
        temperature_(section.list("temperature"), -55'000, 125'000, 0) {
    const auto bits = static_cast<uint8_t>(section.number_or("bits", 12, 9, 12));
    kept_ = registers_ = {75, 70, static_cast<uint8_t>((bits - 9) << 5 | 0x1f)};
  }

  void facts(Facts& facts, Nanos end) const override {
    OneWireDevice::facts(facts, end);
    facts.count("conversions", conversions_);
    facts.count("bits", 9 + spared());
    facts.fixed("temperature_c", temperature_.at(end), 3);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed("temperature_c", temperature_.at(now), 3);
  }

 private:
  std::vector<Control> controls() const override {
    return {number("temperature_c", "°C", -55 * kMillion, 125 * kMillion,
                   temperature_.at(bench_.events.now()) * 1000)};
  }
  void turned(Nanos now, size_t, int64_t value) override { temperature_.hold(now, value / 1000); }

  unsigned command(Nanos now, uint8_t code) override {
    finish(now);
    switch (code) {
      case kConvert:
        ++conversions_;
        next_ = raw(temperature_.at(now));
        busy_until_ = now + (kFullConversion >> (3 - spared()));
        return 0;
      case kWrite:
        return 3;
      case kRead:
        give(scratchpad());
        return 0;
      case kCopy:
        kept_ = registers_;
        busy_until_ = now + kCopies;
        return 0;
      case kRecall:
        registers_ = kept_;
        return 0;
      case kPower:
        give({0xff});  // a supply of its own
        return 0;
      default:
        return 0;
    }
  }

  void told(Nanos, const Bytes& bytes) override {
    registers_ = {bytes[0], bytes[1], static_cast<uint8_t>((bytes[2] & 0x60) | 0x1f)};
  }

  bool ready(Nanos now) override {
    finish(now);
    return now >= busy_until_;
  }

  /// Whether the last conversion was, in whole degrees, at or beyond one of the two limits.
  bool alarmed(Nanos now) override {
    finish(now);
    const int degrees = value_ >> 4;
    return degrees >= static_cast<int8_t>(registers_[0]) ||
           degrees <= static_cast<int8_t>(registers_[1]);
  }

  void finish(Nanos now) {
    if (!next_ || now < busy_until_) return;
    value_ = *next_;
    next_.reset();
  }

  /// Bits beyond nine.
  unsigned spared() const { return registers_[2] >> 5 & 3; }

  int16_t raw(int64_t millidegrees) const {
    const int64_t scaled = millidegrees * 16;
    const int64_t sixteenths = (scaled + (scaled < 0 ? -500 : 500)) / 1000;
    return static_cast<int16_t>(sixteenths & ~((1 << (3 - spared())) - 1));
  }

  Bytes scratchpad() const {
    const auto value = static_cast<uint16_t>(value_);
    Bytes bytes{static_cast<uint8_t>(value),
                static_cast<uint8_t>(value >> 8),
                registers_[0],
                registers_[1],
                registers_[2],
                0xff,
                0x0c,
                0x10};
    bytes.push_back(crc8(bytes.data(), bytes.size()));
    return bytes;
  }

  Profile temperature_;                          // millidegrees
  std::array<uint8_t, 3> registers_{}, kept_{};  // TH, TL, configuration; in its EEPROM
  int16_t value_ = kAtPowerOn;
  std::optional<int16_t> next_;  // of the conversion in progress
  Nanos busy_until_ = 0;
  uint64_t conversions_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_ds18b20(Workbench& bench, Section& section) {
  if (!section.has("temperature")) section.fail("needs temperature");
  return std::make_unique<Ds18b20>(bench, section);
}

}  // namespace hocket::sim
