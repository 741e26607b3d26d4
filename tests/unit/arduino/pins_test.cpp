// Pins: what arrives at the system, and what pulses and shifts are made of.
#include <Arduino.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fake_system.h"

namespace {

using Calls = std::vector<std::string>;

class Pins : public ::testing::Test {
 protected:
  void SetUp() override { reset_fake(); }
  void TearDown() override {
    analogReadResolution(10);
    analogWriteResolution(8);
    analogReference(DEFAULT);
  }
};

TEST_F(Pins, Modes) {
  pinMode(1, INPUT);
  pinMode(2, OUTPUT);
  pinMode(3, INPUT_PULLUP);
  pinMode(4, INPUT_PULLDOWN);
  pinMode(5, OPENDRAIN);
  pinMode(6, OUTPUT_OPENDRAIN);
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 1 0", "pin_mode 2 1", "pin_mode 3 2", "pin_mode 4 3",
                                   "pin_mode 5 4", "pin_mode 6 4"}));
  pinMode(1, 77);
  EXPECT_EQ(fake().taken(), Calls{}) << "no such mode";
}

TEST_F(Pins, TakeWhateverIsANumber) {
  bool on = true;
  digitalWrite(7, on);
  digitalWrite(7, !digitalRead(8));
  digitalWrite('\x09', 'x');
  EXPECT_EQ(fake().taken(),
            (Calls{"pin_write 7 1", "pin_read 8", "pin_write 7 1", "pin_write 9 1"}));
}

TEST_F(Pins, AWrongPinArrivesAsItIs) {
  digitalWrite(-1, HIGH);
  digitalWrite(256 + 13, HIGH);
  EXPECT_EQ(fake().taken(), (Calls{"pin_write 4294967295 1", "pin_write 269 1"}))
      << "cut to eight bits, they would have switched pins 255 and 13";
}

TEST_F(Pins, AnalogInputsByNumberAndName) {
  fake().analog[54] = 300u << 6;
  fake().analog[57] = 1023u << 6;
  EXPECT_EQ(analogRead(A0), 300);
  EXPECT_EQ(analogRead(0), 300);
  EXPECT_EQ(analogRead(3), 1023);
  EXPECT_EQ(fake().taken(), (Calls{"analog_read 54 10", "analog_read 54 10", "analog_read 57 10"}));
}

TEST_F(Pins, ReadResolution) {
  fake().analog[54] = 0xabcd;
  analogReadResolution(16);
  EXPECT_EQ(analogRead(A0), 0xabcd);
  analogReadResolution(8);
  EXPECT_EQ(analogRead(A0), 0xab);
  analogReadResolution(20);
  EXPECT_EQ(analogRead(A0), 0xabcd0);
}

TEST_F(Pins, SmallerReferences) {
  fake().analog[54] = 65535 / 5;  // 1.00 V of 5 V
  analogReference(INTERNAL);      // 1.1 V
  EXPECT_NEAR(analogRead(A0), 1023 / 1.1, 1);
  analogReference(INTERNAL2V56);
  EXPECT_NEAR(analogRead(A0), 1023 / 2.56, 1);
  fake().analog[54] = 40000;  // more than the reference: full scale
  EXPECT_EQ(analogRead(A0), 1023);
  analogReference(DEFAULT);
  EXPECT_EQ(analogRead(A0), 40000 >> 6);
}

TEST_F(Pins, AnalogWrite) {
  analogWrite(9, 100);
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 9 1", "pwm_write 9 100 255"}));
  analogWrite(9, 300);
  analogWrite(9, -5);
  EXPECT_EQ(fake().taken(),
            (Calls{"pin_mode 9 1", "pwm_write 9 255 255", "pin_mode 9 1", "pwm_write 9 0 255"}));
  analogWriteResolution(12);
  analogWrite(9, 4095);
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 9 1", "pwm_write 9 4095 4095"}));
}

TEST_F(Pins, AnalogWriteWithoutPwmShowsTheNearerLevel) {
  analogWrite(20, 127);
  analogWrite(20, 128);
  EXPECT_EQ(fake().taken(), (Calls{"pin_mode 20 1", "pwm_write 20 127 255", "pin_write 20 0",
                                   "pin_mode 20 1", "pwm_write 20 128 255", "pin_write 20 1"}));
}

TEST_F(Pins, Tones) {
  tone(8, 440);
  tone(8, 880, 100);
  tone(8, 0);
  noTone(8);
  EXPECT_EQ(fake().taken(),
            (Calls{"tone_start 8 440 0", "tone_start 8 880 100", "tone_stop 8", "tone_stop 8"}));
}

