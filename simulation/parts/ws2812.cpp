// A strip of WS2812 lights: each takes the first 24 bits that come to it and passes on the rest.
//
//   0   ┐‾0.4‾└────0.85────        1   ┐‾‾‾0.8‾‾‾└──0.45──        low for 50 µs: all show what came
//
// Source: WorldSemi WS2812B data sheet (times within 150 ns; reset of 50 µs or more).

#include <algorithm>
#include <cstdio>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

constexpr Nanos kShortZero = 250, kLongZero = 550, kShortOne = 650, kLongOne = 950;
constexpr Nanos kDecides = 600;  // it looks so long after the rise
constexpr Nanos kReset = 50'000;
constexpr Nanos kLongestLow = 5'000;  // between two bits, as measured on common strips

class Ws2812 final : public Part {
 public:
  Ws2812(Workbench& bench, Section& section)
      : Part(bench, section),
        lights_(static_cast<size_t>(section.number("lights", 1, 1000))),
        order_(section.choice_or("order", 0, {"grb", "rgb", "grbw"})),
        shown_(lights_) {
    listen(section.pin("pin"), 0, "pin");
    came_.reserve(lights_);
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (high) {
      if (now - edge_ >= kReset)
        latch(edge_);
      else if (bits_ + came_.size() > 0 && now - edge_ > kLongestLow)
        ++bad_pulses_;
    } else if (now != edge_) {
      take(now - edge_);
    }
    edge_ = now;
    high_ = high;
  }

  void ended(Nanos now) override {
    if (!high_ && now - edge_ >= kReset) latch(edge_);
  }
  void facts(Facts& facts, Nanos) const override {
    facts.text("colours", colours(shown_));
    facts.count("lit", static_cast<uint64_t>(std::count_if(shown_.begin(), shown_.end(),
                                                           [](uint32_t c) { return c != 0; })));
    facts.count("frames", frames_);
    facts.count("bits", all_bits_);
    facts.count("bad_pulses", bad_pulses_);
    facts.count("broken_frames", broken_);
    facts.micros("last_change_us", changed_);
  }
  /// What has come counts once the line has been low for long enough.
  void live(Facts& facts, Nanos now, Nanos) const override {
    std::vector<uint32_t> shown = shown_;
    if (!high_ && now - edge_ >= kReset) std::copy(came_.begin(), came_.end(), shown.begin());
    facts.text("colours", colours(shown));
  }

 private:
  unsigned width() const { return order_ == 2 ? 32 : 24; }

  void take(Nanos length) {
    const bool one = length >= kDecides;
    if (one ? length < kShortOne || length > kLongOne : length < kShortZero || length > kLongZero)
      ++bad_pulses_;
    ++all_bits_;
    light_ = light_ << 1 | (one ? 1 : 0);
    if (++bits_ < width()) return;
    if (came_.size() < lights_) came_.push_back(light_);
    bits_ = 0;
    light_ = 0;
  }

  void latch(Nanos when) {
    if (bits_ > 0) ++broken_;
    if (!came_.empty()) {
      ++frames_;
      std::vector<uint32_t> next = shown_;
      std::copy(came_.begin(), came_.end(), next.begin());
      if (next != shown_) changed_ = when;
      shown_ = std::move(next);
    }
    came_.clear();
    bits_ = 0;
    light_ = 0;
  }

  /// Red, green, blue (white) of each, two digits each.
  std::string colours(const std::vector<uint32_t>& lights) const {
    std::string text;
    for (const uint32_t light : lights) {
      const uint32_t colour = order_ == 2 ? light >> 8 : light;
      const uint32_t ordered =
          order_ == 1 ? colour : (colour & 0xff00) << 8 | (colour >> 8 & 0xff00) | (colour & 0xff);
      char digits[10];
      if (order_ == 2)
        std::snprintf(digits, sizeof digits, "%06x%02x", ordered, light & 0xff);
      else
        std::snprintf(digits, sizeof digits, "%06x", ordered);
      text += (text.empty() ? "" : " ") + std::string(digits);
    }
    return text;
  }

  size_t lights_, order_;
  std::vector<uint32_t> shown_, came_;
  Nanos edge_ = 0;
  bool high_ = false;
  unsigned bits_ = 0;
  uint32_t light_ = 0;
  uint64_t frames_ = 0, all_bits_ = 0, bad_pulses_ = 0, broken_ = 0;
  std::optional<Nanos> changed_;
};

}  // namespace

std::unique_ptr<Part> make_ws2812(Workbench& bench, Section& section) {
  return std::make_unique<Ws2812>(bench, section);
}

}  // namespace hocket::sim
