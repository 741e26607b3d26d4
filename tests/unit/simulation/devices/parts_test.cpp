// Parts: each one's behaviour against its documented physics.

#include <cmath>

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

/// Pings the sensor as the common sketches do; returns the echo pulse's length and the instant
/// after it.
Nanos ping(Rig& rig, Nanos& now, unsigned trigger = 11, unsigned echo = 2, Nanos width = us(10)) {
  rig->pin_write(now, trigger, true);
  rig->pin_write(now += width, trigger, false);
  const Nanos give_up = now + ms(50);
  while (rig->pin_read(now, echo) == 0 && now < give_up) now += 100;
  const Nanos rose = now;
  while (rig->pin_read(now, echo) == 1 && now < give_up) now += 100;
  return now - rose;
}

TEST(Hcsr04, EchoLengthFollowsTheDistance) {
  Rig rig("part hcsr04 sonar\ntrigger 11\necho 2\ndistance at=0 is=1000000000\n");
  rig.output(11);
  Nanos now = ms(1);
  const Nanos length = ping(rig, now);
  EXPECT_EQ(length, us(5820));  // 100 cm · 58.2 µs
  EXPECT_EQ(now, ms(1) + us(10) + us(450) + us(5820));
}

TEST(Hcsr04, OutOfRangeIsThirtyEightMilliseconds) {
  Rig rig("part hcsr04 sonar\ntrigger 11\necho 2\ndistance at=0 is=4000000001\n");
  rig.output(11);
  Nanos now = 0;
  EXPECT_EQ(ping(rig, now), ms(38));
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "sonar", "no_echoes"), "1");
  EXPECT_EQ(fact(facts, "sonar", "last_distance_cm"), "null");
}

TEST(Hcsr04, ShortBusyAndEarlyTriggers) {
  Rig rig("part hcsr04 sonar\ntrigger 11\necho 2\ndistance at=0 is=500000000\n");
  rig.output(11);
  rig->pin_write(0, 11, true);
  rig->pin_write(us(9), 11, false);
  EXPECT_EQ(rig->pin_read(us(500), 2), 0);
  Nanos now = ms(1);
  ping(rig, now);
  rig->pin_write(now += us(10), 11, true);
  rig->pin_write(now += us(10), 11, false);  // early, but answered
  rig->pin_write(now += us(20), 11, true);
  rig->pin_write(now += us(10), 11, false);  // while it listens: ignored
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "sonar", "short_triggers"), "1");
  EXPECT_EQ(fact(facts, "sonar", "early_triggers"), "1");
  EXPECT_EQ(fact(facts, "sonar", "ignored_triggers"), "1");
  EXPECT_EQ(fact(facts, "sonar", "pings"), "2");
}

TEST(Hcsr04, AMovingObstacleAndNoiseWithinItsBounds) {
  Rig rig(
      "part hcsr04 sonar\ntrigger 11\necho 2\nnoise 5000000\n"
      "distance at=0 is=3000000000\ndistance at=5000000000 is=500000000\n");
  rig.output(11);
  bool noisy = false;
  for (Nanos begin = 0; begin < s(8); begin += ms(100)) {
    Nanos now = begin;
    const double cm = static_cast<double>(ping(rig, now)) / 58200;
    const double at = static_cast<double>(begin + us(460)) / 1e9;
    const double expected = at < 5 ? 300 - 50 * at : 50;
    EXPECT_NEAR(cm, expected, 0.51);
    noisy |= std::fabs(cm - expected) > 0.05;
  }
  EXPECT_TRUE(noisy);
}

TEST(Randomness, AnotherPartChangesNoOtherPartsNoise) {
  const auto echo = [](const std::string& more, uint64_t seed) {
    Rig rig("part hcsr04 sonar\ntrigger 11\necho 2\nnoise 50000000\ndistance at=0 is=1000000000\n" +
                more,
            seed);
    rig.output(11);
    Nanos now = 0;
    return ping(rig, now);
  };
  EXPECT_EQ(echo("", 1),
            echo("part generator a\npin 7\ngaps.shortest 0\ngaps.longest 1000000\n", 1));
  EXPECT_NE(echo("", 1), echo("", 2));
}

