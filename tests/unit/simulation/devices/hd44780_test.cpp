// The display of characters: both widths of its bus, what it shows, what it does not take.
#include "rig.h"

namespace hocket::sim::test {
namespace {

constexpr unsigned kRs = 12, kRw = 10, kEnable = 11, kFirst = 2;

/// A driver as data sheets have it, on pins 2 and up for the data.
class Display {
 public:
  Display(unsigned width, const std::string& more = "") : width_(width), rig_(text(width, more)) {
    for (const unsigned pin : {kRs, kRw, kEnable}) rig_.output(pin);
    for (unsigned line = 0; line < width; ++line) rig_.output(kFirst + line);
    now_ = ms(20);
  }
  void begin(bool two = true) {
    const uint8_t function = width_ == 8 ? 0x30 : 0x20;
    if (width_ == 4) {
      for (const uint8_t half : {3, 3, 3, 2}) {
        rig_->pin_write(now_, kRs, false);
        pulse(half);
        now_ += ms(5);
      }
    }
    command(static_cast<uint8_t>(function | (two ? 8 : 0)));
    command(0x0c);
    command(0x01);
    now_ += ms(2);
    command(0x06);
  }
  void command(uint8_t byte) { send(byte, false); }
  void print(const std::string& text) {
    for (const char each : text) send(static_cast<uint8_t>(each), true);
  }
  void send(uint8_t byte, bool data) {
    rig_->pin_write(now_, kRs, data);
    rig_->pin_write(now_, kRw, false);
    if (width_ == 4) pulse(byte >> 4);
    pulse(byte);
    now_ += wait_;
  }
  uint8_t read(bool data) {
    rig_->pin_write(now_, kRs, data);
    rig_->pin_write(now_, kRw, true);
    for (unsigned line = 0; line < width_; ++line)
      rig_->pin_mode(now_, kFirst + line, PinMode::Input);
    unsigned byte = 0;
    for (unsigned turn = 0; turn < 8 / width_; ++turn) {
      rig_->pin_write(now_, kEnable, true);
      now_ += us(1);
      unsigned half = 0;
      for (unsigned line = 0; line < width_; ++line)
        half |= static_cast<unsigned>(rig_->pin_read(now_, kFirst + line)) << line;
      byte = byte << width_ | half;
      rig_->pin_write(now_, kEnable, false);
      now_ += us(1);
    }
    rig_->pin_write(now_, kRw, false);
    for (unsigned line = 0; line < width_; ++line)
      rig_->pin_mode(now_, kFirst + line, PinMode::Output);
    return static_cast<uint8_t>(byte);
  }
  std::string fact(const std::string& key) { return test::fact(rig_->finish(now_), "lcd", key); }

  unsigned width_;
  Nanos wait_ = us(100);
  Nanos now_ = 0;
  Nanos pulse_ = us(1);
  Rig rig_;

