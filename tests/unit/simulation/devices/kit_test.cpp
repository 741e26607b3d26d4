// Motors, contacts, a scale and a network chip: what the sketches of tests/system do not reach.
#include <string>

#include "rig.h"

namespace hocket::sim::test {
namespace {

using Bytes = std::vector<uint8_t>;

void pulse(Rig& rig, Nanos now, unsigned pin, Nanos width = us(5)) {
  rig->pin_write(now, pin, true);
  rig->pin_write(now + width, pin, false);
}

TEST(StepDriver, FollowsARampAndNoJump) {
  Rig rig(
      "part a4988 axis\nstep 2\ndir 3\nstart_rate 500000\ntop_rate 2000000\nacceleration 5000\n");
  rig.output(2);
  rig.output(3);
  Nanos now = ms(1);
  // 400, 410, … steps a second, up to 1,500; each interval allows 10 to 13 steps a second more.
  int steps = 0;
  for (uint64_t rate = 400; rate <= 1500; rate += 2, ++steps) pulse(rig, now += s(1) / rate, 2);
  pulse(rig, now += us(200), 2);  // 5,000 a second: lost, and it stands
  pulse(rig, now += us(700), 2);  // faster than from standing: lost
  pulse(rig, now += ms(3), 2);    // slow enough
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "axis", "missed_steps"), "2");
  EXPECT_EQ(fact(facts, "axis", "position"), std::to_string(steps + 1));
  EXPECT_EQ(fact(facts, "axis", "asked_position"), std::to_string(steps + 3));
}

TEST(StepDriver, CountsWhatTheDataSheetForbids) {
  Rig rig("part a4988 axis\nstep 2\ndir 3\nenable 4\n");
  for (const unsigned pin : {2u, 3u, 4u}) rig.output(pin);
  pulse(rig, ms(10), 2, 500);  // half a microsecond
  rig->pin_write(ms(20), 3, true);
  pulse(rig, ms(20) + 100, 2);
  rig->pin_write(ms(30), 4, true);
  pulse(rig, ms(31), 2);
  const std::string facts = rig->finish(ms(40));
  EXPECT_EQ(fact(facts, "axis", "short_pulses"), "1");
  EXPECT_EQ(fact(facts, "axis", "late_directions"), "1");
  EXPECT_EQ(fact(facts, "axis", "steps_while_off"), "1");
  EXPECT_EQ(fact(facts, "axis", "position"), "0");
}

TEST(CoilDriver, IsNotTurnedFromTheOppositeSide) {
  Rig rig("part uln2003 m\ninputs 2\ninputs 3\ninputs 4\ninputs 5\n");
  for (unsigned pin = 2; pin <= 5; ++pin) rig.output(pin);
  rig->pin_write(ms(1), 2, true);
  rig->pin_write(ms(3), 2, false);
  rig->pin_write(ms(3), 4, true);  // opposite
  rig->pin_write(ms(10), 4, false);
  rig->pin_write(ms(10), 3, true);  // one full step on
  const std::string facts = rig->finish(ms(20));
  EXPECT_EQ(fact(facts, "m", "position"), "2");
  EXPECT_EQ(fact(facts, "m", "missed_steps"), "4");
}

TEST(Relay, DoesNotMoveForAShortPulse) {
  Rig rig("part relay r\npin 2\ncontact 3\n");
  rig.output(2);
  ASSERT_TRUE(rig->pin_mode(0, 3, PinMode::InputPullup));
  pulse(rig, ms(10), 2, ms(5));
  EXPECT_EQ(rig->pin_read(ms(30), 3), 1);
  rig->pin_write(ms(40), 2, true);
  EXPECT_EQ(rig->pin_read(ms(49), 3), 1);
  EXPECT_EQ(rig->pin_read(ms(51), 3), 0);
  rig->pin_write(ms(90), 2, false);
  EXPECT_EQ(rig->pin_read(ms(96), 3), 1);
  const std::string facts = rig->finish(ms(100));
  EXPECT_EQ(fact(facts, "r", "too_short"), "1");
  EXPECT_EQ(fact(facts, "r", "switches"), "2");
  EXPECT_EQ(fact(facts, "r", "closed_us"), "45000");
}

TEST(RotaryEncoder, BouncesAndEndsWhereItWasTurned) {
  Rig rig(
      "part rotary_encoder k\nclk 2\ndt 3\nbounce 1000000\nturns at=1000000 detents=2 "
      "for=40000000\n");
  unsigned edges = 0;
  bool before = true;
  for (Nanos now = 0; now < ms(60); now += us(1)) {
    const bool level = rig->pin_read(now, 2) != 0;
    if (level != before) ++edges;
    before = level;
  }
  EXPECT_GT(edges, 4u + 4u);  // it bounced
  EXPECT_TRUE(before);
  const std::string facts = rig->finish(ms(70));
  EXPECT_EQ(fact(facts, "k", "position"), "2");
}

