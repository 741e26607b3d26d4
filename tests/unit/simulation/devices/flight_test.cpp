// The helicopter and what is on it: its motion against a plain small-step integration, its packets
// byte by byte, what a line breaks, and the facts that the flight experiment uses.

#include <cmath>

#include "examples/flight/packets.h"
#include "tests/unit/simulation/devices/rig.h"

namespace hocket::sim::test {
namespace {

const std::string kHelicopter = "part helicopter h\nport 3\n";
constexpr uint32_t kBaud = 115200;
constexpr Nanos kByte = 10'000'000'000 / kBaud + 1;

/// Reads ports as the example's sketch does, with its own reader of packets.
struct Line {
  Line(unsigned number, PacketType type, size_t length) : port(number), reader(type, length) {}
  /// The payloads that have come by then.
  std::vector<std::string> take(Rig& rig, Nanos now) {
    std::vector<std::string> payloads;
    for (const char byte : rig.received(now, port)) {
      if (reader.take(static_cast<uint8_t>(byte)))
        payloads.emplace_back(reinterpret_cast<const char*>(reader.payload()), length());
    }
    return payloads;
  }
  size_t length() const { return port == 3 ? 10 : port == 0 ? 22 : 20; }
  unsigned port;
  ::PacketReader reader;
};

int16_t field(const std::string& payload, size_t at) {
  return signed16(reinterpret_cast<const uint8_t*>(payload.data()), at);
}
int32_t wide_field(const std::string& payload, size_t at) {
  return signed32(reinterpret_cast<const uint8_t*>(payload.data()), at);
}

void begin(Rig& rig) {
  for (unsigned port = 0; port < 4; ++port) ASSERT_TRUE(rig->serial_begin(0, port, kBaud, 65'536));
}

/// A control packet; its last byte has left 17 byte times later.
std::string control(uint16_t number, uint16_t attitude, std::array<int, 4> deflections) {
  PacketWriter writer(CONTROL);
  writer.add(number);
  writer.add(attitude);
  for (const int deflection : deflections) writer.add(static_cast<uint16_t>(deflection));
  writer.close();
  return {reinterpret_cast<const char*>(writer.bytes()), writer.size()};
}

TEST(FlightPackets, TheSumIsThatOfTheCcitt) {
  const std::string text = "123456789";  // the usual check value: 29B1
  EXPECT_EQ(packetSum(reinterpret_cast<const uint8_t*>(text.data()), text.size()), 0x29b1);
}

TEST(FlightPackets, AttitudeByteByByte) {
  Rig rig(kHelicopter + "part ahrs a\nport 1\naircraft h\n");
  begin(rig);
  EXPECT_EQ(rig->serial_data_at(1), ms(10));
  EXPECT_EQ(rig->serial_available(ms(10) + 24 * kByte, 1), 24u);
  const std::string first = rig.received(ms(10) + 25 * kByte, 1);
  ASSERT_EQ(first.size(), 25u);
  // Level, at rest; 9.81 m/s² upwards. The second packet has the number 1.
  const std::string body = std::string("\x01\x14") + std::string(18, '\0') + "\x52\x26";
  const uint16_t sum = packetSum(reinterpret_cast<const uint8_t*>(body.data()), body.size());
  EXPECT_EQ(first, "\xa5" + body + static_cast<char>(sum & 0xff) + static_cast<char>(sum >> 8));
  EXPECT_EQ(rig.received(ms(25), 1).substr(3, 2), std::string("\1\0", 2));
}

TEST(FlightPackets, RatesAreExactAndNumbersGoOn) {
  Rig rig(kHelicopter + "part ahrs a\nport 1\naircraft h\nrate 300000\n" +
          "part gps g\nport 2\naircraft h\n");
  begin(rig);
  Line attitudes(1, ATTITUDE, 20), positions(2, POSITION, 20);
  uint64_t seen = 0;
  for (Nanos now = 0; now <= s(10); now += ms(100)) {
    for (const std::string& payload : attitudes.take(rig, now))
      EXPECT_EQ(static_cast<uint16_t>(field(payload, 0)), seen++);
    positions.take(rig, now);
  }
  const std::string facts = rig->finish(s(10));
  EXPECT_EQ(fact(facts, "a", "packets"), "3000");
  EXPECT_EQ(fact(facts, "g", "packets"), "100");
  EXPECT_EQ(attitudes.reader.good, 2999u) << "the last one is on its way";
  EXPECT_EQ(positions.reader.good, 99u);
}

TEST(FlightPackets, NoWholePacketIsLostAndNoBrokenOneTaken) {
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    Rig rig("part ahrs a\nport 1\naircraft h\nbroken 300000\n" + kHelicopter, seed);
    begin(rig);
    Line attitudes(1, ATTITUDE, 20);
    // The last packets begin early enough to be whole, or known as broken, at the end.
    for (Nanos now = 0; now < s(60); now += ms(7)) attitudes.take(rig, now);
    attitudes.take(rig, s(60) - 1);
    const std::string facts = rig->finish(s(60) - 1);
    const double packets = number(facts, "a", "packets"),
                 intact = number(facts, "a", "packets_intact");
    EXPECT_EQ(packets, 5999);
    EXPECT_NEAR(number(facts, "a", "packets_flipped") / packets, 0.1, 0.02);
    EXPECT_NEAR(number(facts, "a", "packets_cut") / packets, 0.1, 0.02);
    EXPECT_NEAR(number(facts, "a", "packets_after_noise") / packets, 0.1, 0.02);
    // A cut last packet may make the reader wait for bytes that the next one would bring.
    EXPECT_NEAR(static_cast<double>(attitudes.reader.good), intact, 1);
    EXPECT_NEAR(static_cast<double>(attitudes.reader.missing), packets - intact, 2);
    EXPECT_GT(attitudes.reader.refused, 0u);
  }
}

TEST(FlightPackets, ALineThatIsTooSlowSkipsWholePackets) {
  Rig rig(kHelicopter + "part ahrs a\nport 1\naircraft h\n");
  ASSERT_TRUE(rig->serial_begin(0, 1, 9600, 65'536));
  Line attitudes(1, ATTITUDE, 20);
  attitudes.take(rig, s(5));
  attitudes.take(rig, s(10));
  EXPECT_EQ(attitudes.reader.refused, 0u);
  EXPECT_NEAR(static_cast<double>(attitudes.reader.good), 10 * 960 / 25.0, 8);
  EXPECT_GT(number(rig->finish(s(10)), "a", "packets_skipped"), 500);
}

TEST(FlightPackets, CommandsAreRepeatedAndKeepWhatTheyDoNotSay) {
  Rig rig(
      "part ground_station g\nport 0\ncommands at=500000000 north=-3000000000\n"
      "commands at=2700000000 late=60000000 load=1500000 east=1000000\n");
  begin(rig);
  EXPECT_EQ(rig->serial_data_at(0), ms(500));
  Line commands(0, COMMAND, 22);
  std::vector<Nanos> begins;
  std::vector<std::string> all;
  for (Nanos now = 0; now < s(5); now += ms(5)) {
    for (const std::string& payload : commands.take(rig, now)) {
      begins.push_back(now);
      all.push_back(payload);
    }
  }
  EXPECT_EQ(begins,
            (std::vector<Nanos>{ms(505), ms(1505), ms(2505), ms(2705), ms(3705), ms(4705)}));
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(wide_field(all[0], 2), -3000);
  EXPECT_EQ(wide_field(all[0], 10), 20'000);
  EXPECT_EQ(wide_field(all[2], 14), 0);
  EXPECT_EQ(wide_field(all[3], 2), -3000);
  EXPECT_EQ(wide_field(all[3], 6), 1);
  EXPECT_EQ(wide_field(all[3], 14), 60'000);
  EXPECT_EQ(wide_field(all[5], 18), 1500);
}

TEST(Helicopter, StandsStillInCalmAirAndNeedsNobody) {
  Rig rig(kHelicopter + "height 5000000000\n");
  const std::string facts = rig->finish(s(100));
  for (const char* key : {"roll_deg", "pitch_deg", "heading_deg", "north_m", "east_m"})
    EXPECT_EQ(number(facts, "h", key), 0) << key;
  EXPECT_EQ(fact(facts, "h", "height_m"), "5");
  EXPECT_EQ(fact(facts, "h", "upset"), "false");
  EXPECT_EQ(fact(facts, "h", "longest_without_control_us"), "null");
}

TEST(Helicopter, MovesLikeASmallStepIntegration) {
  Rig rig(kHelicopter);
  begin(rig);
  rig.write(0, 3, control(0, 0, {2000, -1000, 3000, 500}));
  rig.write(ms(400), 3, control(1, 0, {-1500, 500, -3000, -200}));
  const std::string facts = rig->finish(s(1));
  // The plain model: Euler steps of 2 µs.
  const double dt = 2e-6, g = 9.81, arrives = 17e1 / kBaud;
  double roll = 0, pitch = 0, yaw = 0, p = 0, q = 0, r = 0, vn = 0, ve = 0, vu = 0, n = 0, e = 0,
         height = 20, servo[4] = {};
  for (int i = 0; i < 500'000; ++i) {
    const double t = i * dt;
    const double first[4] = {0.2, -0.1, 0.3, 0.05}, second[4] = {-0.15, 0.05, -0.3, -0.02};
    for (int k = 0; k < 4; ++k) {
      const double asked = t < arrives ? 0 : t < 0.4 + arrives ? first[k] : second[k];
      servo[k] += (asked - servo[k]) / 0.04 * dt;
    }
    const double u = vn * std::cos(yaw) + ve * std::sin(yaw);
    const double v = ve * std::cos(yaw) - vn * std::sin(yaw);
    p += (-p - v + 15 * servo[0]) * dt;
    q += (-q + u + 15 * servo[1]) * dt;
    r += (-r - 0.2 * v + 8 * servo[2] - 2 * servo[3]) * dt;
    const double ahead = -g * std::sin(pitch) - 0.1 * u, aside = g * std::sin(roll) - 0.1 * v;
    vn += (ahead * std::cos(yaw) - aside * std::sin(yaw)) * dt;
    ve += (ahead * std::sin(yaw) + aside * std::cos(yaw)) * dt;
    vu += (10 * servo[3] - 0.8 * vu - g * (1 - std::cos(roll) * std::cos(pitch))) * dt;
    roll += p * dt, pitch += q * dt, yaw += r * dt;
    n += vn * dt, e += ve * dt, height += vu * dt;
  }
  EXPECT_NEAR(number(facts, "h", "roll_deg"), roll * 180 / M_PI, 0.15);
  EXPECT_NEAR(number(facts, "h", "pitch_deg"), pitch * 180 / M_PI, 0.15);
  EXPECT_NEAR(number(facts, "h", "heading_deg"), yaw * 180 / M_PI, 0.15);
  EXPECT_NEAR(number(facts, "h", "north_m"), n, 0.02);
  EXPECT_NEAR(number(facts, "h", "east_m"), e, 0.02);
  EXPECT_NEAR(number(facts, "h", "height_m"), height, 0.02);
  EXPECT_GT(std::fabs(roll), 0.05) << "it must have moved";
}

TEST(Helicopter, ASmallPushGrowsUntilItIsUpset) {
  Rig rig(kHelicopter + "height 900000000000\n");
  begin(rig);
  rig.write(0, 3, control(0, 0, {100, 0, 0, 0}));
  rig.write(ms(100), 3, control(1, 0, {0, 0, 0, 0}));
  rig->advance(s(60));
  const std::string facts = rig->finish(s(60));
  EXPECT_EQ(fact(facts, "h", "upset"), "true");
  EXPECT_EQ(fact(facts, "h", "upset_because"), "\"tilt\"");
  EXPECT_NEAR(std::fabs(number(facts, "h", "roll_deg")), 60, 0.5);
  EXPECT_GT(number(facts, "h", "upset_at_us"), 1e6);
}

TEST(Helicopter, WithoutLiftItComesDown) {
  Rig rig(kHelicopter + "height 5000000000\n");
  begin(rig);
  rig.write(0, 3, control(0, 0, {0, 0, 0, -5000}));
  const std::string facts = rig->finish(s(10));
  EXPECT_EQ(fact(facts, "h", "upset_because"), "\"ground\"");
  EXPECT_NEAR(number(facts, "h", "height_m"), 0, 0.01);
}

TEST(Helicopter, GustsHaveTheirStrengthAndBelongToTheSeed) {
  const auto tilt = [](const std::string& gusts, uint64_t seed, const std::string& more = "") {
    Rig rig(kHelicopter + "height 900000000000\ngusts " + gusts + "\n" + more, seed);
    return fact(rig->finish(s(3)), "h", "tilt_rms_deg");
  };
  EXPECT_EQ(tilt("1000000000", 1), tilt("1000000000", 1, "part ahrs a\nport 1\naircraft h\n"))
      << "what else is there changes no wind";
  EXPECT_NE(tilt("1000000000", 1), tilt("1000000000", 2));
  EXPECT_EQ(tilt("0", 1), "0");
  // As long as angles are small the tilt is in proportion.
  EXPECT_NEAR(std::stod(tilt("200000000", 3)) / std::stod(tilt("100000000", 3)), 2, 0.1);
}

TEST(Helicopter, CountsControlsThatAreLateMissingOrBroken) {
  Rig rig(kHelicopter + "part ahrs a\nport 1\naircraft h\n");
  begin(rig);
  const Nanos way = 17 * kByte;
  Nanos now = ms(22);  // the attitudes 0 and 1 have been told at 10 and 20 ms
  const std::array<int, 4> level{};
  rig.write(now, 3, control(7, 1, level));
  rig.write(now += ms(20), 3, control(8, 3, level));
  rig.write(now += ms(50), 3, control(9, 3, level));
  std::string wrong = control(10, 3, level);
  wrong[5] ^= 4;
  rig.write(now += ms(20), 3, wrong);
  rig.write(now += ms(20), 3, control(12, 3, level));
  const std::string facts = rig->finish(now + ms(30));
  EXPECT_EQ(fact(facts, "h", "controls"), "4");
  EXPECT_EQ(fact(facts, "h", "controls_missing"), "2");
  EXPECT_EQ(fact(facts, "h", "controls_refused"), "1");
  EXPECT_EQ(fact(facts, "h", "controls_late"), "2") << "50 and 40 ms";
  EXPECT_EQ(number(facts, "h", "min_control_interval_us"), 20'000);
  EXPECT_EQ(number(facts, "h", "max_control_interval_us"), 50'000);
  EXPECT_EQ(number(facts, "h", "longest_without_control_us"), 50'000);
  EXPECT_NEAR(number(facts, "h", "min_attitude_age_us"), 2000 + static_cast<double>(way) / 1e3, 1);
  EXPECT_NEAR(number(facts, "h", "max_attitude_age_us"),
              static_cast<double>(now + way - ms(40)) / 1e3, 1);
}

TEST(Helicopter, FeedsBackWhereTheServosAre) {
  Rig rig(kHelicopter);
  begin(rig);
  Line feedbacks(3, FEEDBACK, 10);
  rig.write(0, 3, control(41, 0, {10'000, -10'000, 5'000, -20'000}));
  auto first = feedbacks.take(rig, ms(5));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(field(first[0], 0), 41);
  EXPECT_EQ(field(first[0], 2), 0) << "they begin to move now";
  rig.write(s(1), 3, control(42, 0, {0, 0, 0, 0}));
  const auto second = feedbacks.take(rig, s(1) + ms(5));
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(field(second[0], 2), 10'000);
  EXPECT_EQ(field(second[0], 4), -10'000);
  EXPECT_EQ(field(second[0], 6), 5'000);
  EXPECT_EQ(field(second[0], 8), -10'000) << "no more than full deflection";
}

TEST(Helicopter, AfterAnUpsetNothingCounts) {
  Rig rig(kHelicopter + "height 1000000000\n");
  begin(rig);
  rig.write(0, 3, control(0, 0, {0, 0, 0, -10'000}));
  rig.write(s(5), 3, control(1, 0, {0, 0, 0, 10'000}));
  const std::string facts = rig->finish(s(10));
  EXPECT_EQ(fact(facts, "h", "upset"), "true");
  EXPECT_EQ(fact(facts, "h", "controls_late"), "0");
  EXPECT_EQ(fact(facts, "h", "max_control_interval_us"), "null");
  EXPECT_NEAR(number(facts, "h", "height_m"), 0, 0.02);
}

TEST(Helicopter, WavesAreThoseOfTheMotionAndChangeNothing) {
  const std::string file = temp_file("flight.vcd");
  const std::string scenario = kHelicopter + "gusts 2000000000\n";
  Rig plain(scenario), waved(scenario, 1, file);
  const std::string facts = plain->finish(s(1));
  EXPECT_EQ(waved->finish(s(1)), facts);
  const Vcd vcd(file);
  ASSERT_TRUE(vcd.order_contains("h.h_roll_deg"));
  EXPECT_EQ(vcd.changes.at("h.h_roll_deg").back().value, fact(facts, "h", "roll_deg"));
}

TEST(FlightScenario, EveryBadValueIsRefusedWithItsLine) {
  const auto refused = [](const std::string& scenario) -> std::string {
    try {
      Rig rig(scenario);
    } catch (const ScenarioError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"part helicopter h\n", "line 2: part h (helicopter) needs port"},
      {"part helicopter h\nport 4\n", "line 3: port is 4"},
      {kHelicopter + "height 0\n", "line 4: height is 0"},
      {kHelicopter + "gusts 100000000001\n", "line 4: gusts is 100000000001"},
      {kHelicopter + "broken 1000001\n", "line 4: broken is 1000001"},
      {kHelicopter + "wind 1\n", "line 4: part type helicopter has no key wind"},
      {"part ahrs a\nport 1\naircraft h\n",
       "line 2: part a is on the aircraft h, which is no part"},
      {"part ahrs a\nport 1\naircraft a\n",
       "line 2: part a is on the aircraft a, which is no part"},
      {kHelicopter + "part ahrs a\nport 1\naircraft h\nrate 99\n", "line 7: rate is 99"},
      {kHelicopter + "part gps a\nport 3\naircraft h\n",
       "is on a port to which another part sends"},
      {"part ground_station g\nport 0\n", "line 2: part g (ground_station) needs commands"},
      {"part ground_station g\nport 0\ncommands at=5\ncommands at=5\n",
       "line 5: commands must have ascending times"},
      {"part ground_station g\nport 0\ncommands at=5 up=7\n", "line 4: commands has no field up"},
      {"part ground_station g\nport 0\ncommands at=5 late=60000000001\n", "line 4: commands is"},
      {"part ground_station g\nport 0\nevery 999999\ncommands at=5\n", "line 4: every is 999999"},
  };
  for (const auto& [scenario, why] : bad)
    EXPECT_NE(refused(scenario).find(why), std::string::npos) << scenario << refused(scenario);
}

}  // namespace
}  // namespace hocket::sim::test