TEST_F(Pins, HoldingHandlersBack) {
  noInterrupts();
  interrupts();
  cli();
  sei();
  EXPECT_EQ(fake().taken(), (Calls{"hold_pin_handlers 1", "hold_pin_handlers 0",
                                   "hold_pin_handlers 1", "hold_pin_handlers 0"}));
}

TEST_F(Pins, ShiftOutSendsBitsInOrder) {
  shiftOut(2, 3, MSBFIRST, 0b10000010);
  const Calls calls = fake().taken();
  std::string bits;
  for (size_t i = 0; i < calls.size(); i += 3) {
    bits += calls[i].back();
    EXPECT_EQ(calls[i + 1], "pin_write 3 1");
    EXPECT_EQ(calls[i + 2], "pin_write 3 0");
  }
  EXPECT_EQ(bits, "10000010");
}

RC_GTEST_FIXTURE_PROP(Pins, ShiftInReadsWhatShiftOutSends, (uint8_t value, bool msb_first)) {
  const int order = msb_first ? MSBFIRST : LSBFIRST;
  reset_fake();
  shiftOut(2, 3, order, value);
  // The data line as shiftIn() sees it: one look per bit, 1000 ns apart.
  auto& edges = fake().edges[4];
  int level = 0;
  uint64_t look = 1000;
  for (const std::string& call : fake().taken()) {
    if (call.rfind("pin_write 2 ", 0) != 0) continue;
    const int sent = call.back() - '0';
    if (sent != level) edges.push_back(look);
    level = sent;
    look += 1000;
  }
  fake().now = 0;
  RC_ASSERT(shiftIn(4, 3, order) == value);
}

class Pulses : public Pins {
 protected:
  static constexpr uint64_t kMicro = 1000;
  void SetUp() override {
    Pins::SetUp();
    fake().pin_read_ns = 100;
  }
};

TEST_F(Pulses, HighPulse) {
  fake().edges[2] = {300 * kMicro, 1800 * kMicro};
  EXPECT_NEAR(pulseIn(2, HIGH), 1500, 1);
}

TEST_F(Pulses, LowPulse) {
  fake().edges[2] = {100 * kMicro, 300 * kMicro, 1000 * kMicro};
  EXPECT_NEAR(pulseIn(2, LOW), 700, 1) << "the low time before the first edge is no whole pulse";
}

TEST_F(Pulses, OneUnderWayIsLetPass) {
  fake().edges[2] = {0, 500 * kMicro, 900 * kMicro, 1100 * kMicro};
  EXPECT_NEAR(pulseIn(2, HIGH), 200, 1);
}

TEST_F(Pulses, TimeoutInEachOfItsThreeParts) {
  fake().edges[2] = {0};  // stays high: the pulse under way never ends
  EXPECT_EQ(pulseIn(2, HIGH, 1000), 0u);
  EXPECT_NEAR(fake().now / kMicro, 1000, 1);

  reset_fake();  // stays low: no pulse begins
  EXPECT_EQ(pulseIn(2, HIGH, 1000), 0u);
  EXPECT_NEAR(fake().now / kMicro, 1000, 1);

  reset_fake();
  fake().edges[2] = {400 * kMicro};  // begins and never ends
  EXPECT_EQ(pulseIn(2, HIGH, 1000), 0u);
  EXPECT_NEAR(fake().now / kMicro, 1000, 1);
}

TEST_F(Pulses, DefaultTimeoutIsOneSecond) {
  fake().pin_read_ns = 10000;
  EXPECT_EQ(pulseIn(2, HIGH), 0u);
  EXPECT_NEAR(fake().now / kMicro, 1000000, 20);
}

TEST_F(Pulses, AtTheFirstInstant) {
  fake().pin_read_ns = 0;  // a look costs nothing; the clock stands at 0
  fake().edges[2] = {0};
  EXPECT_EQ(pulseIn(2, LOW, 0), 0u);
}

RC_GTEST_FIXTURE_PROP(Pulses, LongForm, ()) {
  reset_fake();
  fake().pin_read_ns = 500;  // two looks in a microsecond
  const auto start = *rc::gen::inRange<uint64_t>(1, 300);
  const auto width = *rc::gen::inRange<uint64_t>(2, 1000);
  fake().edges[2] = {start * kMicro, (start + width) * kMicro};
  const auto measured = pulseInLong(2, HIGH, 1000000);
  RC_ASSERT(measured + 1 >= width && measured <= width + 1);
}

}  // namespace
