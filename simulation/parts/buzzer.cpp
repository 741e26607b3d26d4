// A buzzer, and what it sounds like. A passive one follows the pin's edges; an active one sounds by
// itself while its pin is high.
//
// A note is a run of periods that differ by no more than 3 %, from 20 Hz to 20 kHz. It ends when
// no edge has come for two of them.

#include <algorithm>
#include <cstdio>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

class Buzzer final : public Part {
 public:
  Buzzer(Workbench& bench, Section& section)
      : Part(bench, section),
        active_(section.choice_or("kind", 0, {"passive", "active"}) == 1),
        own_period_(static_cast<Nanos>(
            1'000'000'000'000 / section.number_or("frequency", 2'300'000, 20'000, 20'000'000))),
        wave_(bench.waves.real(section.name(), "frequency_hz", 1, 0, 1)) {
    listen(section.pin("pin"), 0, "pin");
  }

  void level_changed(Nanos now, unsigned, bool high) override {
    if (active_) {
      if (high) {
        begins_ = now;
        period_ = own_period_;
        show(now, own_period_);
      } else if (period_ != 0) {
        close(now);
      }
    } else if (high) {
      rises(now);
    }
  }

  /// No edge has come for the timeout: the note has ended.
  void due(Nanos now, uint64_t token) override {
    if (token == version_ && period_ != 0) close(rose_ + period_, now);
  }

  void ended(Nanos now) override {
    if (period_ != 0) close(active_ ? now : std::min(rose_ + period_, now));
  }

  void facts(Facts& facts, Nanos) const override {
    facts.count("notes", notes_);
    facts.micros("sounding_us", sounding_);
    facts.micros("first_note_us", first_);
    facts.fixed("last_frequency_hz", last_, 1);
    facts.fixed("lowest_frequency_hz", lowest_, 1);
    facts.fixed("highest_frequency_hz", highest_, 1);
    facts.text("heard", heard_);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.flag("sounds", period_ != 0);
    facts.fixed("frequency_hz", period_ != 0 ? deci_hertz(period_) : 0, 1);
    facts.text("heard", heard_);
  }

 private:
  static constexpr Nanos kShortest = 50'000, kLongest = 50'000'000;
  static constexpr uint64_t kShown = 64;  // notes in the text

  static int64_t deci_hertz(Nanos period) {
    return static_cast<int64_t>((10'000'000'000 + period / 2) / period);
  }

  void rises(Nanos now) {
    const Nanos period = now - rose_;
    const bool heard = rises_ > 0 && period >= kShortest && period <= kLongest;
    ++rises_;
    if (period_ != 0) {
      const Nanos apart = period > period_ ? period - period_ : period_ - period;
      if (heard && apart * 100 <= period_ * 3) {
        ++cycles_;
      } else {
        close(rose_ + period_);
      }
    }
    if (period_ == 0 && heard) {
      begins_ = rose_;
      cycles_ = 1;
      period_ = period;
      show(now, period);
    }
    rose_ = now;
    if (period_ != 0) bench_.events.schedule(now + 2 * period_ + 1, *this, ++version_);
  }

  void close(Nanos until) { close(until, until); }
  void close(Nanos until, Nanos now) {
    const Nanos lasted = until - begins_;
    // The mean of the whole note, because its edges may jitter. A single cycle is a click.
    if (active_ || cycles_ > 1) {
      const int64_t frequency = deci_hertz(active_ ? own_period_ : lasted / (cycles_ + 1));
      ++notes_;
      sounding_ += lasted;
      if (!first_) first_ = begins_;
      last_ = frequency;
      lowest_ = std::min(lowest_.value_or(frequency), frequency);
      highest_ = std::max(highest_.value_or(frequency), frequency);
      if (notes_ <= kShown) note(frequency, lasted);
    }
    period_ = 0;
    cycles_ = 0;
    ++version_;
    bench_.waves.jump(std::max(now, bench_.events.now()), wave_, int64_t{0});
  }

  /// Formats `440 Hz 200 ms`, rounded to the nearest.
  void note(int64_t frequency, Nanos lasted) {
    char text[64];
    std::snprintf(text, sizeof text, "%s%lld Hz %llu ms", heard_.empty() ? "" : ", ",
                  static_cast<long long>((frequency + 5) / 10),
                  static_cast<unsigned long long>((lasted + 500'000) / 1'000'000));
    heard_ += text;
  }
  void show(Nanos now, Nanos period) { bench_.waves.jump(now, wave_, deci_hertz(period)); }

  bool active_;
  Nanos own_period_;
  Waves::Signal wave_;
  uint64_t rises_ = 0, cycles_ = 0, version_ = 0, notes_ = 0;
  Nanos rose_ = 0, begins_ = 0, period_ = 0, sounding_ = 0;
  std::optional<Nanos> first_;
  std::optional<int64_t> last_, lowest_, highest_;  // tenths of a hertz
  std::string heard_;
};

}  // namespace

std::unique_ptr<Part> make_buzzer(Workbench& bench, Section& section) {
  return std::make_unique<Buzzer>(bench, section);
}

}  // namespace hocket::sim
