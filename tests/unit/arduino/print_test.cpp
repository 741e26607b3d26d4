// Print: numbers against snprintf, floating point against its definition, and how bytes are
// grouped.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cinttypes>
#include <cmath>

#include "text_streams.h"

namespace {

template <typename... Arguments>
std::string printed(Arguments... arguments) {
  Collector out;
  const size_t count = out.print(arguments...);
  EXPECT_EQ(count, out.text.size());
  Collector line;
  const size_t line_count = line.println(arguments...);
  EXPECT_EQ(line_count, line.text.size());
  EXPECT_EQ(line.text, out.text + "\r\n");
  return out.text;
}

std::string formatted(const char* format, auto... values) {
  char text[400];
  snprintf(text, sizeof text, format, values...);
  return text;
}

/// `n` in `base`, digit by digit, the slow way.
std::string in_base(uint64_t n, unsigned base) {
  const std::string digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text;
  while (n >= base) {
    text = digits[n % base] + text;
    n /= base;
  }
  return digits[n] + text;
}

TEST(Print, Table) {
  EXPECT_EQ(printed(0), "0");
  EXPECT_EQ(printed(-78), "-78");
  EXPECT_EQ(printed(78, BIN), "1001110");
  EXPECT_EQ(printed(78, OCT), "116");
  EXPECT_EQ(printed(78, HEX), "4E");
  EXPECT_EQ(printed('N'), "N");
  EXPECT_EQ(printed("Hello"), "Hello");
  EXPECT_EQ(printed(static_cast<const char*>(nullptr)), "");
  EXPECT_EQ(printed(F("flash")), "flash");
  EXPECT_EQ(printed(String("string")), "string");
  EXPECT_EQ(printed(true), "1");
  EXPECT_EQ(printed(static_cast<unsigned char>(200)), "200");
  EXPECT_EQ(printed(static_cast<short>(-3)), "-3");
  EXPECT_EQ(printed(B1010), "10");
  EXPECT_EQ(printed(HIGH), "1");
  EXPECT_EQ(printed(0LL), "0");
  EXPECT_EQ(printed(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(printed(static_cast<long long>(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(printed(UINT64_MAX, HEX), "FFFFFFFFFFFFFFFF");
}

TEST(Print, NegativeNumbersInOtherBasesHave32Bits) {
  EXPECT_EQ(printed(-1, HEX), "FFFFFFFF");
  EXPECT_EQ(printed(-1L, HEX), "FFFFFFFF");
  EXPECT_EQ(printed(-1LL, HEX), "FFFFFFFFFFFFFFFF");
  EXPECT_EQ(printed(-5000000000L, HEX), "FFFFFFFED5FA0E00");
}

TEST(Print, OddBases) {
  EXPECT_EQ(printed(65, 0), "A") << "base 0: the byte itself";
  EXPECT_EQ(printed(65LL, 0), "A");
  EXPECT_EQ(printed(65UL, 0), "A");
  EXPECT_EQ(printed(65, 1), "65") << "base 1 counts as 10";
  EXPECT_EQ(printed(71, 36), "1Z");
  EXPECT_EQ(printed(25, 256), "25");
}

TEST(Print, FloatTable) {
  EXPECT_EQ(printed(1.23456), "1.23");
  EXPECT_EQ(printed(1.23456, 0), "1");
  EXPECT_EQ(printed(1.23456, 4), "1.2346");
  EXPECT_EQ(printed(1.999), "2.00");
  EXPECT_EQ(printed(0.0), "0.00");
  EXPECT_EQ(printed(-0.0), "0.00");
  EXPECT_EQ(printed(-2.5f), "-2.50");
  EXPECT_EQ(printed(-0.001), "-0.00");
  EXPECT_EQ(printed(3.7, 0), "4");
  EXPECT_EQ(printed(5.0, -1), "5.00") << "a negative count of digits is the usual two";
  EXPECT_EQ(printed(NAN), "nan");
  EXPECT_EQ(printed(INFINITY), "inf");
  EXPECT_EQ(printed(-INFINITY), "inf");
  EXPECT_EQ(printed(4294967040.0, 0), "4294967040");
  EXPECT_EQ(printed(4294967041.0), "ovf");
  EXPECT_EQ(printed(-4294967041.0), "ovf");
  EXPECT_EQ(printed(0.5, 100).size(), 102u);
}

RC_GTEST_PROP(Print, Integers, (int64_t n)) {
  RC_ASSERT(printed(static_cast<long long>(n)) == formatted("%" PRId64, n));
  RC_ASSERT(printed(static_cast<long>(n)) == formatted("%" PRId64, n));
  RC_ASSERT(printed(static_cast<unsigned long long>(n)) ==
            formatted("%" PRIu64, static_cast<uint64_t>(n)));
  RC_ASSERT(printed(static_cast<int>(n)) == formatted("%d", static_cast<int>(n)));
  RC_ASSERT(printed(static_cast<unsigned>(n), HEX) == formatted("%X", static_cast<unsigned>(n)));
  RC_ASSERT(printed(static_cast<int>(n), OCT) == formatted("%o", static_cast<unsigned>(n)));
}

RC_GTEST_PROP(Print, AnyBase, (uint64_t n)) {
  const int base = *rc::gen::inRange(2, 37);
  const std::string expected = in_base(n, static_cast<unsigned>(base));
  RC_ASSERT(printed(static_cast<unsigned long>(n), base) == expected);
  RC_ASSERT(printed(static_cast<unsigned long long>(n), base) == expected);
  RC_ASSERT(printed(static_cast<unsigned>(n), base) ==
            in_base(static_cast<unsigned>(n), static_cast<unsigned>(base)));
}

RC_GTEST_PROP(Print, FloatIsWithinHalfAUnitOfItsLastDigit, (int32_t mantissa)) {
  const int scale = *rc::gen::inRange(0, 9);
  const int digits = *rc::gen::inRange(0, 7);
  const double value = mantissa / std::pow(10.0, scale);
  const std::string text = printed(value, digits);
  const size_t point = text.find('.');
  RC_ASSERT((digits == 0 ? point == std::string::npos
                         : text.size() - point - 1 == static_cast<size_t>(digits)));
  RC_ASSERT(std::abs(std::stod(text) - value) <= 0.5 * std::pow(10.0, -digits) + 1e-6);
  // Away from ties it is what snprintf prints.
  const double scaled = std::abs(value) * std::pow(10.0, digits);
  if (std::abs(scaled - std::floor(scaled) - 0.5) > 1e-3) {
    RC_ASSERT(text == formatted("%.*f", digits, value));
  }
}

/// Prints as two pieces.
struct Point : Printable {
  size_t printTo(Print& p) const override { return p.print(1) + p.print(";2"); }
};

TEST(Print, ObjectsPrintThemselves) {
  Collector out;
  EXPECT_EQ(out.print(Point()), 3u);
  EXPECT_EQ(out.println(Point()), 5u);
  EXPECT_EQ(out.text, "1;21;2\r\n");
}

TEST(Print, OneLineIsOneWrite) {
  Grouped out;
  out.println("state: ahead");
  out.println(String("text"));
  out.println(-42);
  out.println(255u, HEX);
  out.println(1.5, 3);
  out.println('x');
  out.println(F("flash"));
  out.println();
  EXPECT_EQ(out.groups,
            (std::vector<std::string>{"state: ahead\r\n", "text\r\n", "-42\r\n", "FF\r\n",
                                      "1.500\r\n", "x\r\n", "flash\r\n", "\r\n"}));
  const std::string longer(100, '=');
  out.println(longer.c_str());
  EXPECT_EQ(out.groups.back(), "\r\n");
  EXPECT_EQ(*(out.groups.end() - 2), longer);
}

TEST(Print, StopsAtTheFirstByteRefused) {
  Collector out;
  out.room = 3;
  EXPECT_EQ(out.print("abcdef"), 3u);
  EXPECT_EQ(out.text, "abc");
  EXPECT_EQ(out.println(5), 0u);
}

TEST(Print, WriteErrors) {
  Collector out;
  EXPECT_EQ(out.getWriteError(), 0);
  out.setWriteError();
  EXPECT_EQ(out.getWriteError(), 1);
  out.clearWriteError();
  EXPECT_EQ(out.getWriteError(), 0);
  EXPECT_EQ(out.availableForWrite(), 0);
  out.flush();
}

TEST(Print, WritesTextWithZeros) {
  Collector out;
  EXPECT_EQ(out.write("a\0b", 3), 3u);
  EXPECT_EQ(out.write("cd"), 2u);
  EXPECT_EQ(out.write(static_cast<const char*>(nullptr)), 0u);
  EXPECT_EQ(out.text, std::string("a\0bcd", 5));
}

}  // namespace
