// Pins: modes, levels, converters, PWM, tones, servo pulses, wires.

#include <set>

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

TEST(Pins, AnOutputReadsItsLevelAndAnInputKeepsTheLatch) {
  Rig rig;
  EXPECT_TRUE(rig->pin_write(0, 7, true));
  EXPECT_EQ(rig->pin_read(1, 7), 0) << "an input is not driven by its latch";
  EXPECT_TRUE(rig->pin_mode(2, 7, PinMode::Output));
  EXPECT_EQ(rig->pin_read(3, 7), 1);
  rig->pin_write(4, 7, false);
  EXPECT_EQ(rig->pin_read(5, 7), 0);
}

TEST(Pins, PullUpDownAndOpenDrain) {
  Rig rig;
  rig->pin_mode(0, 3, PinMode::InputPullup);
  EXPECT_EQ(rig->pin_read(1, 3), 1);
  rig->pin_mode(2, 3, PinMode::InputPulldown);
  EXPECT_EQ(rig->pin_read(3, 3), 0);
  rig->pin_mode(4, 3, PinMode::OutputOpenDrain);
  rig->pin_write(5, 3, true);
  EXPECT_EQ(rig->pin_read(6, 3), 0) << "released, and nothing pulls it up";
}

TEST(Pins, WhatThePinCannotDoIsRefusedAndChangesNothing) {
  Rig rig;
  EXPECT_EQ(rig->pin_count(), 70u);
  EXPECT_EQ(rig->analog_base(), 54u);
  EXPECT_FALSE(rig->pin_mode(0, 70, PinMode::Output));
  EXPECT_FALSE(rig->pin_write(0, 70, true));
  EXPECT_EQ(rig->pin_read(0, 4000000000u), 0);
  EXPECT_FALSE(rig->pin_mode(0, 1, static_cast<PinMode>(9)));
  EXPECT_FALSE(rig->pwm_write(0, 14, 100, 255));
  EXPECT_FALSE(rig->pwm_write(0, 9, 100, 0));
  EXPECT_FALSE(rig->tone_start(0, 8, 0, 0));
  EXPECT_FALSE(rig->tone_start(0, 8, 1'000'001, 0));
  EXPECT_FALSE(rig->servo_write(0, 9, 20'000));
  EXPECT_EQ(rig->analog_read(0, 13, 10), 0);
  EXPECT_EQ(rig->analog_read(0, 54, 17), 0);
  EXPECT_EQ(rig->pin_read(ms(100), 9), 0);
}

TEST(Pins, ConverterScalesTenBits) {
  Rig rig("part potentiometer p\npin 54\nposition at=0 is=500000\n");
  EXPECT_EQ(rig->analog_read(0, 54, 10), 512);
  EXPECT_EQ(rig->analog_read(1, 54, 12), 2048);
  EXPECT_EQ(rig->analog_read(2, 54, 16), 32768);
  EXPECT_EQ(rig->analog_read(3, 54, 8), 128);
  EXPECT_EQ(rig->analog_read(4, 54, 1), 1);
  rig->pin_mode(5, 55, PinMode::InputPullup);
  EXPECT_EQ(rig->analog_read(6, 55, 10), 1023);
}

TEST(Pins, AFloatingConverterReadsNoiseOfTheSeed) {
  const auto samples = [](uint64_t seed) {
    Rig rig("", seed);
    std::vector<int> result;
    for (int i = 0; i < 50; ++i) result.push_back(rig->analog_read(us(i), 54, 10));
    return result;
  };
  EXPECT_EQ(samples(1), samples(1));
  EXPECT_NE(samples(1), samples(2));
  const auto values = samples(1);
  EXPECT_GT(std::set<int>(values.begin(), values.end()).size(), 25u);
}

TEST(Pins, PwmEdgesAreExactFromTheCallOn) {
  const std::string file = temp_file("waves.vcd");
  Rig rig("", 1, file);
  rig->pwm_write(us(100), 9, 64, 256);
  rig->pwm_write(us(100), 5, 128, 256);
  EXPECT_EQ(rig->pin_read(us(100) + 510'000 - 1, 9), 1);
  EXPECT_EQ(rig->pin_read(us(100) + 510'000, 9), 0);
  rig->finish(s(1));
  const Vcd vcd(file);
  const auto rises = vcd.edges("board.D9", "1"), falls = vcd.edges("board.D9", "0");
  ASSERT_EQ(rises.size(), 491u);
  for (size_t i = 0; i < 490; ++i) {
    EXPECT_EQ(rises[i], us(100) + i * 2'040'000);
    EXPECT_EQ(falls[i], us(100) + i * 2'040'000 + 510'000);
  }
  EXPECT_EQ(vcd.edges("board.D5", "1")[1], us(100) + 1'024'000);
}

TEST(Pins, ANewDutyBeginsWithTheNextPeriod) {
  Rig rig;
  rig->pwm_write(0, 9, 128, 255);
  rig->pwm_write(us(100), 9, 26, 255);  // 208 µs of 2,040
  EXPECT_EQ(rig->pin_read(us(1000), 9), 1);
  EXPECT_EQ(rig->pin_read(us(2039), 9), 0);
  EXPECT_EQ(rig->pin_read(us(2040), 9), 1);
  EXPECT_EQ(rig->pin_read(us(2248), 9), 0);
  rig->pwm_write(us(3000), 9, 255, 255);
  EXPECT_EQ(rig->pin_read(us(3000), 9), 1) << "full duty is a level";
  rig->pwm_write(us(3100), 9, 0, 255);
  EXPECT_EQ(rig->pin_read(s(1), 9), 0);
}

TEST(Pins, DigitalWriteEndsPwm) {
  Rig rig;
  rig->pwm_write(0, 9, 128, 255);
  rig->pin_write(us(10), 9, true);
  for (int i = 1; i < 50; ++i) EXPECT_EQ(rig->pin_read(ms(i), 9), 1);
}

TEST(Pins, ToneIsExactWithoutDriftAndEndsOnTime) {
  const std::string file = temp_file("waves.vcd");
  Rig rig("part probe p\npin 8\n", 1, file);
  rig->tone_start(0, 8, 440, 1000);
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "p", "rising"), "440");
  const Vcd vcd(file);
  const auto rises = vcd.edges("board.D8", "1");
  ASSERT_EQ(rises.size(), 440u);
  for (size_t i = 0; i < rises.size(); ++i) EXPECT_EQ(rises[i], i * 1'000'000'000 / 440);
  EXPECT_LE(vcd.edges("board.D8", "0").back(), s(1));
}

TEST(Pins, AToneReplacesAToneAndStops) {
  Rig rig("part probe p\npin 8\n");
  rig->tone_start(0, 8, 1000, 500);
  rig->tone_start(ms(100), 8, 2000, 0);
  rig->tone_stop(ms(700) - 1, 8);
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "p", "rising"), "1300")
      << "100 of 1 kHz and 1,200 of 2 kHz: the first one's end is void";
  EXPECT_EQ(rig->pin_read(s(1), 8), 0);
}

TEST(Pins, ServoPulsesEveryTwentyMilliseconds) {
  Rig rig("part probe p\npin 9\n");
  rig->servo_write(0, 9, 1500);
  rig->servo_write(ms(30), 9, 1000);
  rig->servo_write(ms(90), 9, 0);
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "p", "rising"), "5");  // 0, 20, 40, 60, 80 ms
  EXPECT_EQ(fact(facts, "p", "min_period_us"), "20000");
  EXPECT_EQ(fact(facts, "p", "max_period_us"), "20000");
  EXPECT_EQ(fact(facts, "p", "min_high_us"), "1000");
  EXPECT_EQ(fact(facts, "p", "max_high_us"), "1500");
}

TEST(Pins, ContentionReadsZeroAndIsNotedOnce) {
  Rig rig("part wire w\npins 11\npins 2\n");
  rig.output(11);
  rig.output(2);
  EXPECT_TRUE(rig->notices().empty());
  rig->pin_write(ms(1), 11, true);
  EXPECT_EQ(rig->pin_read(ms(2), 11), 0);
  rig->pin_write(ms(3), 2, true);
  EXPECT_EQ(rig->pin_read(ms(3), 11), 1);
  rig->pin_write(ms(4), 2, false);
  ASSERT_EQ(rig->notices().size(), 1u);
  EXPECT_EQ(rig->notices()[0],
            "two outputs drove the wire of pins D11, D2 in different directions (first at 1 ms); "
            "it read 0 "
            "meanwhile: make one of them an input");
}

TEST(Pins, AWireCarriesLevelsAndPullUps) {
  Rig rig("part wire w\npins 11\npins 2\npins 54\n");
  rig.output(11);
  rig->pin_write(1, 11, true);
  EXPECT_EQ(rig->pin_read(2, 2), 1);
  EXPECT_EQ(rig->analog_read(3, 54, 10), 1023);
  rig->pin_mode(4, 11, PinMode::Input);
  EXPECT_EQ(rig->pin_read(5, 2), 0);
  rig->pin_mode(6, 2, PinMode::InputPullup);
  EXPECT_EQ(rig->pin_read(7, 11), 1);
}

TEST(Waves, ScopesNamesAndAliases) {
  const std::string file = temp_file("waves.vcd");
  Rig rig(
      "part probe p\npin 3\npart hcsr04 sonar\ntrigger 11\necho 2\ndistance at=0 is=500000000\n", 1,
      file);
  rig.output(13);
  rig->pin_write(us(5), 13, true);
  rig->finish(ms(1));
  const Vcd vcd(file);
  const std::vector<std::string> expected{
      "board.D2", "board.D3",         "board.D11",           "board.D13",
      "p.p_pin",  "sonar.sonar_echo", "sonar.sonar_trigger", "sonar.sonar_distance_cm"};
  EXPECT_EQ(vcd.order, expected);
  EXPECT_EQ(vcd.changes.at("board.D3")[0].value, "z");
  EXPECT_EQ(vcd.edges("board.D13", "1"), std::vector<Nanos>{us(5)});
  EXPECT_EQ(vcd.end, ms(1));
}

TEST(Waves, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(Rig("", 1, "/nonexistent-folder/x.vcd"), DeviceError);
}

}  // namespace
}  // namespace hocket::sim::test
