// Stream: numbers and texts out of bytes, and waiting for bytes that come late or never.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake_system.h"
#include "text_streams.h"

namespace {

constexpr uint64_t kMillisecond = 1000000;

class Streams : public ::testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
};

long integer(const char* text, LookaheadMode mode = SKIP_ALL, char ignore = '\x01') {
  return TextStream(text).parseInt(mode, ignore);
}
float real(const char* text, LookaheadMode mode = SKIP_ALL, char ignore = '\x01') {
  return TextStream(text).parseFloat(mode, ignore);
}

TEST_F(Streams, ParseInt) {
  EXPECT_EQ(integer("42"), 42);
  EXPECT_EQ(integer("x = -17;"), -17);
  EXPECT_EQ(integer(""), 0);
  EXPECT_EQ(integer("no digits"), 0);
  EXPECT_EQ(integer("1,000,000 km", SKIP_ALL, ','), 1000000);
  EXPECT_EQ(integer("12-5"), 12);
  EXPECT_EQ(integer("-"), 0);
  EXPECT_EQ(integer("--5"), 0) << "the second sign ends the number";
  EXPECT_EQ(integer(" \t\r\n8", SKIP_WHITESPACE), 8);
  EXPECT_EQ(integer("x8", SKIP_WHITESPACE), 0);
  EXPECT_EQ(integer("8", SKIP_NONE), 8);
  EXPECT_EQ(integer(" 8", SKIP_NONE), 0);
}

TEST_F(Streams, ParsingLeavesTheRest) {
  TextStream stream("12,34 rest");
  EXPECT_EQ(stream.parseInt(), 12);
  EXPECT_EQ(stream.rest(), ",34 rest");
  EXPECT_EQ(stream.parseInt(SKIP_NONE), 0);
  EXPECT_EQ(stream.rest(), ",34 rest") << "SKIP_NONE takes nothing that is no number";
  EXPECT_EQ(stream.parseInt(), 34);
  EXPECT_EQ(stream.rest(), " rest");
}

TEST_F(Streams, ParseFloat) {
  EXPECT_FLOAT_EQ(real("3.14"), 3.14f);
  EXPECT_FLOAT_EQ(real("temp: -0.5C"), -0.5f);
  EXPECT_FLOAT_EQ(real(".25"), 0.25f);
  EXPECT_FLOAT_EQ(real("7"), 7);
  EXPECT_FLOAT_EQ(real("1.2.3"), 1.2f);
  EXPECT_FLOAT_EQ(real("1 234.5", SKIP_ALL, ' '), 1234.5f);
  EXPECT_FLOAT_EQ(real("x1", SKIP_NONE), 0);
  EXPECT_FLOAT_EQ(real(""), 0);
  EXPECT_FLOAT_EQ(real("123456789012.5"), 123456789012.5f) << "more digits than an integer holds";
  const std::string many(400, '3'), zeros(400, '0');
  EXPECT_FLOAT_EQ(real(("1." + many).c_str()), 1.3333333f) << "more decimals than the range";
  EXPECT_FLOAT_EQ(real(("0." + zeros + "1").c_str()), 0);
  EXPECT_FLOAT_EQ(real("602200000000000000000000.00"), 6.022e23f);
}

RC_GTEST_FIXTURE_PROP(Streams, NumbersComeBack, (int32_t n)) {
  reset_fake();
  TextStream stream("abc" + std::to_string(n) + ";");
  RC_ASSERT(stream.parseInt() == n);
  RC_ASSERT(stream.rest() == ";");
  TextStream decimal(std::to_string(n) + ".5");
  const float expected = std::stof(std::to_string(n) + ".5");
  RC_ASSERT(decimal.parseFloat() == expected);
}

TEST_F(Streams, Find) {
  TextStream stream("11112 then");
  EXPECT_TRUE(stream.find("1112")) << "a match may begin inside one that failed";
  EXPECT_EQ(stream.rest(), " then");
  EXPECT_FALSE(stream.find("missing"));
  EXPECT_EQ(stream.rest(), "");
  EXPECT_TRUE(TextStream("abc").find('b'));
  EXPECT_TRUE(TextStream("abc").find("")) << "nothing is found at once";
  EXPECT_TRUE(TextStream("abc").find("bcd", 2));
}

