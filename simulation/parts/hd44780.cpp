// A display of characters with an HD44780 controller, at a bus of 4 or 8 lines.
//
//   RS, R/W, data ──╳═════════╳──    taken at the falling edge of E; with R/W high the controller
//   E           ____┌─────────┐__    drives the data lines while E is high
//
// With four lines a byte is transferred in two halves, the higher one first. The controller starts
// with eight lines, of which four may be unconnected, until a command selects four. While it is
// busy it accepts nothing: a command takes 37 µs, clear and home 1.52 ms, power-on 10 ms.
//
// Source: Hitachi HD44780U data sheet (ADE-207-272): tables 6 (instructions) and 7, figures 8 to 11
// (memory and display), 23 and 24 (initialising), bus timing at 5 V.

#include <array>

#include "simulation/parts/hd44780_text.h"
#include "simulation/parts/part.h"
#include "simulation/parts/pin_list.h"

namespace hocket::sim {
namespace {

constexpr Nanos kPowerOn = 10'000'000;
constexpr Nanos kShort = 37'000, kLong = 1'520'000;
constexpr Nanos kData = 41'000;  // the address advances 4 µs later
constexpr Nanos kShortestPulse = 230;
constexpr unsigned kRow = 0x28, kSecond = 0x40;  // bytes of a row in two; where the second begins

class Hd44780 final : public Part {
 public:
  Hd44780(Workbench& bench, Section& section)
      : Part(bench, section),
        columns_(static_cast<unsigned>(section.number_or("columns", 16, 8, 40))),
        lines_(static_cast<unsigned>(section.number_or("lines", 2, 1, 4))) {
    if (lines_ == 3) section.fail("has 1, 2 or 4 lines");
    if (columns_ * lines_ > kMemory) section.fail("shows 80 characters at most");
    rs_ = section.pin("rs");
    if (section.has("rw")) rw_ = section.pin("rw");
    const unsigned enable = section.pin("enable");
    std::vector<unsigned> others{rs_, enable};
    if (rw_) others.push_back(*rw_);
    data_ = pin_list(bench, section, "data", 4, 8, others);
    if (data_.size() != 4 && data_.size() != 8) section.fail("needs 4 or 8 pins for its data");
    if (rw_) {
      for (const unsigned pin : data_) drivers_.push_back(bench.pins.add_driver(pin, false));
      listen(*rw_, kRw, "rw");
    }
    listen(enable, kEnable, "enable");
    memory_.fill(' ');
  }

  void level_changed(Nanos now, unsigned terminal, bool high) override {
    if (terminal == kRw) return drive(now);
    enabled_ = high;
    if (high) {
      rose_ = now;
      // A read returns the state at this instant.
      if (reads() && !second_half_) answer_ = answer(now);
    } else if (now - rose_ < kShortestPulse) {
      ++short_pulses_;
    } else {
      taken(now);
    }
    drive(now);
  }

  void facts(Facts& facts, Nanos) const override {
    facts.text("shows", shows());
    facts.flag("on", on_);
    facts.flag("cursor", cursor_);
    facts.flag("blinks", blinks_);
    facts.count("commands", commands_);
    facts.count("characters", characters_);
    facts.count("refused_while_busy", refused_);
    facts.count("short_pulses", short_pulses_);
    facts.micros("last_change_us", changed_);
    facts.text("defined", defined());
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    std::string rows;
    for (unsigned line = 0; line < lines_; ++line) {
      std::string row;
      for (unsigned column = 0; column < columns_; ++column) row += cell(line, column);
      rows += (line == 0 ? "" : ", ") + json_string(row);
    }
    facts.json("rows", "[" + rows + "]");
    facts.flag("on", on_);
    facts.flag("cursor", cursor_);
  }

 private:
  static constexpr unsigned kEnable = 0, kRw = 1;
  static constexpr unsigned kMemory = 80;

  bool reads() const { return rw_ && bench_.pins.level(*rw_); }

  /// Takes a byte, or half of one, at the falling edge of E.
  void taken(Nanos now) {
    const bool selects_data = bench_.pins.level(rs_);
    if (!wide_ && !second_half_) {
      first_ = four_lines();
      second_half_ = true;
      return;
    }
    const bool read = reads();
    const uint8_t byte = wide_ ? eight_lines() : static_cast<uint8_t>(first_ | four_lines() >> 4);
    second_half_ = false;
    if (read) {
      if (selects_data && now >= busy_until_) move_on(now);
      return;
    }
    if (now < busy_until_) {
      ++refused_;
      return;
    }
    if (selects_data)
      write(now, byte);
    else
      command(now, byte);
  }

  /// The lines as the higher half of a byte.
  uint8_t four_lines() const { return eight_lines() & 0xf0; }
  /// All eight; those that are not connected read 0.
  uint8_t eight_lines() const {
    const unsigned first = 8 - static_cast<unsigned>(data_.size());
    unsigned byte = 0;
    for (unsigned line = 0; line < data_.size(); ++line)
      byte |= static_cast<unsigned>(bench_.pins.level(data_[line])) << (first + line);
    return static_cast<uint8_t>(byte);
  }

  uint8_t answer(Nanos now) const {
    const bool busy = now < busy_until_;
    if (!bench_.pins.level(rs_)) return static_cast<uint8_t>((busy ? 0x80 : 0) | address_);
    return in_font_ ? font_[address_ & 0x3f] : memory_[place(address_)];
  }

