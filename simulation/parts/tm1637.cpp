// A display of four or six digits with a TM1637 at two pins.
//
//   clk  ‾‾└─┐‾└─┐‾└ …  8 bits, the lowest first, taken at the clock's rise; from its 8th fall to
//   dio  ‾└── b0  b1      its 9th the chip answers low
//        start: dio falls while clk is high; stop: it rises then
//
// Source: Titan TM1637 data sheet, "Interface interpretation" and the three commands. Its module
// has pull-up resistors at both pins. Keys are not simulated: they read as none.

#include <array>
#include <cstdio>

#include "simulation/parts/part.h"
#include "simulation/parts/seven_segments.h"

namespace hocket::sim {
namespace {

class Tm1637 final : public Part {
 public:
  Tm1637(Workbench& bench, Section& section)
      : Part(bench, section),
        digits_(static_cast<unsigned>(section.number_or("digits", 4, 1, kPlaces))),
        colon_(section.choice_or("colon", 1, {"false", "true"}) == 1 && digits_ == 4),
        clock_(section.pin("clk")),
        data_(section.pin("dio")) {
    if (bench.pins.joined(clock_, data_)) section.fail("has clk and dio on one wire");
    pull_up_ = bench.pins.add_driver(clock_, /*main=*/false);
    answer_ = claim(section, data_, "dio");
    listen(clock_, kClock, "clk");
    bench.pins.listen(data_, *this, kData);
  }

  void start() override {
    bench_.pins.drive(0, pull_up_, Drive::WeakHigh);
    bench_.pins.drive(0, answer_, Drive::WeakHigh);
    clock_high_ = bench_.pins.level(clock_);
    data_high_ = bench_.pins.level(data_);
    under_way_ = false;
  }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    if (terminal == kData) {
      data_high_ = high;
      if (!clock_high_ || answers_) return;
      if (!high)
        begin();
      else
        stop();
      return;
    }
    clock_high_ = high;
    if (!under_way_) return;
    if (high) {
      if (bits_ < 8) {
        shift_ = static_cast<uint8_t>(shift_ >> 1 | (data_high_ ? 0x80 : 0));
        ++bits_;
      }
    } else if (bits_ == 8 && !answers_) {
      answers_ = true;
      take(now, shift_);
      bench_.pins.drive(now, answer_, Drive::Low);
    } else if (answers_) {
      bits_ = 0;
      bench_.pins.drive(now, answer_, Drive::WeakHigh);
      answers_ = false;
    }
  }

  void facts(Facts& facts, Nanos) const override {
    facts.text("shows", shows());
    facts.text("segments", segments());
    facts.flag("on", on_);
    facts.count("brightness", brightness_);
    facts.count("commands", commands_);
    facts.count("bytes", bytes_);
    facts.count("broken_bytes", broken_);
    facts.micros("last_change_us", changed_);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.text("shows", shows());
    facts.text("segments", segments());
    facts.flag("on", on_);
    facts.count("brightness", brightness_);
  }

 private:
  enum Terminal : unsigned { kClock, kData };
  static constexpr unsigned kPlaces = 6;

  void begin() {
    if (under_way_ && bits_ != 0) ++broken_;
    under_way_ = true;
    first_ = true;
    bits_ = 0;
  }
  void stop() {
    // The clock is high for the stop itself: one bit more has been taken then, which is none.
    if (under_way_ && bits_ > 1) ++broken_;
    under_way_ = false;
    bits_ = 0;
  }

  void take(Nanos now, uint8_t byte) {
    if (!std::exchange(first_, false)) {
      ++bytes_;
      if (place_ >= kPlaces) return;
      if (memory_[place_] != byte && on_) changed_ = now;
      memory_[place_] = byte;
      if (!stays_) ++place_;
      return;
    }
    ++commands_;
    if ((byte & 0xc0) == 0x40) {
      stays_ = (byte & 0x04) != 0;
    } else if ((byte & 0xc0) == 0xc0) {
      place_ = byte & 0x0f;
    } else if ((byte & 0xc0) == 0x80) {
      const bool on = (byte & 0x08) != 0;
      if (on != on_) changed_ = now;
      on_ = on;
      brightness_ = byte & 7u;
    }
  }

  std::string shows() const {
    std::string text;
    if (!on_) return text;
    for (unsigned i = 0; i < digits_; ++i) {
      const bool between = colon_ && i == 1;
      text += seven_segments(between ? memory_[i] & 0x7f : memory_[i]);
      if (between && (memory_[i] & 0x80) != 0) text += ':';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
  }
  std::string segments() const {
    std::string text;
    for (unsigned i = 0; i < digits_; ++i) {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", memory_[i]);
      text += (i > 0 ? " " : "") + std::string(digits);
    }
    return text;
  }

  unsigned digits_;
  bool colon_;
  unsigned clock_, data_;
  Pins::Driver pull_up_ = 0, answer_ = 0;
  bool clock_high_ = true, data_high_ = true, under_way_ = false, answers_ = false, first_ = true;
  unsigned bits_ = 0;
  uint8_t shift_ = 0;
  std::array<uint8_t, kPlaces> memory_{};
  unsigned place_ = 0, brightness_ = 0;
  bool stays_ = false, on_ = false;
  uint64_t commands_ = 0, bytes_ = 0, broken_ = 0;
  std::optional<Nanos> changed_;
};

}  // namespace

std::unique_ptr<Part> make_tm1637(Workbench& bench, Section& section) {
  return std::make_unique<Tm1637>(bench, section);
}

}  // namespace hocket::sim
