// A load cell at an HX711: 24 bits that the sketch clocks out.
//
//   dout  ‾‾‾└── b23 b22 … b0 ‾‾   low: a conversion is ready; one pulse more than 24 is needed, and
//   sck   ____┐‾└┐‾└ …             their number chooses the next one: 25 A x128, 26 B x32, 27 A x64
//   sck high for 60 µs: off, until it is low again
//
// Source: Avia HX711 data sheet (10 or 80 conversions a second; settling 400 or 50 ms; sck 0.2 to
// 50 µs).

#include <algorithm>

#include "simulation/parts/part.h"
#include "simulation/parts/profile.h"

namespace hocket::sim {
namespace {

class Hx711 final : public Part {
 public:
  Hx711(Workbench& bench, Section& section)
      : Part(bench, section),
        out_(claim(section, section.pin("dout"), "dout")),
        each_(section.choice_or("rate", 0, {"10", "80"}) == 0 ? 100'000'000 : 12'500'000),
        per_kilogram_(section.number_or("counts_per_kg", 420'000, -1'000'000'000, 1'000'000'000)),
        offset_(section.number_or("offset", 0, -kMost, kMost)),
        wave_(bench.waves.real(section.name(), "load_g", 2, 0, 3)) {
    listen(section.pin("sck"), 0, "sck");
    load_.emplace(section.list("load"), -kHeaviest, kHeaviest, kHighestSpeed);
  }

  void start() override { wake(0); }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (high) {
      rose_ = now;
      if (!off_) pulse(now);
      bench_.events.schedule(now + kOff, *this, kTokens * ++version_ + kTurnsOff);
      return;
    }
    ++version_;
    if (std::exchange(off_, false)) wake(now);
  }

  void due(Nanos now, uint64_t token) override {
    if (token % kTokens == kTurnsOff) {
      if (token / kTokens != version_) return;
      off_ = true;
      ++power_downs_;
      ready_ = false;
      ++cycle_;
      bench_.pins.drive(now, out_, Drive::High);
      return;
    }
    if (token / kTokens == cycle_) convert(now);
  }

  void facts(Facts& facts, Nanos end) const override {
    facts.fixed("load_g", load_->at(end), 3);
    facts.fixed("last_value", last_, 0);
    facts.count("conversions", conversions_);
    facts.count("reads", reads_);
    facts.count("broken_reads", broken_);
    facts.count("power_downs", power_downs_);
  }
  void live(Facts& facts, Nanos now, Nanos) const override {
    facts.fixed("load_g", load_->at(now), 3);
    facts.count("reads", reads_);
  }

 private:
  enum Token : uint64_t { kTurnsOff, kConverts };
  static constexpr uint64_t kTokens = 2;
  static constexpr int64_t kMost = 0x7fffff, kHeaviest = 1'000'000'000;  // mg
  static constexpr Nanos kOff = 60'000;
  static constexpr unsigned kBits = 24;

  std::vector<Control> controls() const override {
    return {
        number("load_g", "g", 0, 50'000 * kMillion,
               std::clamp<int64_t>(load_->at(bench_.events.now()) * 1000, 0, 50'000 * kMillion))};
  }
  void turned(Nanos now, size_t, int64_t value) override { load_->hold(now, value / 1000); }

  /// Powers up: the first result is valid after four conversions.
  void wake(Nanos now) {
    gain_ = 128;
    channel_b_ = false;
    pulses_ = 0;
    ready_ = false;
    bench_.pins.drive(now, out_, Drive::High);
    bench_.events.schedule(now + 4 * each_, *this, kTokens * ++cycle_ + kConverts);
  }

  void convert(Nanos now) {
    if (pulses_ > 0 && pulses_ <= kBits) {
      // A read is in progress: the old value stays for a millisecond, then the read is corrupted.
      if (now - rose_ < 1'000'000) {
        bench_.events.schedule(now + 1'000'000, *this, kTokens * cycle_ + kConverts);
        return;
      }
      ++broken_;
    }
    if (pulses_ > kBits) {
      channel_b_ = pulses_ == 26;
      gain_ = pulses_ == 25 ? 128 : pulses_ == 26 ? 32 : 64;
    }
    pulses_ = 0;
    const auto load = static_cast<__int128>(load_->at(now));
    const int64_t counts =
        channel_b_ ? 0 : static_cast<int64_t>(load * per_kilogram_ / 1'000'000 * gain_ / 128);
    value_ = std::clamp<int64_t>(offset_ + counts, -kMost - 1, kMost);
    bench_.waves.jump(now, wave_, static_cast<int64_t>(load));
    ++conversions_;
    ready_ = true;
    bench_.pins.drive(now, out_, Drive::Low);
    bench_.events.schedule(now + each_, *this, kTokens * cycle_ + kConverts);
  }

  void pulse(Nanos now) {
    if (!ready_ && pulses_ <= kBits) return;  // no value is available
    if (++pulses_ <= kBits) {
      const bool one = (static_cast<uint32_t>(value_) >> (kBits - pulses_) & 1) != 0;
      bench_.pins.drive(now, out_, one ? Drive::High : Drive::Low);
    } else {
      if (pulses_ == kBits + 1) {
        ++reads_;
        last_ = value_;
        ready_ = false;
        bench_.pins.drive(now, out_, Drive::High);
      }
      pulses_ = std::min(pulses_, kBits + 3);
    }
  }

  Pins::Driver out_;
  Nanos each_;
  int64_t per_kilogram_, offset_;
  Waves::Signal wave_;
  std::optional<Profile> load_;
  Nanos rose_ = 0;
  bool off_ = false, ready_ = false, channel_b_ = false;
  uint64_t version_ = 0, cycle_ = 0;
  unsigned pulses_ = 0;
  int64_t gain_ = 128, value_ = 0;
  std::optional<int64_t> last_;
  uint64_t conversions_ = 0, reads_ = 0, broken_ = 0, power_downs_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_hx711(Workbench& bench, Section& section) {
  return std::make_unique<Hx711>(bench, section);
}

}  // namespace hocket::sim