  void drive(Nanos now) {
    if (drivers_.empty()) return;
    const bool driven = enabled_ && reads();
    const unsigned shown = !wide_ && second_half_ ? answer_ << 4 : answer_;
    const unsigned first = 8 - static_cast<unsigned>(data_.size());
    for (unsigned line = 0; line < data_.size(); ++line)
      bench_.pins.drive(now, drivers_[line],
                        !driven                              ? Drive::None
                        : (shown >> (first + line) & 1) != 0 ? Drive::High
                                                             : Drive::Low);
  }

  void command(Nanos now, uint8_t byte) {
    ++commands_;
    busy_until_ = now + (byte < 4 ? kLong : kShort);
    if ((byte & 0x80) != 0) {
      in_font_ = false;
      address_ = byte & 0x7f;
    } else if ((byte & 0x40) != 0) {
      in_font_ = true;
      address_ = byte & 0x3f;
    } else if ((byte & 0x20) != 0) {
      wide_ = (byte & 0x10) != 0;
      two_ = (byte & 0x08) != 0;
    } else if ((byte & 0x10) != 0) {
      shift_or_move(byte);
    } else if ((byte & 0x08) != 0) {
      on_ = (byte & 4) != 0;
      cursor_ = (byte & 2) != 0;
      blinks_ = (byte & 1) != 0;
    } else if ((byte & 0x04) != 0) {
      forward_ = (byte & 2) != 0;
      shifts_ = (byte & 1) != 0;
    } else if (byte != 0) {
      if (byte == 1) memory_.fill(' '), forward_ = true;
      in_font_ = false;
      address_ = 0;
      shift_ = 0;
    }
    if (byte != 0) changed_ = now;
  }

  void shift_or_move(uint8_t byte) {
    const bool right = (byte & 4) != 0;
    if ((byte & 8) != 0)
      shift(/*left=*/!right);
    else
      step(right);
  }

  void write(Nanos now, uint8_t byte) {
    ++characters_;
    if (in_font_) {
      font_[address_ & 0x3f] = byte & 0x1f;
      defined_[(address_ & 0x3f) / 8] = true;
    } else {
      memory_[place(address_)] = byte;
      if (shifts_) shift(/*left=*/forward_);
    }
    changed_ = now;
    move_on(now);
  }

  void move_on(Nanos now) {
    busy_until_ = now + kData;
    step(forward_);
  }

  /// Moves the address forward or back, wrapping within the memory.
  void step(bool forward) {
    if (in_font_) {
      address_ = (address_ + (forward ? 1 : 0x3f)) & 0x3f;
      return;
    }
    const unsigned next = (place(address_) + (forward ? 1 : kMemory - 1)) % kMemory;
    address_ = two_ && next >= kRow ? next - kRow + kSecond : next;
  }

  void shift(bool left) {
    const unsigned round = two_ ? kRow : kMemory;
    shift_ = (shift_ + (left ? 1 : round - 1)) % round;
  }

  /// The memory index of an address; an invalid address means the end of the row.
  unsigned place(unsigned address) const {
    if (!two_) return address % kMemory;
    return address < kSecond ? address % kRow : kRow + (address - kSecond) % kRow;
  }

  /// The sketch's own characters: `1:040e1f0404040400`, a byte for each of their rows.
  std::string defined() const {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (unsigned code = 0; code < 8; ++code) {
      if (!defined_[code]) continue;
      text += (text.empty() ? "" : " ") + std::to_string(code) + ":";
      for (unsigned row = 0; row < 8; ++row) {
        text += kDigits[font_[code * 8 + row] >> 4];
        text += kDigits[font_[code * 8 + row] & 15];
      }
    }
    return text;
  }

  std::string shows() const {
    std::string text;
    for (unsigned line = 0; line < lines_; ++line) {
      std::string row;
      for (unsigned column = 0; column < columns_; ++column) row += cell(line, column);
      row.erase(row.find_last_not_of(' ') + 1);
      text += (line > 0 ? "\n" : "") + row;
    }
    return text;
  }

  /// Lines 3 and 4 continue lines 1 and 2.
  std::string cell(unsigned line, unsigned column) const {
    if (!on_ || (line % 2 == 1 && !two_)) return " ";
    const unsigned along = column + (line >= 2 ? columns_ : 0) + shift_;
    const unsigned at = two_ ? line % 2 * kRow + along % kRow : along % kMemory;
    return hd44780_character(memory_[at]);
  }

  unsigned columns_, lines_;
  unsigned rs_ = 0;
  std::optional<unsigned> rw_;
  std::vector<unsigned> data_;         // the lowest line first
  std::vector<Pins::Driver> drivers_;  // of the data lines; none without R/W

  // The bus.
  bool enabled_ = false;
  bool wide_ = true;          // eight lines are used
  bool second_half_ = false;  // of a byte in two is next
  uint8_t first_ = 0, answer_ = 0;
  Nanos rose_ = 0, busy_until_ = kPowerOn;

  // Its memory.
  std::array<uint8_t, kMemory> memory_{};
  std::array<uint8_t, 64> font_{};
  std::array<bool, 8> defined_{};
  unsigned address_ = 0, shift_ = 0;
  bool in_font_ = false, two_ = false, on_ = false, cursor_ = false, blinks_ = false;
  bool forward_ = true, shifts_ = false;

  uint64_t commands_ = 0, characters_ = 0, refused_ = 0, short_pulses_ = 0;
  std::optional<Nanos> changed_;
};

}  // namespace

std::unique_ptr<Part> make_hd44780(Workbench& bench, Section& section) {
  return std::make_unique<Hd44780>(bench, section);
}

}  // namespace hocket::sim
