// Types, constants and macros of the language, as sketches and libraries use them.
#include <Hocket.h>
#include <WProgram.h>
#include <api/RingBuffer.h>
#include <avr/dtostrf.h>
#include <gtest/gtest.h>
#include <util/delay.h>

#include <type_traits>

#include "fake_system.h"

extern "C" long c_language_works(void);

namespace {

class Language : public ::testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
};

TEST_F(Language, TypesHaveTheirWidths) {
  static_assert(std::is_same_v<byte, uint8_t> && std::is_same_v<boolean, bool>);
  static_assert(sizeof(word) == 2);
  static_assert(sizeof(B11111111) <= sizeof(int) && B11111111 == 255 && B1 == 1 && B0101 == 5);
  word w = word(0x12, 0x34);
  EXPECT_EQ(w, 0x1234);
  EXPECT_EQ(word(0x10000 + w), 0x1234);
}

TEST_F(Language, ConstantsAreMacrosToo) {
#if !defined(INPUT_PULLUP) || !defined(HIGH) || !defined(MSBFIRST) || !defined(A0) || \
    !defined(LED_BUILTIN) || !defined(ARDUINO) || !defined(ARDUINO_ARCH_HOCKET) || !defined(F_CPU)
  FAIL() << "a library asks for it with #ifdef";
#endif
#ifdef ARDUINO_API_VERSION
  FAIL() << "libraries would take this for another vendor's core";
#endif
  static_assert(A0 == 54 && A15 == 69 && LED_BUILTIN == 13);
  static_assert(analogInputToDigitalPin(2) == A2);
  static_assert(clockCyclesPerMicrosecond() == F_CPU / 1000000);
  EXPECT_EQ(digitalPinToInterrupt(2), 2);
  EXPECT_EQ(digitalPinToInterrupt(500), NOT_AN_INTERRUPT);
}

TEST_F(Language, Bits) {
  uint8_t value = 0;
  bitSet(value, 3);
  EXPECT_EQ(value, 8);
  bitWrite(value, 0, 1);
  bitWrite(value, 3, 0);
  EXPECT_EQ(value, 1);
  bitToggle(value, 7);
  EXPECT_EQ(value, 0x81);
  bitClear(value, 0);
  EXPECT_EQ(bitRead(value, 7), 1);
  EXPECT_EQ(bitRead(value, 0), 0);
  EXPECT_EQ(bit(31), 0x80000000UL);
  EXPECT_EQ(lowByte(0xabcd), 0xcd);
  EXPECT_EQ(highByte(0xabcd), 0xab);
}

struct Limits {
  static const int kDeclaredOnly = 5;  // has no definition: must not be bound to a reference
};

TEST_F(Language, MinMaxAbsConstrain) {
  static_assert(min(3, 5L) == 3 && max(2.5, 1) == 2.5 && sq(7) == 49);
  static_assert(constrain(-4, 0, 10) == 0 && constrain(40, 0, 10) == 10 &&
                constrain(4, 0, 10) == 4);
  EXPECT_EQ(min(Limits::kDeclaredOnly, 9), 5);
  EXPECT_EQ(constrain(9, 0, Limits::kDeclaredOnly), 5);
  EXPECT_EQ(abs(-5), 5);
  EXPECT_EQ(abs(-5.5), 5.5);
  EXPECT_EQ(abs(-5000000000L), 5000000000L);
  EXPECT_EQ(abs(3u), 3u);
  EXPECT_EQ(abs(3ul), 3ul);
  static_assert(std::is_same_v<decltype(abs(1ul)), unsigned long>);
  EXPECT_NEAR(radians(180), PI, 1e-12);
  EXPECT_NEAR(degrees(HALF_PI), 90, 1e-12);
  int calls = 0;
  auto once = [&calls] { return ++calls; };
  EXPECT_EQ(max(once(), 0), 1);
  EXPECT_EQ(calls, 1) << "an argument is evaluated once";
}

const char kFirst[] PROGMEM = "first";
const char kSecond[] PROGMEM = "second";
const char* const kTable[] PROGMEM = {kFirst, kSecond};
const uint16_t kWords[] PROGMEM = {0x1234, 0xfedc};

