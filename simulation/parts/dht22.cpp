// A DHT22 (AM2302): humidity and temperature over one wire.
//
//   sketch  ‾‾└── 0.8 ms or more ──┐‾‾30 µs‾‾                          (lets go)
//   sensor                                   └──80──┐‾‾80‾‾└50┐‾27 or 70‾└50┐ … 40 bits … └50┐‾‾‾
//
// A bit's high part says what it is: 27 µs is 0, 70 µs is 1. The five bytes are humidity and
// temperature in tenths, the highest byte first, and their sum; a temperature below zero has the
// highest bit set. It measures at most every two seconds: an earlier request gets the last values.
//
// Source: Aosong, AM2302 product manual (sections 7 and 8, table 7).

#include <array>

#include "simulation/parts/part.h"
#include "simulation/parts/profile.h"

namespace hocket::sim {
namespace {

constexpr Nanos kShortestStart = 800'000;
constexpr Nanos kAnswers = 30'000;
constexpr Nanos kGreeting = 80'000;
constexpr Nanos kLow = 50'000, kZero = 27'000, kOne = 70'000;
constexpr Nanos kBetween = 2'000'000'000;  // two measurements
constexpr unsigned kBitsOfReading = 40;

class Dht22 final : public Part {
 public:
  Dht22(Workbench& bench, Section& section)
      : Part(bench, section),
        temperature_(section.list("temperature"), -40'000, 80'000, 0),
        humidity_(section.list("humidity"), 0, kMillion, 0) {
    const unsigned pin = section.pin("pin");
    wire_ = claim(section, pin, "pin");
    resistor_ = section.choice_or("resistor", 1, {"false", "true"}) == 1;
    listen(pin, 0, "level");
  }

  void start() override { let_go(0); }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (sending_) return;
    if (!high) {
      fell_ = now;
      return;
    }
    if (now == 0) return;  // the pull-up resistor when the board starts
    if (now - fell_ < kShortestStart) {
      ++short_starts_;
      return;
    }
    sending_ = true;
    step_ = 0;
    measure(now);
    bench_.events.schedule(now + kAnswers, *this);
  }

  /// Sends the answer part by part; even parts are low.
  void due(Nanos now, uint64_t) override {
    const bool low = step_ % 2 == 0;
    if (low)
      bench_.pins.drive(now, wire_, Drive::Low);
    else
      let_go(now);
    if (step_ > kLastStep - 1) {
      sending_ = false;
      ++reads_;
      return;
    }
    Nanos lasts = kLow;
    if (step_ < 2)
      lasts = kGreeting;
    else if (!low)
      lasts = bit((step_ - 3) / 2) ? kOne : kZero;
    ++step_;
    bench_.events.schedule(now + lasts, *this);
  }

  void facts(Facts& facts, Nanos end) const override {
    facts.count("reads", reads_);
    facts.count("early_reads", early_);
    facts.count("short_starts", short_starts_);
    facts.fixed("temperature_c", temperature_.at(end), 3);
    facts.fixed("humidity_percent", humidity_.at(end), 4);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed("temperature_c", temperature_.at(now), 3);
    facts.fixed("humidity_percent", humidity_.at(now), 4);
  }

 private:
  std::vector<Control> controls() const override {
    const Nanos now = bench_.events.now();
    return {
        number("temperature_c", "°C", -40 * kMillion, 80 * kMillion, temperature_.at(now) * 1000),
        number("humidity_percent", "%", 0, 100 * kMillion, humidity_.at(now) * 100)};
  }
  void turned(Nanos now, size_t control, int64_t value) override {
    if (control == 0)
      temperature_.hold(now, value / 1000);
    else
      humidity_.hold(now, value / 100);
  }

  /// Greeting, 40 bits, and a last low part; then it releases the line.
  static constexpr unsigned kLastStep = 2 + 2 * kBitsOfReading + 1;

  void let_go(Nanos now) {
    bench_.pins.drive(now, wire_, resistor_ ? Drive::WeakHigh : Drive::None);
  }

  bool bit(unsigned number) const { return (data_[number / 8] >> (7 - number % 8) & 1) != 0; }

  void measure(Nanos now) {
    if (measured_ && now - *measured_ < kBetween) {
      ++early_;
      return;
    }
    measured_ = now;
    const auto humidity = static_cast<unsigned>(nearest(humidity_.at(now), 1000));
    const int64_t degrees = nearest(temperature_.at(now), 100);
    const auto size = static_cast<unsigned>(degrees < 0 ? -degrees : degrees);
    const unsigned temperature = size | (degrees < 0 ? 0x8000u : 0);
    data_ = {static_cast<uint8_t>(humidity >> 8), static_cast<uint8_t>(humidity),
             static_cast<uint8_t>(temperature >> 8), static_cast<uint8_t>(temperature), 0};
    for (unsigned byte = 0; byte < 4; ++byte)
      data_[4] = static_cast<uint8_t>(data_[4] + data_[byte]);
  }

  static int64_t nearest(int64_t value, int64_t step) {
    return (value + (value < 0 ? -step : step) / 2) / step;
  }

  Profile temperature_, humidity_;  // millidegrees, millionths
  Pins::Driver wire_ = 0;
  bool resistor_ = true;
  bool sending_ = false;
  unsigned step_ = 0;  // of the answer
  Nanos fell_ = 0;
  std::optional<Nanos> measured_;
  std::array<uint8_t, 5> data_{};
  uint64_t reads_ = 0, early_ = 0, short_starts_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_dht22(Workbench& bench, Section& section) {
  for (const char* key : {"temperature", "humidity"})
    if (!section.has(key)) section.fail("needs " + std::string(key));
  return std::make_unique<Dht22>(bench, section);
}

}  // namespace hocket::sim