TEST(Led, EdgesTimesAndBrightness) {
  Rig rig("part led lamp\npin 9\n");
  rig->pwm_write(s(1), 9, 51, 255);  // 20 %
  rig->pin_write(s(1) + 2'040'000ull * 100, 9, false);
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "lamp", "first_on_us"), "1000000");
  EXPECT_EQ(fact(facts, "lamp", "on_us"), "40800");  // 100 periods · 408 µs
  EXPECT_EQ(fact(facts, "lamp", "mean_brightness_percent"), "2.04");
  EXPECT_EQ(fact(facts, "lamp", "lit_at_end"), "false");
}

TEST(Led, LitWhenLowIsDarkOnAFloatingPin) {
  Rig rig("part led lamp\npin 9\nlit_when low\n");
  rig->pin_mode(ms(10), 9, PinMode::Output);  // the latch is low
  rig->pin_write(ms(30), 9, true);
  EXPECT_EQ(fact(rig->finish(s(1)), "lamp", "on_us"), "20000");
}

TEST(Button, PressesAgainstThePullUp) {
  Rig rig("part button b\npin 8\npressed at=1000000000 for=200000000\n");
  rig->pin_mode(0, 8, PinMode::InputPullup);
  EXPECT_EQ(rig->pin_read(s(1) - 1, 8), 1);
  EXPECT_EQ(rig->pin_read(s(1), 8), 0);
  EXPECT_EQ(rig->pin_read(ms(1200), 8), 1);
}

TEST(Button, SupplyWiringWithResistor) {
  Rig rig("part button b\npin 8\nwiring supply\nresistor true\npressed at=1000 for=1000\n");
  EXPECT_EQ(rig->pin_read(us(1) - 1, 8), 0);
  EXPECT_EQ(rig->pin_read(us(1), 8), 1);
  EXPECT_EQ(rig->pin_read(us(2), 8), 0);
}

