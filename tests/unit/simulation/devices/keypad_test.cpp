// The keypad: what a scan sees, from either side, and what several keys at once look like.
#include "rig.h"

namespace hocket::sim::test {
namespace {

// Rows 2 to 5, columns 6 to 9.
std::string pad(const std::string& presses) {
  return "part keypad pad\nrows 2\nrows 3\nrows 4\nrows 5\n"
         "columns 6\ncolumns 7\ncolumns 8\ncolumns 9\n" +
         presses;
}
std::string press(char key, Nanos at, Nanos length) {
  char text[3];
  std::snprintf(text, sizeof text, "%02x", static_cast<unsigned char>(key));
  return "pressed key=" + std::string(text) + " at=" + std::to_string(at) +
         " for=" + std::to_string(length) + "\n";
}

/// Scans as drivers usually do: rows pulled up, one column low at a time, the others open.
std::string seen(Rig& rig, Nanos now) {
  constexpr const char* kKeys[] = {"123A", "456B", "789C", "*0#D"};
  std::string found;
  for (unsigned row = 0; row < 4; ++row) rig->pin_mode(now, 2 + row, PinMode::InputPullup);
  for (unsigned column = 0; column < 4; ++column) {
    rig->pin_mode(now, 6 + column, PinMode::Output);
    rig->pin_write(now, 6 + column, false);
    for (unsigned row = 0; row < 4; ++row)
      if (rig->pin_read(now, 2 + row) == 0) found += kKeys[row][column];
    rig->pin_write(now, 6 + column, true);
    rig->pin_mode(now, 6 + column, PinMode::Input);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Keypad, EachKeyIsSeenWhileItIsPressed) {
  const std::string keys = "123A456B789C*0#D";
  std::string presses;
  for (size_t i = 0; i < keys.size(); ++i) presses += press(keys[i], ms(10 * i + 2), ms(5));
  Rig rig(pad(presses));
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(seen(rig, ms(10 * i)), "");
    EXPECT_EQ(seen(rig, ms(10 * i + 4)), std::string(1, keys[i]));
  }
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "pad", "presses"), "16");
  EXPECT_EQ(fact(facts, "pad", "edges"), "32");
  EXPECT_EQ(fact(facts, "pad", "scanned"), "16");
  EXPECT_EQ(fact(facts, "pad", "held_at_end"), "\"\"");
  EXPECT_TRUE(rig->notices().empty());
}

TEST(Keypad, ThreeCornersLookLikeFour) {
  Rig rig(pad(press('1', ms(1), s(1)) + press('2', ms(1), s(1)) + press('4', ms(2), s(1))));
  EXPECT_EQ(seen(rig, us(1500)), "12");
  EXPECT_EQ(seen(rig, ms(3)), "1245");
}

TEST(Keypad, KeysInDifferentRowsAndColumnsDoNotMix) {
  Rig rig(pad(press('1', ms(1), s(1)) + press('5', ms(1), s(1)) + press('D', ms(1), s(1))));
  EXPECT_EQ(seen(rig, ms(2)), "15D");
  EXPECT_EQ(fact(rig->finish(ms(3)), "pad", "held_at_end"), "\"15D\"");
}

TEST(Keypad, IsScannedFromTheOtherSideAndWithHighLevelsToo) {
  Rig rig(pad(press('6', ms(1), s(1))));
  rig->pin_mode(ms(2), 8, PinMode::InputPulldown);
  rig->pin_mode(ms(2), 3, PinMode::Output);
  rig->pin_write(ms(2), 3, true);
  EXPECT_EQ(rig->pin_read(ms(2), 8), 1);
  rig->pin_write(ms(3), 3, false);
  EXPECT_EQ(rig->pin_read(ms(3), 8), 0);
}

TEST(Keypad, TwoOutputsThatAKeyJoinsAreAgainstEachOther) {
  Rig rig(pad(press('1', ms(1), ms(1))));
  rig.output(2);
  rig.output(6);
  rig->pin_write(0, 2, true);
  EXPECT_TRUE(rig->notices().empty());
  rig->advance(ms(5));
  ASSERT_FALSE(rig->notices().empty());
  EXPECT_NE(rig->notices()[0].find("two outputs drove pin"), std::string::npos);
  EXPECT_EQ(rig->pin_read(ms(5), 2), 1);  // released
}

TEST(Keypad, BouncesWithinItsTimeAndEndsAsPressed) {
  Rig rig(pad("bounce 3000000\n" + press('5', ms(10), ms(1)) + press('5', us(11'500), ms(20))));
  EXPECT_EQ(seen(rig, us(14'501)), "5");
  EXPECT_EQ(seen(rig, us(34'501)), "");
  EXPECT_GT(number(rig->finish(s(1)), "pad", "edges"), 4 + 2 * 4);
}

TEST(Keypad, MayBeLeftAlone) {
  Rig rig(pad(""));  // whoever watches may press it
  EXPECT_EQ(seen(rig, ms(5)), "");
}

TEST(Keypad, RefusesWhatItCannotBe) {
  EXPECT_THROW(Rig(pad(press('x', 0, 1))), ScenarioError);
  EXPECT_THROW(Rig(pad(press('1', 0, ms(2)) + press('1', ms(1), ms(1)))), ScenarioError);
  EXPECT_THROW(Rig("part keypad pad\nrows 2\ncolumns 2\n" + press('1', 0, 1)), ScenarioError);
  EXPECT_THROW(Rig("part wire w\npins 2\npins 6\n" + pad(press('1', 0, 1))), ScenarioError);
  EXPECT_THROW(Rig("part keypad pad\nrows 2\ncolumns 3\nkeys 4141\n" + press('A', 0, 1)),
               ScenarioError);
}

}  // namespace
}  // namespace hocket::sim::test