TEST_F(Language, ProgramMemory) {
  char text[20];
  // The way of 16-bit processors, where a pointer is a word.
  strcpy_P(text, (char*)pgm_read_word(&(kTable[1])));
  EXPECT_STREQ(text, "second");
  strcpy_P(text, static_cast<const char*>(pgm_read_ptr(&kTable[0])));
  EXPECT_STREQ(text, "first");
  EXPECT_EQ(pgm_read_word(&kWords[1]), 0xfedc);
  EXPECT_EQ(pgm_read_word_near(kWords), 0x1234);
  EXPECT_EQ(pgm_read_byte(kFirst + 1), 'i');
  const float f = 1.5f;
  EXPECT_EQ(pgm_read_float(&f), 1.5f);
  const uint8_t unaligned[] = {0, 1, 2, 3, 4};
  EXPECT_EQ(pgm_read_dword(unaligned + 1), 0x04030201u);
  EXPECT_EQ(strlen_P(PSTR("four")), 4u);
  EXPECT_EQ(sprintf_P(text, PSTR("%d"), 42), 2);
  EXPECT_EQ(snprintf_P(text, sizeof text, PSTR("%S %-6.3S%% %s"), kFirst, kFirst, "on"), 16);
  EXPECT_STREQ(text, "first fir   % on") << "%S is a text in flash on an AVR";
}

TEST_F(Language, NumbersToText) {
  char text[80];
  EXPECT_STREQ(itoa(-255, text, 10), "-255");
  EXPECT_STREQ(itoa(-1, text, 16), "ffffffff");
  EXPECT_STREQ(ltoa(-1, text, 16), "ffffffff") << "as where long has 32 bits";
  EXPECT_STREQ(ltoa(-5000000000L, text, 10), "-5000000000");
  EXPECT_STREQ(utoa(35, text, 36), "z");
  EXPECT_STREQ(ultoa(0, text, 2), "0");
  EXPECT_STREQ(lltoa(INT64_MIN, text, 10), "-9223372036854775808");
  EXPECT_STREQ(ulltoa(UINT64_MAX, text, 16), "ffffffffffffffff");
  EXPECT_STREQ(itoa(5, text, 1), "");
  EXPECT_STREQ(itoa(5, text, 37), "");
  EXPECT_STREQ(dtostrf(3.14159, 8, 2, text), "    3.14");
  EXPECT_STREQ(dtostrf(3.14159, -8, 2, text), "3.14    ");
  EXPECT_STREQ(dtostrf(-0.5, 1, 3, text), "-0.500");
  EXPECT_STREQ(dtostrf(-NAN, 4, 2, text), " nan");
}

TEST_F(Language, FromC) {
  fake().analog[54] = 512u << 6;
  EXPECT_EQ(c_language_works(), 512 + 4 + 9);
  EXPECT_EQ(fake().taken(),
            (std::vector<std::string>{"pin_mode 13 1", "pin_write 13 1", "sleep_until 1000000",
                                      "spin 2000", "pin_read 3", "analog_read 54 10"}));
}

TEST_F(Language, BusyDelays) {
  _delay_us(1.5);
  _delay_ms(0.25);
  _delay_ms(-1);
  EXPECT_EQ(fake().taken(), (std::vector<std::string>{"spin 1500", "spin 250000"}));
}

TEST_F(Language, ByteQueueOfTheApi) {
  arduino::RingBufferN<3> queue;
  EXPECT_EQ(queue.read_char(), -1);
  for (int i = 1; i <= 4; ++i) queue.store_char(static_cast<uint8_t>(i));
  EXPECT_TRUE(queue.isFull());
  EXPECT_EQ(queue.availableForStore(), 0);
  EXPECT_EQ(queue.peek(), 1);
  EXPECT_EQ(queue.read_char(), 1);
  queue.store_char(9);
  EXPECT_EQ(queue.read_char(), 2);
  EXPECT_EQ(queue.read_char(), 3);
  EXPECT_EQ(queue.read_char(), 9);
  EXPECT_EQ(queue.available(), 0);
}

/// A class of a library with a member called loop, and one with a member called min.
struct Connection {
  int loops = 0;
  void loop() { ++loops; }
  int loop(int times) { return loops += times; }
  int min() const { return loops; }
};

TEST_F(Language, MembersMayHaveTheLanguagesNames) {
  Connection client;
  client.loop();
  client.loop(2);
  EXPECT_EQ(client.min(), 3);
}

}  // namespace