 private:
  static std::string text(unsigned width, const std::string& more) {
    std::string lines = "part hd44780 lcd\nrs 12\nrw 10\nenable 11\n" + more;
    for (unsigned line = 0; line < width; ++line)
      lines += "data " + std::to_string(kFirst + line) + "\n";
    return lines;
  }
  void pulse(unsigned lines) {
    for (unsigned line = 0; line < width_; ++line)
      rig_->pin_write(now_, kFirst + line, (lines >> line & 1) != 0);
    rig_->pin_write(now_, kEnable, true);
    now_ += pulse_;
    rig_->pin_write(now_, kEnable, false);
    now_ += pulse_;
  }
};

class Widths : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Hd44780, Widths, testing::Values(4, 8));

TEST_P(Widths, ShowsTextInBothLines) {
  Display lcd(GetParam());
  lcd.begin();
  lcd.print("Hello");
  lcd.command(0x80 | 0x43);
  lcd.print("World");
  EXPECT_EQ(lcd.fact("shows"), R"("Hello\u000a   World")");
  EXPECT_EQ(lcd.fact("characters"), "10");
  EXPECT_EQ(lcd.fact("refused_while_busy"), "0");
  EXPECT_EQ(lcd.fact("on"), "true");
}

TEST_P(Widths, AnswersWhereItIsAndWhatIsThere) {
  Display lcd(GetParam());
  lcd.begin();
  lcd.print("AB");
  EXPECT_EQ(lcd.read(false), 2);
  lcd.command(0x81);
  EXPECT_EQ(lcd.read(false), 0x81 - 0x80);
  EXPECT_EQ(lcd.read(true), 'B');
  lcd.now_ += us(50);
  EXPECT_EQ(lcd.read(false), 2);
  lcd.wait_ = 0;
  lcd.command(0x01);
  EXPECT_EQ(lcd.read(false), 0x80);  // busy
  lcd.now_ += ms(2);
  EXPECT_EQ(lcd.read(false), 0);
  EXPECT_TRUE(lcd.rig_->notices().empty());
}

TEST(Hd44780, TakesNothingWhileItWorks) {
  Display lcd(4);
  lcd.begin();
  lcd.wait_ = us(20);
  lcd.print("abcdef");
  EXPECT_EQ(lcd.fact("shows"), R"("ace\u000a")");
  EXPECT_EQ(lcd.fact("refused_while_busy"), "3");
}

TEST(Hd44780, IsNotReadyRightAfterPowerOn) {
  Display lcd(8);
  lcd.now_ = ms(1);
  lcd.command(0x38);
  lcd.command(0x0c);
  EXPECT_EQ(lcd.fact("on"), "false");
  EXPECT_EQ(lcd.fact("refused_while_busy"), "2");
}

TEST(Hd44780, ShortPulsesAreNotSeen) {
  Display lcd(8);
  lcd.begin();
  lcd.pulse_ = 200;
  lcd.print("x");
  EXPECT_EQ(lcd.fact("shows"), R"("\u000a")");
  EXPECT_EQ(lcd.fact("short_pulses"), "1");
}

TEST(Hd44780, CharactersOfItsOwnAndOfItsFont) {
  Display lcd(4);
  lcd.begin();
  lcd.command(0x40 | 8);
  for (const uint8_t row : {0x04, 0x0e, 0x1f, 0x04, 0x04, 0x04, 0x04, 0x00}) lcd.send(row, true);
  lcd.command(0x80);
  lcd.print(
      "\x01 \xdf"
      "C \x7e");
  EXPECT_EQ(lcd.fact("shows"), R"("① °C →\u000a")");
  EXPECT_EQ(lcd.fact("defined"), "\"1:040e1f0404040400\"");
}

TEST(Hd44780, ShiftsAndGoesBack) {
  Display lcd(4);
  lcd.begin();
  lcd.print("0123456789");
  for (int i = 0; i < 3; ++i) lcd.command(0x18);
  EXPECT_EQ(lcd.fact("shows"), R"("3456789\u000a")");
  lcd.command(0x1c);
  EXPECT_EQ(lcd.fact("shows"), R"("23456789\u000a")");
  lcd.command(0x02);
  lcd.now_ += ms(2);
  lcd.print("x");
  EXPECT_EQ(lcd.fact("shows"), R"("x123456789\u000a")");
}

TEST(Hd44780, WritesToTheLeftAndShiftsAsItWrites) {
  Display lcd(4);
  lcd.begin();
  lcd.command(0x80 | 5);
  lcd.command(0x04);
  lcd.print("abc");
  EXPECT_EQ(lcd.fact("shows"), R"("   cba\u000a")");
  lcd.command(0x80 | 0x10);
  lcd.command(0x07);
  lcd.print("xyz");
  EXPECT_EQ(lcd.fact("shows"), R"("cba          xyz\u000a")");
}

TEST(Hd44780, FourLinesGoOnWhereTheFirstTwoEnd) {
  Display lcd(4, "columns 20\nlines 4\n");
  lcd.begin();
  for (const uint8_t at : {0x00, 0x40, 0x14, 0x54}) {
    lcd.command(static_cast<uint8_t>(0x80 | at));
    lcd.print(std::to_string(at));
  }
  EXPECT_EQ(lcd.fact("shows"), R"("0\u000a64\u000a20\u000a84")");
}

TEST(Hd44780, OneLineIsAllOfItsMemory) {
  Display lcd(8, "columns 8\nlines 1\n");
  lcd.begin(/*two=*/false);
  lcd.command(0x80 | 0x4f);
  lcd.print("ab");  // the last place, and round to the first
  EXPECT_EQ(lcd.fact("shows"), R"("b")");
  lcd.command(0x1c);
  EXPECT_EQ(lcd.fact("shows"), R"("ab")");
}

TEST(Hd44780, ShowsNothingWhenOff) {
  Display lcd(4);
  lcd.begin();
  lcd.print("x");
  lcd.command(0x08);
  EXPECT_EQ(lcd.fact("shows"), R"("\u000a")");
  lcd.command(0x0f);
  EXPECT_EQ(lcd.fact("shows"), R"("x\u000a")");
  EXPECT_EQ(lcd.fact("cursor"), "true");
  EXPECT_EQ(lcd.fact("blinks"), "true");
}

TEST(Hd44780, RefusesWhatItCannotBe) {
  const std::string bus = "part hd44780 lcd\nrs 12\nenable 11\n";
  EXPECT_THROW(Rig(bus + "data 1\ndata 2\ndata 3\n"), ScenarioError);
  EXPECT_THROW(Rig(bus + "data 1\ndata 2\ndata 3\ndata 4\ndata 5\n"), ScenarioError);
  EXPECT_THROW(Rig(bus + "data 1\ndata 2\ndata 3\ndata 11\n"), ScenarioError);
  EXPECT_THROW(Rig(bus + "columns 40\nlines 4\ndata 1\ndata 2\ndata 3\ndata 4\n"), ScenarioError);
}

}  // namespace
}  // namespace hocket::sim::test
