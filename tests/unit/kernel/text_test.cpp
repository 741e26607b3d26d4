// Sentences without a C library, against the one that the host has.
#include "kernel/base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <climits>
#include <cstdio>
#include <string>
#include <vector>

namespace hocket {
namespace {

TEST(Text, IsPutTogetherFromPieces) {
  const Text<64> text("loop ", 7u, ": ", -3, '%', " of ", uint8_t{200}, ' ', Fixed3{70'005});
  EXPECT_STREQ(text.c_str(), "loop 7: -3% of 200 70.005");
  EXPECT_EQ(text.length(), 25u);
  EXPECT_FALSE(text.cut());
}

TEST(Text, IsAConstantWhereItCanBe) {
  static_assert(Text<8>("a", 1).length() == 2);
  static_assert(Text<1>().c_str()[0] == 0);
  static_assert(Text<1>("a").cut());
}

TEST(Text, EveryKindOfNumberAtItsEnds) {
  EXPECT_STREQ(Text<32>(INT64_MIN).c_str(), "-9223372036854775808");
  EXPECT_STREQ(Text<32>(UINT64_MAX).c_str(), "18446744073709551615");
  EXPECT_STREQ(Text<32>(LLONG_MAX).c_str(), "9223372036854775807");
  EXPECT_STREQ(Text<32>(INT8_MIN).c_str(), "-128") << "a small number, not a character";
  EXPECT_STREQ(Text<32>(0).c_str(), "0");
  EXPECT_STREQ(Text<32>(Fixed3{0}).c_str(), "0.000");
  EXPECT_STREQ(Text<32>(Fixed3{UINT64_MAX}).c_str(), "18446744073709551.615");
}

RC_GTEST_PROP(Text, IsTheHostsPrintf,
              (const std::string& any, long long number, unsigned long long other, char last)) {
  const std::string word = any.c_str();  // up to the first 0
  const auto size = *rc::gen::inRange<size_t>(1, 80);
  std::vector<char> ours(size + 1, 'x');
  std::vector<char> hosts(size + 1, 'x');
  TextWriter writer(ours.data(), size);
  writer.put(word.c_str(), number, "/").put(other, Fixed3{other});
  const int whole = std::snprintf(hosts.data(), size, "%s%lld/%llu%llu.%03llu", word.c_str(),
                                  number, other, other / 1000, other % 1000);
  RC_ASSERT(std::string(writer.c_str()) == hosts.data());
  RC_ASSERT(ours[size] == 'x');
  RC_ASSERT(writer.length() == std::string(hosts.data()).size());
  RC_ASSERT(writer.cut() == (static_cast<size_t>(whole) >= size));
  const size_t before = writer.length();
  writer.put(last == 0 ? 'x' : last);
  RC_ASSERT(writer.length() ==
            before + (before + 1 < size && !(static_cast<size_t>(whole) >= size)));
}

}  // namespace
}  // namespace hocket
