// String: expected results for each function, edge cases first.
#include <Arduino.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace {

std::string plain(const String& text) {
  return text ? std::string(text.c_str()) : "(invalid)";
}

TEST(String, Constructors) {
  EXPECT_EQ(plain(String()), "");
  EXPECT_EQ(plain(String("Hello String")), "Hello String");
  EXPECT_EQ(plain(String("Hello", 4)), "Hell");
  const uint8_t bytes[] = {'a', 'b', 'c'};
  EXPECT_EQ(plain(String(bytes, 2)), "ab");
  EXPECT_EQ(plain(String('a')), "a");
  EXPECT_EQ(plain(String(F("flash"))), "flash");
  EXPECT_EQ(plain(String(13)), "13");
  EXPECT_EQ(plain(String(45, HEX)), "2d") << "lower case here, upper case in print()";
  EXPECT_EQ(plain(String(255, BIN)), "11111111");
  EXPECT_EQ(plain(String(-1, HEX)), "ffffffff");
  EXPECT_EQ(plain(String(-13L)), "-13");
  EXPECT_EQ(plain(String(4000000000UL)), "4000000000");
  EXPECT_EQ(plain(String(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(plain(String(static_cast<unsigned char>(200), HEX)), "c8");
  EXPECT_EQ(plain(String(5.698, 3)), "5.698");
  EXPECT_EQ(plain(String(5.698f)), "5.70");
  EXPECT_EQ(plain(String(-0.004)), "-0.00");
  EXPECT_EQ(plain(String(7.0, 0)), " 7") << "two characters wide, as on AVR";
  EXPECT_EQ(plain(String(1.0 / 3, 200)), "0.3333333333") << "ten decimals at most";
  EXPECT_GT(String(1.7e308, 10).length(), 309u);
  EXPECT_EQ(plain(String(NAN)), " nan");
}

TEST(String, Validity) {
  const String nothing(static_cast<const char*>(nullptr));
  EXPECT_FALSE(nothing);
  EXPECT_EQ(nothing.length(), 0u);
  EXPECT_TRUE(String(""));
  EXPECT_TRUE(nothing == "");
  EXPECT_TRUE(nothing == String());
  EXPECT_EQ(nothing.toInt(), 0);
  EXPECT_EQ(nothing.indexOf("a"), -1);
  EXPECT_EQ(nothing.substring(0).length(), 0u);
  EXPECT_FALSE(nothing.startsWith(""));
  String text("x");
  EXPECT_FALSE(text.concat(static_cast<const char*>(nullptr)));
  EXPECT_FALSE(text.concat(nothing));
  EXPECT_EQ(plain(text), "x");
  text = static_cast<const char*>(nullptr);
  EXPECT_FALSE(text);
  EXPECT_TRUE(text.reserve(0));
  EXPECT_TRUE(text);
  const bool truth = text;
  EXPECT_TRUE(truth);
}

TEST(String, NoMemoryLeavesTheTextAsItWas) {
  String text("kept");
  EXPECT_FALSE(text.reserve(~0u));
  EXPECT_FALSE(text.concat("x", ~0u - 2));
  EXPECT_EQ(plain(text), "kept");
}

TEST(String, CopyAndMove) {
  String a("first");
  String b(a);
  b += '!';
  EXPECT_EQ(plain(a), "first");
  String c(std::move(b));
  EXPECT_EQ(plain(c), "first!");
  EXPECT_FALSE(b);  // NOLINT(bugprone-use-after-move): what is left is an invalid String
  b = "again";
  EXPECT_EQ(plain(b), "again");
  const String& same = a;
  a = same;
  EXPECT_EQ(plain(a), "first");
  a = std::move(c);
  EXPECT_EQ(plain(a), "first!");
  a = F("flash");
  EXPECT_EQ(plain(a), "flash");
  a = a.c_str() + 2;
  EXPECT_EQ(plain(a), "ash") << "a part of itself";
}

TEST(String, Concat) {
  String text;
  text += "text ";
  text += 'c';
  text += 1;
  text += 2u;
  text += 3L;
  text += 4UL;
  text += static_cast<unsigned char>(5);
  text += 1.5f;
  text += 2.25;
  text += F("f");
  text += 6LL;
  text += 7ULL;
  text += String("s");
  EXPECT_EQ(plain(text), "text c123451.502.25f67s");
  text = "ab";
  text += text;
  text += text;
  text += text.c_str() + 6;
  EXPECT_EQ(plain(text), "ababababab") << "itself, while its memory moves";
}

TEST(String, Sums) {
  const String text("x=");
  EXPECT_EQ(plain(text + 5), "x=5");
  EXPECT_EQ(plain(text + 5 + ',' + 1.5 + " end"), "x=5,1.50 end");
  EXPECT_EQ(plain("<" + text + ">"), "<x=>");
  EXPECT_EQ(plain(text + text), "x=x=");
  EXPECT_EQ(plain(text + F("f")), "x=f");
  EXPECT_EQ(plain(1 + String("+") + 2), "1+2");
  EXPECT_EQ(plain(text + A0), "x=54");
  EXPECT_EQ(plain(text + true), "x=1");
  EXPECT_EQ(plain(text + HIGH), "x=1");
  EXPECT_EQ(plain(text + static_cast<long long>(-9)), "x=-9");
  EXPECT_EQ(plain(text), "x=") << "a sum leaves its parts alone";
  EXPECT_FALSE(text + static_cast<const char*>(nullptr)) << "without its part the sum is invalid";
  StringSumHelper sum = text + 1;
  EXPECT_EQ(plain(sum + 2), "x=12");
  EXPECT_EQ(plain(sum), "x=1");
}

TEST(String, Compare) {
  const String a("apple");
  const String b("banana");
  EXPECT_TRUE(a == "apple" && "apple" == a && a == String("apple"));
  EXPECT_TRUE(a != b && a != "banana" && "banana" != a);
  EXPECT_TRUE(a < b && a < "banana" && "aaa" < a);
  EXPECT_TRUE(b > a && b > "apple" && "zoo" > a);
  EXPECT_TRUE(a <= "apple" && a <= b && "apple" <= a);
  EXPECT_TRUE(b >= a && a >= "apple" && "apple" >= a);
  EXPECT_EQ(a.compareTo(b), 'a' - 'b');
  EXPECT_EQ(String("abc").compareTo("ab"), 'c');
  EXPECT_EQ(String("ab").compareTo("abc"), -'c');
  EXPECT_GT(String("\xff").compareTo("a"), 0) << "characters are unsigned";
  EXPECT_TRUE(a.equalsIgnoreCase("APPLE"));
  EXPECT_FALSE(a.equalsIgnoreCase("APPLES"));
  EXPECT_FALSE(a.equals("apples"));
  EXPECT_TRUE(a.startsWith("app"));
  EXPECT_TRUE(a.startsWith(""));
  EXPECT_TRUE(a.startsWith("ple", 2));
  EXPECT_FALSE(a.startsWith("ple", 3));
  EXPECT_FALSE(a.startsWith("apples"));
  EXPECT_TRUE(a.endsWith("ple"));
  EXPECT_FALSE(a.endsWith("an apple"));
}

TEST(String, Characters) {
  String text("sensor");
  EXPECT_EQ(text.charAt(0), 's');
  EXPECT_EQ(text.charAt(6), '\0');
  text.setCharAt(0, 'S');
  text.setCharAt(6, '!');
  text[5] = 'R';
  text[100] = 'x';
  EXPECT_EQ(plain(text), "SensoR");
  EXPECT_EQ(text[100], '\0');
  std::string collected;
  for (char c : text) collected += c;
  EXPECT_EQ(collected, "SensoR");
  char out[5];
  text.toCharArray(out, sizeof out);
  EXPECT_STREQ(out, "Sens");
  text.toCharArray(out, sizeof out, 4);
  EXPECT_STREQ(out, "oR");
  text.toCharArray(out, sizeof out, 50);
  EXPECT_STREQ(out, "");
  text.toCharArray(out, 0);
  text.getBytes(nullptr, 5);
}

TEST(String, Search) {
  const String text("<HTML><HEAD><BODY>");
  EXPECT_EQ(text.indexOf('>'), 5);
  EXPECT_EQ(text.indexOf('>', 6), 11);
  EXPECT_EQ(text.indexOf("<BODY>"), 12);
  EXPECT_EQ(text.indexOf("<", 1), 6);
  EXPECT_EQ(text.indexOf("nothing"), -1);
  EXPECT_EQ(text.indexOf('<', 18), -1);
  EXPECT_EQ(text.indexOf(""), 0);
  EXPECT_EQ(text.lastIndexOf('<'), 12);
  EXPECT_EQ(text.lastIndexOf('<', 11), 6);
  EXPECT_EQ(text.lastIndexOf('<', 18), -1) << "the start must be inside the text";
  EXPECT_EQ(text.lastIndexOf("<"), 12);
  EXPECT_EQ(text.lastIndexOf("<", 11), 6);
  EXPECT_EQ(text.lastIndexOf("<BODY>", 100), 12);
  EXPECT_EQ(text.lastIndexOf(""), -1);
  EXPECT_EQ(String().lastIndexOf('a'), -1);
  EXPECT_EQ(String("ab").lastIndexOf("abc"), -1);
}

TEST(String, Substring) {
  const String text("Content-Type: text/html");
  EXPECT_EQ(plain(text.substring(19)), "html");
  EXPECT_EQ(plain(text.substring(14, 18)), "text");
  EXPECT_EQ(plain(text.substring(18, 14)), "text") << "the wrong way round";
  EXPECT_EQ(plain(text.substring(19, 1000)), "html");
  EXPECT_EQ(plain(text.substring(23)), "");
  EXPECT_EQ(plain(text.substring(5, 5)), "");
}

TEST(String, Change) {
  String text("hello world");
  text.replace('o', '0');
  EXPECT_EQ(plain(text), "hell0 w0rld");
  text.replace("0", "oo");
  EXPECT_EQ(plain(text), "helloo woorld");
  text.replace("oo", "");
  EXPECT_EQ(plain(text), "hell wrld");
  text.replace("xyz", "longer than anything here");
  text.replace("", "x");
  EXPECT_EQ(plain(text), "hell wrld");
  text.remove(4);
  EXPECT_EQ(plain(text), "hell");
  text.remove(1, 2);
  EXPECT_EQ(plain(text), "hl");
  text.remove(5);
  text.remove(0, 0);
  EXPECT_EQ(plain(text), "hl");
  text = " \t Mixed Case\r\n ";
  text.trim();
  EXPECT_EQ(plain(text), "Mixed Case");
  text.toUpperCase();
  EXPECT_EQ(plain(text), "MIXED CASE");
  text.toLowerCase();
  EXPECT_EQ(plain(text), "mixed case");
  text = "   ";
  text.trim();
  EXPECT_TRUE(text.isEmpty());
}

TEST(String, Numbers) {
  EXPECT_EQ(String("123abc").toInt(), 123);
  EXPECT_EQ(String("  -45").toInt(), -45);
  EXPECT_EQ(String("abc").toInt(), 0);
  EXPECT_FLOAT_EQ(String("3.25x").toFloat(), 3.25f);
  EXPECT_DOUBLE_EQ(String("-1e3").toDouble(), -1000);
  EXPECT_EQ(String("").toFloat(), 0);
}

TEST(String, AppendingCharactersSeldomMovesTheText) {
  String text;
  const char* where = nullptr;
  int moves = 0;
  for (int i = 0; i < 160; ++i) {
    text += 'x';
    // Memory comes in steps of 16 bytes: the address can change at a step only.
    if (text.c_str() != where) {
      EXPECT_EQ(i % 16, i == 0 ? 0 : 15) << i;
      ++moves;
    }
    where = text.c_str();
  }
  EXPECT_LE(moves, 11);
  EXPECT_EQ(text.length(), 160u);
}

}  // namespace
