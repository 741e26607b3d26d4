// A display of 128 by 64 or 32 points with Solomon Systech's SSD1306 on the I²C bus (data sheet,
// revision 1.1: 8.1.5.2 for control bytes, 9 and 10 for commands).
//
// On modules as they are sold the picture stands upright with both remaps set (A1, C8); without
// one it is mirrored. Scrolling is taken as a command, and the picture stays.

#include "simulation/parts/part.h"
#include "simulation/parts/picture.h"

namespace hocket::sim {
namespace {

constexpr unsigned kWidth = 128, kPages = 8, kRows = 64;

/// How many bytes belong to a command, besides itself.
unsigned arguments_of(uint8_t command) {
  switch (command) {
    case 0x26:
    case 0x27:
      return 6;
    case 0x29:
    case 0x2a:
      return 5;
    case 0x21:
    case 0x22:
    case 0xa3:
      return 2;
    case 0x20:
    case 0x81:
    case 0x8d:
    case 0xa8:
    case 0xd3:
    case 0xd5:
    case 0xd9:
    case 0xda:
    case 0xdb:
      return 1;
    default:
      return 0;
  }
}

class Ssd1306 final : public Part, private I2cTarget {
 public:
  Ssd1306(Workbench& bench, Section& section)
      : Part(bench, section),
        height_(static_cast<unsigned>(section.number_or("height", 64, 16, 64))),
        file_(section.text_or("picture", "")) {
    connect_i2c(section, *this, 0x3c);
  }

  void facts(Facts& facts, Nanos) const override {
    const Picture picture = shown();
    facts.flag("on", on_);
    facts.flag("inverted", inverted_);
    facts.count("contrast", contrast_);
    facts.count("lit", picture.lit());
    facts.count("commands", commands_);
    facts.count("bytes_of_picture", bytes_);
    facts.micros("last_change_us", last_change_);
    facts.json("rows", rows_of(picture));
  }
  void ended(Nanos) override {
    if (!file_.empty()) shown().save(file_);
  }
  void live(Facts& facts, Nanos, Nanos) const override {
    facts.count("width", kWidth);
    facts.count("height", height_);
    facts.flag("on", on_);
    facts.json("rows", rows_of(shown()));
  }

 private:
  std::string rows_of(const Picture& picture) const {
    std::string rows;
    for (unsigned y = 0; y < height_; ++y)
      rows += (y == 0 ? "\"" : ", \"") + hex(picture.row(y)) + '"';
    return "[" + rows + "]";
  }

  enum class Mode : uint8_t { Horizontal, Vertical, Page };

  static std::string hex(const std::string& bytes) {
    std::string digits;
    for (const char byte : bytes) {
      digits += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
      digits += "0123456789abcdef"[byte & 15];
    }
    return digits;
  }

  bool addressed(Nanos, bool) override {
    control_wanted_ = true;
    return true;
  }
  bool takes(Nanos now, uint8_t byte) override {
    if (control_wanted_) {
      is_data_ = (byte & 0x40) != 0;
      one_byte_ = (byte & 0x80) != 0;
      control_wanted_ = false;
      return true;
    }
    if (is_data_) {
      put(now, byte);
    } else {
      take_command(byte);
    }
    control_wanted_ = one_byte_;
    return true;
  }
  /// The status: bit 6 is set while the display is off.
  uint8_t gives(Nanos) override { return on_ ? 0x00 : 0x40; }

  void put(Nanos now, uint8_t byte) {
    ++bytes_;
    last_change_ = now;
    ram_[page_][column_] = byte;
    if (mode_ == Mode::Vertical) {
      if (step_page()) step_column(first_column_, last_column_);
    } else if (mode_ == Mode::Horizontal) {
      if (step_column(first_column_, last_column_)) step_page();
    } else {
      step_column(0, kWidth - 1);
    }
  }
  /// Goes on, and from the last one back to the first: true. The last one may be before the place:
  /// then it goes all the way round.
  static bool step(unsigned& place, unsigned first, unsigned last, unsigned places) {
    const bool round = place == last;
    place = round ? first : (place + 1) % places;
    return round;
  }
  bool step_column(unsigned first, unsigned last) { return step(column_, first, last, kWidth); }
  bool step_page() { return step(page_, first_page_, last_page_, kPages); }