TEST_F(Streams, FindUntil) {
  TextStream stream("key=1;key=2");
  EXPECT_TRUE(stream.findUntil("key=", ";"));
  EXPECT_FALSE(stream.findUntil("=2", ";")) << "the terminator comes first";
  EXPECT_EQ(stream.rest(), "key=2");
  EXPECT_TRUE(stream.findUntil("=2", ";"));
}

RC_GTEST_FIXTURE_PROP(Streams, FindsWhatIsThere, ()) {
  reset_fake();
  const auto letters = rc::gen::container<std::string>(rc::gen::element('a', 'b'));
  const std::string text = *letters;
  const std::string what = *rc::gen::nonEmpty(letters);
  const std::string stop = *rc::gen::nonEmpty(letters);
  const size_t found = text.find(what);
  TextStream stream(text);
  RC_ASSERT(stream.find(what.c_str()) == (found != std::string::npos));
  if (found != std::string::npos) RC_ASSERT(stream.rest() == text.substr(found + what.size()));

  // With a terminator: whichever is complete first; the target when both are at once.
  const size_t stopped = text.find(stop);
  const size_t end = found == std::string::npos ? found : found + what.size();
  const size_t stop_end = stopped == std::string::npos ? stopped : stopped + stop.size();
  TextStream until(text);
  RC_ASSERT(until.findUntil(what.c_str(), stop.c_str()) ==
            (end != std::string::npos && end <= stop_end));
}

TEST_F(Streams, ReadsTexts) {
  TextStream stream("first,second\nrest");
  char buffer[10] = {};
  EXPECT_EQ(stream.readBytesUntil(',', buffer, sizeof buffer), 5u);
  EXPECT_EQ(std::string(buffer, 5), "first");
  EXPECT_EQ(stream.readStringUntil('\n'), "second");
  EXPECT_EQ(stream.readBytes(buffer, 2), 2u);
  EXPECT_EQ(stream.readString(), "st");
  EXPECT_EQ(stream.readBytes(buffer, 2), 0u);
  TextStream high("\xff\xfe");
  EXPECT_EQ(high.readBytesUntil('\xfe', buffer, 5), 1u) << "bytes above 127 end a text too";
}

TEST_F(Streams, WaitsAsLongAsTheTimeoutSays) {
  TextStream stream("");
  stream.setTimeout(250);
  EXPECT_EQ(stream.getTimeout(), 250u);
  stream.readString();
  EXPECT_EQ(fake().now, 250 * kMillisecond);
  stream.setTimeout(0);
  stream.parseInt();
  EXPECT_EQ(fake().now, 250 * kMillisecond);
}

/// Bytes that come one by one, 100 ms apart.
class SlowStream : public TextStream {
 public:
  using TextStream::TextStream;
  int peek() override {
    return fake().now >= (count_ + 1) * 100 * kMillisecond ? TextStream::peek() : -1;
  }
  int read() override {
    const int c = peek();
    if (c >= 0) {
      TextStream::skip();
      ++count_;
    }
    return c;
  }

 private:
  uint64_t count_ = 0;
};

TEST_F(Streams, TheTimeoutBeginsAnewWithEachByte) {
  SlowStream stream("slow text");
  stream.setTimeout(101);
  EXPECT_EQ(stream.readString(), "slow text");
  EXPECT_EQ(fake().now, (900 + 101) * kMillisecond);
  SlowStream impatient("slow");
  fake().now = 0;
  impatient.setTimeout(50);
  EXPECT_EQ(impatient.readString(), "");
}

TEST_F(Streams, OneSecondUnlessSaidOtherwise) {
  struct Silent : Stream {
    int available() override { return 0; }
    int read() override { return -1; }
    int peek() override { return -1; }
    size_t write(uint8_t) override { return 1; }
  } silent;
  EXPECT_EQ(silent.parseFloat(), 0);
  EXPECT_EQ(fake().now, 1000 * kMillisecond);
}

}  // namespace
