// Kinds of characters against a table made from their definition in ASCII, for every value a sketch
// can pass.
#include <Arduino.h>
#include <gtest/gtest.h>

#include <cctype>

namespace {

TEST(Characters, AgreeWithTheCLocaleInAscii) {
  for (int c = 0; c < 128; ++c) {
    EXPECT_EQ(isAlphaNumeric(c), std::isalnum(c) != 0) << c;
    EXPECT_EQ(isAlpha(c), std::isalpha(c) != 0) << c;
    EXPECT_EQ(isControl(c), std::iscntrl(c) != 0) << c;
    EXPECT_EQ(isDigit(c), std::isdigit(c) != 0) << c;
    EXPECT_EQ(isGraph(c), std::isgraph(c) != 0) << c;
    EXPECT_EQ(isLowerCase(c), std::islower(c) != 0) << c;
    EXPECT_EQ(isPrintable(c), std::isprint(c) != 0) << c;
    EXPECT_EQ(isPunct(c), std::ispunct(c) != 0) << c;
    EXPECT_EQ(isSpace(c), std::isspace(c) != 0) << c;
    EXPECT_EQ(isUpperCase(c), std::isupper(c) != 0) << c;
    EXPECT_EQ(isHexadecimalDigit(c), std::isxdigit(c) != 0) << c;
    EXPECT_EQ(isWhitespace(c), std::isblank(c) != 0) << c;
    EXPECT_EQ(toLowerCase(c), std::tolower(c)) << c;
    EXPECT_EQ(toUpperCase(c), std::toupper(c)) << c;
    EXPECT_TRUE(isAscii(c)) << c;
    EXPECT_EQ(toAscii(c), c);
  }
}

TEST(Characters, BeyondAsciiAreNone) {
  for (int c : {-128, -1, 128, 200, 255, 256 + 'a', 1000}) {
    EXPECT_FALSE(isAlphaNumeric(c) || isControl(c) || isGraph(c) || isPrintable(c) || isPunct(c) ||
                 isSpace(c) || isWhitespace(c) || isHexadecimalDigit(c) || isAscii(c))
        << c;
    EXPECT_EQ(toLowerCase(c), c);
    EXPECT_EQ(toUpperCase(c), c);
  }
  EXPECT_EQ(toAscii(0xC1), 'A');
}

}  // namespace