  void take_command(uint8_t byte) {
    if (left_ == 0) {
      command_ = byte;
      left_ = arguments_of(byte);
      arguments_.clear();
      ++commands_;
    } else {
      --left_;
      arguments_.push_back(byte);
    }
    if (left_ == 0) act();
  }

  void act() {
    const auto argument = [&](size_t i) { return unsigned{arguments_[i]}; };
    switch (command_) {
      case 0x20:
        mode_ = static_cast<Mode>(std::min(argument(0) & 3, 2u));
        return;
      case 0x21:
        column_ = first_column_ = argument(0) % kWidth;
        last_column_ = argument(1) % kWidth;
        return;
      case 0x22:
        page_ = first_page_ = argument(0) % kPages;
        last_page_ = argument(1) % kPages;
        return;
      case 0x81:
        contrast_ = argument(0);
        return;
      case 0xd3:
        offset_ = argument(0) % kRows;
        return;
      default:
        break;
    }
    const unsigned low = command_ & 0x0f;
    if (command_ < 0x10)
      column_ = (column_ & 0x70) | low;
    else if (command_ < 0x20)
      column_ = (column_ & 0x0f) | (low & 7) << 4;
    else if (command_ >= 0x40 && command_ < 0x80)
      start_line_ = command_ & 0x3f;
    else if (command_ >= 0xb0 && command_ < 0xb8)
      page_ = command_ & 7;
    else if ((command_ & 0xfe) == 0xa0)
      columns_turned_ = (command_ & 1) != 0;
    else if ((command_ & 0xfe) == 0xa4)
      all_on_ = (command_ & 1) != 0;
    else if ((command_ & 0xfe) == 0xa6)
      inverted_ = (command_ & 1) != 0;
    else if ((command_ & 0xfe) == 0xae)
      on_ = (command_ & 1) != 0;
    else if ((command_ & 0xf0) == 0xc0)
      rows_turned_ = (command_ & 8) != 0;
  }

  /// The picture as it appears on the module.
  Picture shown() const {
    Picture picture(kWidth, height_);
    if (!on_) return picture;
    for (unsigned y = 0; y < height_; ++y) {
      const unsigned row = ((rows_turned_ ? y : height_ - 1 - y) + start_line_ + offset_) % kRows;
      for (unsigned x = 0; x < kWidth; ++x) {
        const unsigned column = columns_turned_ ? x : kWidth - 1 - x;
        const bool lit = all_on_ || (ram_[row / 8][column] >> row % 8 & 1) != 0;
        picture.set(x, y, lit != inverted_);
      }
    }
    return picture;
  }

  unsigned height_;
  std::string file_;
  uint8_t ram_[kPages][kWidth] = {};
  bool control_wanted_ = true, is_data_ = false, one_byte_ = false;
  uint8_t command_ = 0;
  unsigned left_ = 0;  // bytes that the command lacks
  std::vector<uint8_t> arguments_;
  Mode mode_ = Mode::Page;
  unsigned column_ = 0, first_column_ = 0, last_column_ = kWidth - 1;
  unsigned page_ = 0, first_page_ = 0, last_page_ = kPages - 1;
  unsigned start_line_ = 0, offset_ = 0, contrast_ = 0x7f;
  bool on_ = false, inverted_ = false, all_on_ = false;
  bool columns_turned_ = false, rows_turned_ = false;
  uint64_t commands_ = 0, bytes_ = 0;
  std::optional<Nanos> last_change_;
};

}  // namespace

std::unique_ptr<Part> make_ssd1306(Workbench& bench, Section& section) {
  return std::make_unique<Ssd1306>(bench, section);
}

}  // namespace hocket::sim