TEST(Hx711, IsSwitchedOffAndCountsABrokenRead) {
  Rig rig("part hx711 scale\ndout 2\nsck 3\nload at=0 is=1000\n");
  rig.output(3);
  EXPECT_EQ(rig->pin_read(ms(399), 2), 1);
  EXPECT_EQ(rig->pin_read(ms(401), 2), 0);
  for (int i = 0; i < 10; ++i) pulse(rig, ms(410) + us(10) * i, 3, us(2));
  EXPECT_EQ(rig->pin_read(ms(550), 2), 0);  // the next one is there
  pulse(rig, ms(600), 3, us(70));
  EXPECT_EQ(rig->pin_read(ms(601), 2), 1);
  EXPECT_EQ(rig->pin_read(ms(1'001), 2), 0);
  const std::string facts = rig->finish(s(2));
  EXPECT_EQ(fact(facts, "scale", "broken_reads"), "1");
  EXPECT_EQ(fact(facts, "scale", "power_downs"), "1");
}

/// The chip's registers, as a driver speaks with them.
class Net {
 public:
  explicit Net(const std::string& keys) : rig_("part w5500 net\nselect 10\n" + keys) {
    rig_.output(10);
    rig_->pin_write(0, 10, true);
  }
  void put(unsigned address, unsigned block, const Bytes& values) {
    talk(address, block << 3 | 4, values);
  }
  Bytes get(unsigned address, unsigned block, size_t size) {
    return talk(address, block << 3, Bytes(size));
  }
  unsigned word(unsigned address, unsigned block) {
    const Bytes two = get(address, block, 2);
    return two[0] * 256u + two[1];
  }
  void wait(Nanos time) { now_ += time; }
  /// A connection of socket 0 to port 80.
  void connect() {
    put(0, 1, {1, 1});
    put(0x0c, 1, {10, 0, 0, 9, 0, 80});
    put(1, 1, {4});
    wait(ms(3));
  }
  std::string facts() { return rig_->finish(now_ + ms(1)); }

 private:
  Bytes talk(unsigned address, unsigned control, const Bytes& values) {
    Bytes out{static_cast<uint8_t>(address >> 8), static_cast<uint8_t>(address),
              static_cast<uint8_t>(control)};
    out.insert(out.end(), values.begin(), values.end());
    Bytes in(out.size());
    sys::SpiTransfer asked{};
    asked.size = static_cast<uint32_t>(out.size());
    asked.hertz = 8'000'000;
    rig_->pin_write(now_ += us(1), 10, false);
    now_ += rig_->spi_transfer(now_, 0, asked, out.data(), in.data());
    rig_->pin_write(now_, 10, true);
    return {in.begin() + 3, in.end()};
  }

  Rig rig_;
  Nanos now_ = 0;
};

std::string hex_digits(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    char two[4];
    std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<uint8_t>(c)));
    digits += two;
  }
  return digits;
}

TEST(W5500, KeepsBackWhatHasNoRoomAndGoesRound) {
  const std::string text(5'000, 'x');
  Net net("answers port=80 text=" + hex_digits(text) + "\n");
  net.connect();
  EXPECT_EQ(net.get(3, 1, 1), Bytes{0x17});
  size_t came = 0;
  unsigned at = 0;
  for (int i = 0; i < 20; ++i) {
    const unsigned has = net.word(0x26, 1);
    EXPECT_LE(has, 2'048u);
    for (const uint8_t byte : net.get(at, 3, has)) came += byte == 'x' ? 1 : 0;
    at += has;
    net.put(0x28, 1, {static_cast<uint8_t>(at >> 8), static_cast<uint8_t>(at)});
    net.put(1, 1, {0x40});
    net.wait(ms(1));
  }
  EXPECT_EQ(came, text.size());
  EXPECT_EQ(fact(net.facts(), "net", "bytes_received"), "5000");
}

TEST(W5500, PointersReadAsBeforeUntilTheCommand) {
  Net net("answers port=80\n");
  net.connect();
  net.put(0x24, 1, {0, 7});
  EXPECT_EQ(net.word(0x24, 1), 0u);
  net.put(1, 1, {0x20});
  EXPECT_EQ(net.word(0x24, 1), 7u);
  EXPECT_EQ(net.word(0x20, 1), 2'041u);  // until it is acknowledged
  net.wait(ms(3));
  EXPECT_EQ(net.word(0x20, 1), 2'048u);
  EXPECT_EQ(net.get(2, 1, 1)[0] & 0x10, 0x10);
}

TEST(W5500, WithoutACableAConnectionTimesOut) {
  Net net("cable false\nanswers port=80\n");
  net.connect();
  EXPECT_EQ(net.get(3, 1, 1), Bytes{0x15});
  net.wait(s(3));
  EXPECT_EQ(net.get(3, 1, 1), Bytes{0x00});
  EXPECT_EQ(net.get(2, 1, 1)[0] & 0x08, 0x08);
}

TEST(W5500, ACallThatNobodyTakesIsMissed) {
  Net net("calls at=1000000 port=23 text=68\ncalls at=2000000 port=99 udp=true text=68\n");
  net.wait(s(4));
  const std::string facts = net.facts();
  EXPECT_EQ(fact(facts, "net", "calls_missed"), "2");
  EXPECT_EQ(fact(facts, "net", "calls_taken"), "0");
}

TEST(W5500, ForgetsASocketThatWasClosedMeanwhile) {
  Net net("latency 5000000\nanswers port=80 text=41\n");
  net.connect();          // the handshake is under way
  net.put(1, 1, {0x10});  // closed
  net.wait(ms(50));
  EXPECT_EQ(net.get(3, 1, 1), Bytes{0x00});
  EXPECT_EQ(fact(net.facts(), "net", "connections"), "0");
}

}  // namespace
}  // namespace hocket::sim::test