TEST(Button, BouncesWithinItsTimeAndSettles) {
  const auto run = [](uint64_t seed) {
    Rig rig(
        "part button b\npin 8\nbounce 2000000\npressed at=100000000 for=100000000\npart probe "
        "p\npin 8\n",
        seed);
    rig->pin_mode(0, 8, PinMode::InputPullup);
    EXPECT_EQ(rig->pin_read(ms(102), 8), 0);
    EXPECT_EQ(rig->pin_read(ms(199), 8), 0);
    EXPECT_EQ(rig->pin_read(ms(202), 8), 1);
    return rig->finish(s(1));
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
  EXPECT_GT(number(run(1), "b", "edges"), 5);
  EXPECT_EQ(fact(run(1), "b", "presses"), "1");
}

TEST(Potentiometer, FollowsItsProfileExactly) {
  Rig rig("part potentiometer p\npin 54\nposition at=0 is=0\nposition at=1000000000 is=1000000\n");
  for (Nanos now = 0; now <= s(1); now += 7'654'321) {
    const auto ppm = static_cast<int64_t>(now / 1000);
    EXPECT_EQ(rig->analog_read(now, 54, 10), ppm * 5 * 1024 / 5'000'000) << now;
  }
  EXPECT_EQ(rig->analog_read(s(2), 54, 10), 1023);
}

TEST(Potentiometer, SpeedsStopAtTheEnds) {
  Rig rig(
      "part potentiometer p\npin 54\nposition at=0 is=500000 speed=250000\nposition at=10000000000 "
      "speed=-100000\n");
  EXPECT_EQ(rig->analog_read(s(1), 54, 10), 768);
  EXPECT_EQ(rig->analog_read(s(9), 54, 10), 1023);
  EXPECT_EQ(rig->analog_read(s(15), 54, 10), 512);
  EXPECT_EQ(rig->analog_read(s(30), 54, 10), 0);
}

TEST(Servo, TurnsAtItsSlewRate) {
  Rig rig("part servo arm\npin 9\nslew 90000000\n");
  rig->servo_write(0, 9, 2400);  // 180°, from 90°: 1 s at 90°/s
  rig->advance(us(2400) + ms(500));
  rig->servo_write(ms(800), 9, 0);
  const std::string facts = rig->finish(us(2400) + ms(500));
  EXPECT_EQ(fact(facts, "arm", "last_pulse_us"), "2400");
  EXPECT_NEAR(number(facts, "arm", "angle_deg"), 90 + 45 + 90 * 0.3, 0.3);
  Rig other("part servo arm\npin 9\n");
  other->servo_write(0, 9, 1472);
  const std::string middle = other->finish(s(1));
  EXPECT_EQ(fact(middle, "arm", "angle_deg"), "90");
  EXPECT_EQ(fact(middle, "arm", "pulses"), "50");
}

TEST(Servo, PulsesThatAreNoCommandAreCounted) {
  Rig rig("part servo arm\npin 9\n");
  rig->pwm_write(0, 9, 1, 255);
  const std::string facts = rig->finish(ms(100));
  EXPECT_EQ(fact(facts, "arm", "pulses"), "0");
  EXPECT_EQ(fact(facts, "arm", "bad_pulses"), "50");
}

TEST(Generator, SquareWaveWithPhaseDutyAndCount) {
  Rig rig(
      "part generator g\npin 7\nfrequency 3000\nduty 250000\nphase 500000\nstart 1000000000\ncount "
      "6\npart probe p\npin 7\n");
  const std::string facts = rig->finish(s(10));
  EXPECT_EQ(fact(facts, "g", "edges"), "6");
  EXPECT_EQ(fact(facts, "g", "first_edge_us"), "1166666.666");  // 1 s + half of 1/3 s
  EXPECT_EQ(fact(facts, "p", "rising"), "3");
  EXPECT_EQ(fact(facts, "p", "max_high_us"), "83333.334");
  EXPECT_NEAR(number(facts, "p", "frequency_hz"), 3.0, 2e-6);
  EXPECT_NEAR(number(facts, "p", "duty_percent"), 25.0, 1e-4);
}

TEST(Generator, RandomGapsWithinTheirBounds) {
  Rig rig(
      "part generator g\npin 7\ngaps.shortest 100000\ngaps.longest 2300000\ncount 5000\npart probe "
      "p\npin 7\n");
  const std::string facts = rig->finish(s(20));
  EXPECT_EQ(fact(facts, "g", "edges"), "5000");
  EXPECT_GE(number(facts, "p", "min_interval_us"), 100);
  EXPECT_LT(number(facts, "p", "min_interval_us"), 110);
  EXPECT_LE(number(facts, "p", "max_interval_us"), 2300);
  EXPECT_GT(number(facts, "p", "max_interval_us"), 2290);
  EXPECT_NEAR(number(facts, "p", "mean_interval_us"), 1200, 30);
}

TEST(Generator, EdgesAtGivenInstants) {
  Rig rig("part generator g\npin 7\nedges 10\nedges 20\nedges 35\n");
  const std::vector<int> expected{0, 1, 1, 0, 0, 1};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(rig->pin_read(std::vector<Nanos>{9, 10, 19, 20, 34, 35}[i], 7), expected[i]);
}

TEST(Probe, MeasuresPwm) {
  Rig rig("part probe p\npin 5\n");
  rig->pwm_write(123, 5, 64, 256);
  const std::string facts = rig->finish(s(1));
  EXPECT_EQ(fact(facts, "p", "frequency_hz"), "976.5625");
  EXPECT_EQ(fact(facts, "p", "duty_percent"), "25");
  EXPECT_EQ(fact(facts, "p", "mean_period_us"), "1024");
}

TEST(Access, AnInstantInThePastActsInThePresent) {
  Rig rig("part probe p\npin 5\n");
  rig.output(5);
  rig->advance(ms(10));
  rig->pin_write(ms(5), 5, true);
  EXPECT_EQ(fact(rig->finish(s(1)), "p", "first_edge_us"), "10000");
}

}  // namespace
}  // namespace hocket::sim::test
