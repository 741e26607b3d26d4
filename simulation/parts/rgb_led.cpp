// An RGB LED: its visible colour is the mix of three pins with PWM.
//
// A channel's share is that of its last whole cycle; without an edge for 20 ms it is its level.

#include <array>
#include <cstdio>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class RgbLed final : public Part {
 public:
  RgbLed(Workbench& bench, Section& section)
      : Part(bench, section),
        lit_when_high_(section.choice_or("common", 0, {"cathode", "anode"}) == 0) {
    constexpr std::array<const char*, kChannels> kNames{"red", "green", "blue"};
    for (unsigned i = 0; i < kChannels; ++i) {
      channels_[i].pin = section.pin(kNames[i]);
      listen(channels_[i].pin, i, kNames[i]);
      if (!lit_when_high_) channels_[i].pull_up = bench.pins.add_driver(channels_[i].pin, false);
      waves_[i] =
          bench.waves.real(section.name(), std::string(kNames[i]) + "_percent", 4 + i, 0, 4);
    }
  }

  void start() override {
    for (Channel& each : channels_) {
      if (each.pull_up) bench_.pins.drive(0, *each.pull_up, Drive::WeakHigh);
      each.lit = bench_.pins.level(each.pin) == lit_when_high_;
      each.share = each.lit ? kMillion : 0;
    }
    for (unsigned i = 0; i < kChannels; ++i) show(0, i);
  }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    Channel& channel = channels_[terminal];
    const bool lit = high == lit_when_high_;
    if (lit) {
      const Nanos cycle = now - channel.rose;
      if (channel.cycles && cycle > 0 && cycle <= kSeen) {
        channel.share = static_cast<int64_t>(
            static_cast<unsigned __int128>(channel.fell - channel.rose) * kMillion / cycle);
        show(now, terminal);
      }
      channel.rose = now;
      channel.cycles = true;
    } else {
      channel.fell = now;
      channel.on += now - channel.rose;
    }
    channel.lit = lit;
    ++channel.version;
    bench_.events.schedule(now + kSeen, *this, channel.version * kChannels + terminal);
  }

  /// No edge for 20 ms: the channel is constantly on or off.
  void due(Nanos now, uint64_t token) override {
    const auto which = static_cast<unsigned>(token % kChannels);
    Channel& channel = channels_[which];
    if (token / kChannels != channel.version) return;
    channel.share = channel.lit ? kMillion : 0;
    channel.cycles = false;
    show(now, which);
  }

  void facts(Facts& facts, Nanos end) const override {
    constexpr std::array<const char*, kChannels> kTimes{"red_lit_us", "green_lit_us",
                                                        "blue_lit_us"};
    constexpr std::array<const char*, kChannels> kShares{"red_percent", "green_percent",
                                                         "blue_percent"};
    for (unsigned i = 0; i < kChannels; ++i) {
      const Channel& each = channels_[i];
      facts.micros(kTimes[i], each.on + (each.lit ? end - each.rose : 0));
      facts.fixed(kShares[i], each.share, 4);
    }
    facts.text("colour", colour());
  }
  void live(Facts& facts, Nanos, Nanos) const override { facts.text("colour", colour()); }

 private:
  static constexpr unsigned kChannels = 3;
  static constexpr Nanos kSeen = 20'000'000;
  struct Channel {
    unsigned pin = 0;
    std::optional<Pins::Driver> pull_up;
    bool lit = false, cycles = false;
    Nanos rose = 0, fell = 0, on = 0;
    int64_t share = 0;
    uint64_t version = 0;
  };

  void show(Nanos now, unsigned which) {
    bench_.waves.jump(now, waves_[which], channels_[which].share);
  }
  std::string colour() const {
    std::array<unsigned, kChannels> bytes{};
    for (unsigned i = 0; i < kChannels; ++i)
      bytes[i] = static_cast<unsigned>((channels_[i].share * 255 + kMillion / 2) / kMillion);
    char text[8];
    std::snprintf(text, sizeof text, "%02x%02x%02x", bytes[0] & 255, bytes[1] & 255,
                  bytes[2] & 255);
    return text;
  }

  bool lit_when_high_;
  std::array<Channel, kChannels> channels_{};
  std::array<Waves::Signal, kChannels> waves_{};
};

}  // namespace

std::unique_ptr<Part> make_rgb_led(Workbench& bench, Section& section) {
  return std::make_unique<RgbLed>(bench, section);
}

}  // namespace hocket::sim
