// The vehicle: its motion against the closed form and against a plain small-step integration, its
// obstacle, and the facts that the rover experiment uses.

#include <cmath>

#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

constexpr const char* kPins =
    "left.forward 4\nleft.backward 5\nright.forward 6\nright.backward 7\n";

std::string rover(const std::string& more) {
  return std::string("part motors m\n") + kPins + more;
}

void drive(Rig& rig, Nanos now, int left, int right) {
  rig->pin_write(now, 4, left > 0);
  rig->pin_write(now, 5, left < 0);
  rig->pin_write(now, 6, right > 0);
  rig->pin_write(now, 7, right < 0);
}
void outputs(Rig& rig) {
  for (const unsigned pin : {4, 5, 6, 7}) rig.output(pin);
}

TEST(Vehicle, ImmediateResponseIsSpeedTimesTime) {
  Rig rig(rover("speed 2500000000\ntime_constant 0\nobstacle at=0 is=3000000000\n"));
  outputs(rig);
  drive(rig, 123'456, 1, 1);
  drive(rig, s(1), -1, -1);
  const std::string facts = rig->finish(ms(1500));
  const double way = 250 * (1 - 0.000123456);
  EXPECT_NEAR(number(facts, "m", "min_distance_cm"), 300 - way, 0.006);
  EXPECT_NEAR(number(facts, "m", "x_cm"), way - 125, 0.006);
  EXPECT_NEAR(number(facts, "m", "driven_cm"), way + 125, 0.006);
  EXPECT_EQ(fact(facts, "m", "collided"), "false");
}

TEST(Vehicle, FirstOrderResponse) {
  Rig rig(rover("speed 1000000000\ntime_constant 200000000\n"));
  outputs(rig);
  drive(rig, 0, 1, 1);
  drive(rig, s(1), 0, 0);
  const double tau = 0.2, end_speed = 1 - std::exp(-1 / tau);
  const double driven = (1 - tau * end_speed) + end_speed * tau * (1 - std::exp(-2 / tau));
  EXPECT_NEAR(number(rig->finish(s(3)), "m", "x_cm"), driven * 100, 0.006);
}

TEST(Vehicle, CollisionAtItsInstant) {
  Rig rig(rover("speed 2000000000\ntime_constant 0\nobstacle at=0 is=1000000000\n"));
  outputs(rig);
  drive(rig, ms(10) + 333, 1, 1);
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "m", "collided"), "true");
  EXPECT_NEAR(number(facts, "m", "collided_at_us"), 510000.333, 0.01);
  EXPECT_EQ(fact(facts, "m", "min_distance_cm"), "0");
  EXPECT_EQ(fact(facts, "m", "impact_speed_cm_s"), "200");
  EXPECT_EQ(fact(facts, "m", "x_cm"), "100") << "the wall stands";
}

TEST(Vehicle, AnObstacleThatComesNearer) {
  Rig rig(rover("speed 1000000000\nobstacle at=0 is=1000000000 speed=-500000000\n"));
  const std::string facts = rig->finish(s(3));
  EXPECT_NEAR(number(facts, "m", "collided_at_us"), 2e6, 0.01);
  EXPECT_EQ(fact(facts, "m", "updates"), "0");
  EXPECT_EQ(fact(facts, "m", "mean_update_interval_us"), "null");
}

TEST(Vehicle, TurnsLikeASmallStepIntegration) {
  Rig rig(rover("speed 500000000\ntime_constant 150000000\ntrack 200000000\n"));
  outputs(rig);
  drive(rig, 0, 1, 1);
  drive(rig, ms(400), 1, -1);
  drive(rig, ms(700), 1, 1);
  drive(rig, ms(1500), 0, 1);
  const std::string facts = rig->finish(ms(2200));
  // The plain model: Euler steps of a microsecond.
  double vl = 0, vr = 0, x = 0, y = 0, heading = 0;
  constexpr double dt = 1e-6;
  for (int i = 0; i < 2'200'000; ++i) {
    const int t = i / 1000;
    const double ul = t < 1500 ? 0.5 : 0, ur = t >= 400 && t < 700 ? -0.5 : 0.5;
    vl += (ul - vl) / 0.15 * dt;
    vr += (ur - vr) / 0.15 * dt;
    heading += (vr - vl) / 0.2 * dt;
    x += (vl + vr) / 2 * std::cos(heading) * dt;
    y += (vl + vr) / 2 * std::sin(heading) * dt;
  }
  EXPECT_NEAR(number(facts, "m", "x_cm"), x * 100, 0.02);
  EXPECT_NEAR(number(facts, "m", "y_cm"), y * 100, 0.02);
  EXPECT_NEAR(number(facts, "m", "heading_deg"), heading * 180 / M_PI, 0.02);
}

