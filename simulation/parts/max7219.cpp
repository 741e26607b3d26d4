// Displays with a MAX7219 each, in a chain: eight digits of seven segments, or 8 x 8 points.
//
//   cs  ‾└──────────────────────┐‾    16 bits for each module, the last module's first; taken when
//          register 4, value 8         cs rises
//
// They are on the SPI bus, or on any two pins (din, clk) for a sketch that shifts bits out itself.
//
// Source: Maxim MAX7219/MAX7221 data sheet (19-4452), tables 1 to 11.

#include <algorithm>
#include <array>
#include <cstdio>

#include "simulation/parts/part.h"
#include "simulation/parts/seven_segments.h"

namespace hocket::sim {
namespace {

class Max7219 final : public Part, private SpiTarget {
 public:
  Max7219(Workbench& bench, Section& section)
      : Part(bench, section),
        points_(section.choice_or("kind", 0, {"digits", "matrix"}) == 1),
        modules_(static_cast<size_t>(section.number_or("modules", 1, 1, 32))),
        cs_(section.pin("cs")) {
    pull_up_ = bench.pins.add_driver(cs_, /*main=*/false);
    listen(cs_, kSelect, "cs");
    if (section.has("din") != section.has("clk"))
      section.fail("needs both din and clk, or neither");
    if (!section.has("din")) {
      bench.spi[0].connect(*this);
      return;
    }
    din_ = section.pin("din");
    listen(*din_, kDin, "din");
    listen(section.pin("clk"), kClk, "clk");
  }

  void start() override { bench_.pins.drive(0, pull_up_, Drive::WeakHigh); }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    if (terminal == kSelect) {
      if (high) latch(now);
      bits_ = high ? 0 : bits_;
    } else if (terminal == kClk && high) {
      // It shifts whether or not it is selected; the content is latched when cs rises.
      shift(bench_.pins.level(*din_));
    }
  }

  void facts(Facts& facts, Nanos) const override {
    facts.text("shows", shows());
    facts.flag("on", std::any_of(modules_.begin(), modules_.end(),
                                 [](const Module& each) { return each.on; }));
    facts.count("intensity", modules_[0].intensity);
    facts.count("lit", lit());
    facts.count("commands", commands_);
    facts.count("short_commands", short_);
    facts.micros("last_change_us", changed_);
    facts.json("rows", rows());
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.text("shows", shows());
    facts.json("rows", points_ ? rows() : "null");
    facts.flag("on", modules_[0].on);
    facts.count("intensity", modules_[0].intensity);
  }

 private:
  enum Terminal : unsigned { kSelect, kDin, kClk };
  static constexpr unsigned kRows = 8;
  struct Module {
    std::array<uint8_t, kRows> digits{};
    uint8_t decodes = 0, intensity = 0, shown = 0;  // shown: the last digit that is scanned
    bool on = false, test = false;
    uint16_t shifted = 0;
    bool operator==(const Module&) const = default;
  };

  uint8_t exchange(Nanos, uint8_t byte, uint8_t) override {
    if (!bench_.pins.level(cs_))
      for (int bit = 7; bit >= 0; --bit) shift((byte >> bit & 1) != 0);
    return 0xff;  // DOUT leads to the next module, not back
  }

  void shift(bool one) {
    ++bits_;
    for (Module& each : modules_) {
      const bool out = (each.shifted & 0x8000) != 0;
      each.shifted = static_cast<uint16_t>(each.shifted << 1 | (one ? 1 : 0));
      one = out;
    }
  }

  void latch(Nanos now) {
    if (bits_ == 0) return;
    if (bits_ < 16) ++short_;
    const std::vector<Module> before = modules_;
    for (Module& each : modules_) {
      const auto value = static_cast<uint8_t>(each.shifted);
      const unsigned name = each.shifted >> 8 & 15;
      if (name != 0) ++commands_;
      if (name >= 1 && name <= kRows) each.digits[name - 1] = value;
      if (name == 9) each.decodes = value;
      if (name == 10) each.intensity = value & 15;
      if (name == 11) each.shown = value & 7;
      if (name == 12) each.on = (value & 1) != 0;
      if (name == 15) each.test = (value & 1) != 0;
    }
    if (before != modules_) changed_ = now;
  }

  /// The segments of a digit or the points of a row: the point or the leftmost in the highest bit.
  static uint8_t seen(const Module& module, unsigned digit) {
    if (module.test) return 0xff;
    if (!module.on || digit > module.shown) return 0;
    const uint8_t value = module.digits[digit];
    if ((module.decodes >> digit & 1) == 0) return value;
    // Code B: 0 to 9, -, E, H, L, P and blank, from the highest bit: point, a to g.
    constexpr std::array<uint8_t, 16> kCode{0x7e, 0x30, 0x6d, 0x79, 0x33, 0x5b, 0x5f, 0x70,
                                            0x7f, 0x7b, 0x01, 0x4f, 0x37, 0x0e, 0x67, 0x00};
    return static_cast<uint8_t>(kCode[value & 15] | (value & 0x80));
  }
  /// Converts to the usual order: a in the lowest bit.
  static uint8_t turned(uint8_t segments) {
    uint8_t result = segments & 0x80;
    for (unsigned i = 0; i < 7; ++i)
      if ((segments >> i & 1) != 0) result = static_cast<uint8_t>(result | 1u << (6 - i));
    return result;
  }

  std::string shows() const {
    std::string text;
    if (points_) {
      for (unsigned row = 0; row < kRows; ++row) {
        if (row > 0) text += '\n';
        for (const Module& each : modules_)
          for (int bit = 7; bit >= 0; --bit) text += (seen(each, row) >> bit & 1) != 0 ? '#' : '.';
      }
      return text;
    }
    for (const Module& each : modules_) {
      if (&each != modules_.data()) text += '\n';
      std::string line;
      for (unsigned digit = kRows; digit > 0; --digit)
        line += seven_segments(turned(seen(each, digit - 1)));
      while (!line.empty() && line.back() == ' ') line.pop_back();
      text += line;
    }
    return text;
  }
  uint64_t lit() const {
    uint64_t count = 0;
    for (const Module& each : modules_)
      for (unsigned row = 0; row < kRows; ++row)
        count += static_cast<uint64_t>(__builtin_popcount(seen(each, row)));
    return count;
  }
  /// From top to bottom, two digits for each module, the first module on the left.
  std::string rows() const {
    std::string text = "[";
    for (unsigned row = 0; row < kRows; ++row) {
      text += row > 0 ? ", \"" : "\"";
      for (const Module& each : modules_) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", seen(each, row));
        text += digits;
      }
      text += "\"";
    }
    return text + "]";
  }

  bool points_;
  std::vector<Module> modules_;  // the one nearest to the sketch first
  unsigned cs_;
  Pins::Driver pull_up_ = 0;
  std::optional<unsigned> din_;
  uint64_t bits_ = 0, commands_ = 0, short_ = 0;
  std::optional<Nanos> changed_;
};

}  // namespace

std::unique_ptr<Part> make_max7219(Workbench& bench, Section& section) {
  return std::make_unique<Max7219>(bench, section);
}

}  // namespace hocket::sim
