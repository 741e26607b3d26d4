// Serial lines at any two pins: edges in time, what is heard, lines that there are.

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

constexpr unsigned kFirstLine = 4;

TEST(SerialAtPins, EdgesAreAtTheExactBitTimes) {
  Rig rig;
  const int port = rig->serial_line(0, 8, 9, false);
  ASSERT_EQ(port, static_cast<int>(kFirstLine));
  rig->pin_write(0, 9, true);
  rig->pin_mode(0, 9, sys::PinMode::Output);
  ASSERT_TRUE(rig->serial_begin(0, kFirstLine, 9600));
  ASSERT_EQ(rig.write(us(10), kFirstLine, "\x55\x55"), 2u);
  // 0x55, lowest bit first, is an edge at each bit: low, high, low, … high.
  for (unsigned bit = 0; bit < 20; ++bit) {
    const Nanos edge = us(10) + bit * Nanos{1'000'000'000} / 9600;
    if (bit == 10) continue;  // the second byte begins where the first one's stop bit ends
    EXPECT_EQ(rig->pin_read(edge + 1, 9), static_cast<int>(bit % 2)) << bit;
  }
  EXPECT_EQ(rig->pin_read(ms(50), 9), 1) << "idle";
}

TEST(SerialAtPins, WhatIsSentIsHeard) {
  for (const bool inverted : {false, true}) {
    for (const uint32_t baud : {300u, 9600u, 115'200u, 2'000'000u}) {
      Rig rig("part wire w\npins 2\npins 3\n");
      const auto out = static_cast<unsigned>(rig->serial_line(0, 70, 3, inverted));
      const auto in = static_cast<unsigned>(rig->serial_line(0, 2, 99, inverted));
      ASSERT_EQ(in, out + 1);
      rig->pin_write(0, 3, !inverted);
      rig->pin_mode(0, 3, sys::PinMode::Output);
      ASSERT_TRUE(rig->serial_begin(us(1), out, baud));
      ASSERT_TRUE(rig->serial_begin(us(1), in, baud));
      rig->serial_listen(us(1), in, true);
      std::string all;
      for (int byte = 0; byte < 60; ++byte) all += static_cast<char>(byte * 37);
      EXPECT_EQ(rig.write(us(2), out, all), all.size());
      std::string got;
      for (int byte = 0; (byte = rig->serial_read(s(3), in)) >= 0;) got += static_cast<char>(byte);
      EXPECT_EQ(got, all) << baud << inverted;
    }
  }
}

TEST(SerialAtPins, ListeningBeginsEmptyAndAFullBufferIsTold) {
  Rig rig("part wire w\npins 2\npins 3\n");
  const auto out = static_cast<unsigned>(rig->serial_line(0, 70, 3, false));
  const auto in = static_cast<unsigned>(rig->serial_line(0, 2, 99, false));
  rig->pin_write(0, 3, true);
  rig->pin_mode(0, 3, sys::PinMode::Output);
  rig->serial_begin(0, out, 10'000);
  rig->serial_begin(0, in, 10'000);
  rig.write(0, out, "unheard");
  EXPECT_EQ(rig->serial_available(ms(20), in), 0u);
  rig->serial_listen(ms(20), in, true);
  rig.write(ms(20), out, std::string(40, 'a'));
  EXPECT_EQ(rig->serial_available(ms(70), in), 40u);
  EXPECT_FALSE(rig->serial_overflowed(ms(70), in));
  rig.write(ms(70), out, std::string(30, 'b'));
  EXPECT_EQ(rig->serial_available(ms(120), in), 64u);
  EXPECT_TRUE(rig->serial_overflowed(ms(120), in));
  EXPECT_FALSE(rig->serial_overflowed(ms(120), in)) << "since it was last asked";
  rig->serial_listen(ms(120), in, true);
  EXPECT_EQ(rig->serial_available(ms(120), in), 0u);
  rig->finish(s(1));
  EXPECT_NE(rig->serial_facts().find("\"unheard_bytes\": 7"), std::string::npos)
      << rig->serial_facts();
  ASSERT_EQ(rig->notices().size(), 1u);
  EXPECT_NE(rig->notices()[0].find("7 bytes came while it was not listening"), std::string::npos);
}

TEST(SerialAtPins, AnotherRateIsBrokenBytes) {
  Rig rig("part wire w\npins 2\npins 3\n");
  const auto out = static_cast<unsigned>(rig->serial_line(0, 70, 3, false));
  const auto in = static_cast<unsigned>(rig->serial_line(0, 2, 99, false));
  rig->pin_write(0, 3, true);
  rig->pin_mode(0, 3, sys::PinMode::Output);
  rig->serial_begin(0, out, 4800);
  rig->serial_begin(0, in, 9600);
  rig->serial_listen(0, in, true);
  rig.write(0, out, std::string(4, '\0'));
  EXPECT_EQ(rig->serial_available(s(1), in), 0u);
  rig->finish(s(1));
  EXPECT_EQ(rig->serial_facts().find("\"broken_bytes\": 0, \"unheard_bytes\": 0}]"),
            std::string::npos);
}

TEST(SerialAtPins, EightLinesAndTheSameForTheSamePins) {
  Rig rig;
  for (unsigned line = 0; line < sys::kSerialLines; ++line) {
    EXPECT_EQ(rig->serial_line(0, line, line + 20, false), static_cast<int>(kFirstLine + line));
    EXPECT_EQ(rig->serial_line(0, line, line + 20, false), static_cast<int>(kFirstLine + line));
  }
  EXPECT_EQ(rig->serial_line(0, 40, 41, false), -1);
  EXPECT_EQ(rig->serial_line(0, 70, ~0u, false), -1);
  EXPECT_EQ(rig->serial_line(0, 3, 23, false), static_cast<int>(kFirstLine + 3));
  EXPECT_EQ(rig->serial_line(0, 3, 23, true), -1) << "is another line";
  EXPECT_FALSE(rig->serial_begin(0, kFirstLine + sys::kSerialLines, 9600));
  EXPECT_FALSE(rig->serial_overflowed(0, 0));
  rig->serial_listen(0, ~0u, true);
}

}  // namespace
}  // namespace hocket::sim::test