TEST(Vehicle, PwmOnTheEnableInputSetsTheMeanSpeed) {
  Rig rig(rover("left.speed 9\nright.speed 10\nspeed 1000000000\ntime_constant 0\n"));
  outputs(rig);
  rig->pwm_write(0, 9, 64, 256);
  rig->pwm_write(0, 10, 64, 256);
  drive(rig, 0, 1, 1);
  EXPECT_NEAR(number(rig->finish(2'040'000ull * 1000), "m", "x_cm"), 204.0 * 0.25, 0.01);
}

TEST(Vehicle, SonarSeesTheWallWhileItPointsThere) {
  Rig rig(rover("speed 1000000000\ntime_constant 0\nobstacle at=0 is=2000000000\nobstacle_width "
                "1000000000\n") +
          "part hcsr04 sonar\ntrigger 11\necho 2\nvehicle m\n");
  outputs(rig);
  rig.output(11);
  const auto ping = [&rig](Nanos now) {
    rig->pin_write(now, 11, true);
    rig->pin_write(now + us(10), 11, false);
    Nanos at = now + us(460);
    while (rig->pin_read(at, 2) == 1) at += 100;
    return static_cast<double>(at - now - us(460)) / 58200;
  };
  EXPECT_NEAR(ping(ms(1)), 200, 0.01);
  drive(rig, ms(100), 1, 1);
  drive(rig, ms(600), 0, 0);
  EXPECT_NEAR(ping(ms(700)), 150, 0.01);
  drive(rig, ms(800), -1, 1);  // turn on the spot by 0.15 rad / … until it looks past the wall
  drive(rig, ms(870), 0, 0);
  EXPECT_NEAR(ping(ms(900)), ms(38) / 58200.0, 0.01) << "53° to the left: past the wall's end";
}

TEST(Vehicle, WritesOfOneUpdateCountOnceEvenWithoutAChange) {
  Rig rig(rover("speed 1000000000\nupdate_gap 10000000\n"));
  outputs(rig);
  for (int i = 0; i < 10; ++i) {
    for (unsigned pin = 4; pin < 8; ++pin) rig->pin_write(ms(100 * i + pin) + us(i), pin, false);
  }
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "m", "updates"), "10");
  EXPECT_EQ(fact(facts, "m", "direction_changes"), "0");
  EXPECT_EQ(fact(facts, "m", "min_update_interval_us"), "100001");
  EXPECT_EQ(fact(facts, "m", "max_update_interval_us"), "100001");
}

TEST(Vehicle, ReactionToAnObstacleThatAppears) {
  Rig rig(rover(
      "speed 5000000000\ntime_constant 0\nappears.at 1000000000\nappears.ahead 1000000000\n"));
  outputs(rig);
  drive(rig, 0, 1, 1);
  drive(rig, ms(1150), -1, -1);
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "m", "reaction_us"), "150000");
  EXPECT_NEAR(number(facts, "m", "min_distance_cm"), 25, 0.006);
  EXPECT_EQ(fact(facts, "m", "obstacle_appeared_at_us"), "1000000");
}

TEST(Vehicle, RunsRepeatToTheByteAndWavesChangeNothing) {
  const auto run = [](const std::string& vcd) {
    Rig rig(rover("speed 700000000\nobstacle at=0 is=2000000000\n") +
                "part hcsr04 sonar\ntrigger 11\necho 2\nvehicle m\nnoise 3000000\n",
            7, vcd);
    outputs(rig);
    rig.output(11);
    for (int i = 0; i < 60; ++i) {
      drive(rig, ms(50 * i), i % 7 < 4 ? 1 : -1, i % 5 < 4 ? 1 : -1);
      rig->pin_write(ms(50 * i), 11, true);
      rig->pin_write(ms(50 * i) + us(12), 11, false);
    }
    return rig->finish(s(4));
  };
  const std::string first = temp_file("1.vcd"), second = temp_file("2.vcd");
  const std::string facts = run(first);
  EXPECT_EQ(facts, run(second));
  EXPECT_EQ(facts, run(""));
  EXPECT_EQ(file_text(first), file_text(second));
  const Vcd vcd(first);
  EXPECT_GT(vcd.changes.at("m.m_speed_cm_s").size(), 100u);
  EXPECT_GT(vcd.changes.at("m.m_distance_cm").size(), 100u);
}

}  // namespace
}  // namespace hocket::sim::test
