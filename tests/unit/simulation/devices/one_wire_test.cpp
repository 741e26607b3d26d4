// Parts at one wire whose bits are times: a DHT22, DS18B20s, a strip of WS2812.
#include "rig.h"

namespace hocket::sim::test {
namespace {

constexpr unsigned kPin = 2;

/// The sketch's side of a wire with a pull-up: it only ever pulls low or lets go.
class Wire {
 public:
  explicit Wire(const std::string& parts) : rig(parts) {}
  void low(Nanos length) {
    rig->pin_write(now, kPin, false);
    rig->pin_mode(now, kPin, PinMode::Output);
    now += length;
  }
  void open(Nanos length) {
    rig->pin_mode(now, kPin, PinMode::Input);
    now += length;
  }
  int level() { return rig->pin_read(now, kPin); }
  /// Until the level is this; how long that lasted.
  Nanos wait(int wanted) {
    const Nanos begin = now;
    while (level() != wanted && now - begin < ms(2)) now += us(1);
    return now - begin;
  }

  Nanos now = ms(1);
  Rig rig;
};

/// The five bytes of a DHT22, as a driver takes them; empty: no answer.
std::vector<uint8_t> dht_bytes(Wire& wire, Nanos start) {
  wire.low(start);
  wire.open(0);
  if (wire.wait(0) > us(100)) return {};
  EXPECT_EQ(wire.wait(1), us(80));
  EXPECT_EQ(wire.wait(0), us(80));
  std::vector<uint8_t> bytes(5);
  for (unsigned bit = 0; bit < 40; ++bit) {
    EXPECT_EQ(wire.wait(1), us(50));
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] << 1 | (wire.wait(0) > us(40) ? 1 : 0));
  }
  wire.wait(1);
  return bytes;
}

TEST(Dht22, SendsTenthsAndTheirSum) {
  Wire wire("part dht22 air\npin 2\ntemperature at=0 is=-12340\nhumidity at=0 is=654000\n");
  EXPECT_EQ(dht_bytes(wire, ms(1)), (std::vector<uint8_t>{0x02, 0x8e, 0x80, 0x7b, 0x8b}));
  EXPECT_EQ(wire.level(), 1);
}

TEST(Dht22, MeasuresEveryTwoSecondsAtMost) {
  Wire wire(
      "part dht22 air\npin 2\ntemperature at=0 is=0\ntemperature at=10000000000 is=10000\n"
      "humidity at=0 is=0\n");
  EXPECT_EQ(dht_bytes(wire, ms(1))[3], 0);
  wire.now = s(1);
  EXPECT_EQ(dht_bytes(wire, ms(1))[3], 0);
  wire.now = s(4);
  EXPECT_EQ(dht_bytes(wire, ms(1))[3], 40);
  const std::string facts = wire.rig->finish(s(5));
  EXPECT_EQ(fact(facts, "air", "reads"), "3");
  EXPECT_EQ(fact(facts, "air", "early_reads"), "1");
}

TEST(Dht22, TakesNoShortStart) {
  Wire wire("part dht22 air\npin 2\ntemperature at=0 is=0\nhumidity at=0 is=0\n");
  EXPECT_TRUE(dht_bytes(wire, us(500)).empty());
  EXPECT_EQ(fact(wire.rig->finish(s(1)), "air", "short_starts"), "1");
}

/// A bus master by the data sheet's times.
class Bus : public Wire {
 public:
  explicit Bus(const std::string& parts) : Wire(parts) {}
  bool reset() {
    low(us(480));
    open(us(70));
    const bool present = level() == 0;
    now += us(410);
    return present;
  }
  bool bit(bool one) {
    low(one ? us(6) : us(60));
    open(us(9));
    const bool seen = level() != 0;
    now += us(55);
    return seen;
  }
  uint8_t byte(uint8_t out) {
    uint8_t in = 0;
    for (unsigned i = 0; i < 8; ++i) in = static_cast<uint8_t>(in | bit((out >> i & 1) != 0) << i);
    return in;
  }
  std::vector<uint8_t> bytes(size_t count) {
    std::vector<uint8_t> read(count);
    for (uint8_t& each : read) each = byte(0xff);
    return read;
  }
  /// Maxim's search (application note 187): all numbers, in its order.
  std::vector<std::string> search(uint8_t command) {
    std::vector<std::string> found;
    int fork = -1;
    std::array<bool, 64> way{};
    do {
      if (!reset()) return found;
      byte(command);
      int last = -1;
      for (int i = 0; i < 64; ++i) {
        const bool one = bit(true), zero = bit(true);
        if (one && zero) return found;
        const auto at = static_cast<size_t>(i);
        if (one != zero)
          way[at] = one;
        else if (i == fork)
          way[at] = true;
        else if (i > fork)
          way[at] = false;
        if (one == zero && !way[at]) last = i;
        bit(way[at]);
      }
      std::string number;
      for (size_t each = 0; each < 8; ++each) {
        unsigned value = 0;
        for (size_t i = 0; i < 8; ++i) value |= static_cast<unsigned>(way[8 * each + i]) << i;
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", value);
        number += digits;
      }
      found.push_back(number);
      fork = last;
    } while (fork >= 0);
    return found;
  }
  int16_t temperature() {
    reset();
    byte(0xcc);
    byte(0xbe);
    const std::vector<uint8_t> pad = bytes(9);
    return static_cast<int16_t>(pad[0] | pad[1] << 8);
  }
  void convert() {
    reset();
    byte(0xcc);
    byte(0x44);
  }
};

constexpr const char* kOne = "part ds18b20 a\npin 2\ntemperature at=0 is=-10125\n";
constexpr const char* kThree =
    "part ds18b20 a\npin 2\nnumber 010203040506\ntemperature at=0 is=72000\n"
    "part ds18b20 b\npin 2\nnumber 010203040507\ntemperature at=0 is=80000\n"
    "part ds18b20 c\npin 2\nnumber 810203040506\ntemperature at=0 is=71000\n";

TEST(Ds18b20, IsThereAndReadsEightyFiveAtFirst) {
  Bus bus(kOne);
  EXPECT_TRUE(bus.reset());
  EXPECT_EQ(bus.temperature(), 85 * 16);
  bus.convert();
  EXPECT_FALSE(bus.bit(true));  // busy
  EXPECT_EQ(bus.temperature(), 85 * 16);
  bus.now += ms(750);
  EXPECT_EQ(bus.temperature(), -162);  // -10.125 degrees
}

TEST(Ds18b20, BeginsWithTheWholeScratchpadOfItsDataSheet) {
  Bus bus(kOne);
  bus.reset();
  bus.byte(0xcc);
  bus.byte(0xbe);
  // With the checksum that real ones send after power-on.
  EXPECT_EQ(bus.bytes(9),
            (std::vector<uint8_t>{0x50, 0x05, 0x4b, 0x46, 0x7f, 0xff, 0x0c, 0x10, 0x1c}));
}

TEST(Ds18b20, SaysWhenItIsReady) {
  Bus bus(kOne);
  bus.convert();
  const Nanos begin = bus.now;
  while (!bus.bit(true)) continue;
  EXPECT_NEAR(static_cast<double>(bus.now - begin), 750e6, 1e6);
}

TEST(Ds18b20, ScratchpadHasItsChecksumAndSettingsLast) {
  Bus bus(kOne);
  bus.reset();
  bus.byte(0xcc);
  bus.byte(0x4e);
  for (const uint8_t each : {0x7f, 0x80, 0x1f}) bus.byte(each);  // nine bits
  bus.convert();
  bus.now += ms(94);
  EXPECT_EQ(bus.temperature(), -168);  // -10.5: what does not count is 0
  bus.reset();
  bus.byte(0xcc);
  bus.byte(0xbe);
  EXPECT_EQ(bus.bytes(9),
            (std::vector<uint8_t>{0x58, 0xff, 0x7f, 0x80, 0x1f, 0xff, 0x0c, 0x10, 0xe6}));
  bus.reset();
  bus.byte(0xcc);
  bus.byte(0xb8);  // recall: as it was
  EXPECT_EQ(fact(bus.rig->finish(bus.now), "a", "bits"), "12");
}

TEST(Ds18b20, SeveralAreFoundAndChosen) {
  Bus bus(kThree);
  const std::vector<std::string> found = bus.search(0xf0);
  ASSERT_EQ(found.size(), 3u);
  bus.convert();
  bus.now += s(1);
  const std::string facts = bus.rig->finish(bus.now);
  for (const char* name : {"a", "b", "c"})
    EXPECT_EQ(std::count(found.begin(), found.end(), fact(facts, name, "rom").substr(1, 16)), 1);
  std::map<std::string, int> values;
  for (const std::string& number : found) {
    bus.reset();
    bus.byte(0x55);
    for (size_t i = 0; i < 16; i += 2)
      bus.byte(static_cast<uint8_t>(std::stoul(number.substr(i, 2), nullptr, 16)));
    bus.byte(0xbe);
    const std::vector<uint8_t> pad = bus.bytes(2);
    values[number.substr(2, 12)] = pad[0] | pad[1] << 8;
  }
  EXPECT_EQ(values["010203040506"], 72 * 16);
  EXPECT_EQ(values["010203040507"], 80 * 16);
  EXPECT_EQ(values["810203040506"], 71 * 16);
  EXPECT_EQ(bus.search(0xec).size(), 1u);  // the one that is not between 70 and 75 degrees
}

TEST(Ds18b20, WithoutPullUpNobodyIsThere) {
  Bus bus(std::string(kOne) + "resistor false\n");
  bus.low(us(480));
  bus.open(us(70));
  EXPECT_EQ(bus.level(), 0);  // and never high
  bus.now += us(410);
  EXPECT_EQ(bus.level(), 0);
}

TEST(Ds18b20, RefusesTwoOfOneNumber) {
  EXPECT_THROW(Rig("part ds18b20 a\npin 2\nnumber 010203040506\ntemperature at=0 is=0\n"
                   "part ds18b20 b\npin 2\nnumber 010203040506\ntemperature at=0 is=0\n"),
               ScenarioError);
  EXPECT_THROW(Rig("part ds18b20 a\npin 2\nnumber 0102\ntemperature at=0 is=0\n"), ScenarioError);
}

void send(Rig& rig, Nanos& now, uint32_t bits, unsigned count, Nanos zero = 400, Nanos one = 800) {
  for (unsigned bit = count; bit-- > 0;) {
    const Nanos high = (bits >> bit & 1) != 0 ? one : zero;
    rig->pin_write(now, kPin, true);
    rig->pin_write(now + high, kPin, false);
    now += 1250;
  }
}

TEST(Ws2812, EachTakesItsBitsAndShowsThemAfterTheReset) {
  Rig rig("part ws2812 strip\npin 2\nlights 3\n");
  rig.output(kPin);
  Nanos now = ms(1);
  for (const uint32_t colour : {0x00ff00u, 0x800010u, 0x123456u, 0xffffffu})
    send(rig, now, colour, 24);
  now += us(60);
  send(rig, now, 0x010203, 24);
  now += us(60);
  const std::string facts = rig->finish(now);
  EXPECT_EQ(fact(facts, "strip", "colours"), "\"020103 008010 341256\"");
  EXPECT_EQ(fact(facts, "strip", "frames"), "2");
  EXPECT_EQ(fact(facts, "strip", "bits"), "120");
  EXPECT_EQ(fact(facts, "strip", "bad_pulses"), "0");
  EXPECT_EQ(fact(facts, "strip", "lit"), "3");
}

TEST(Ws2812, CountsWhatIsOutOfItsTimes) {
  Rig rig("part ws2812 strip\npin 2\nlights 1\norder rgb\n");
  rig.output(kPin);
  Nanos now = ms(1);
  send(rig, now, 0xff0000, 24, 200, 1000);
  now += us(60);
  send(rig, now, 0xff, 7);
  now += us(60);
  const std::string facts = rig->finish(now);
  EXPECT_EQ(fact(facts, "strip", "colours"), "\"ff0000\"");
  EXPECT_EQ(fact(facts, "strip", "bad_pulses"), "24");
  EXPECT_EQ(fact(facts, "strip", "broken_frames"), "1");
}

TEST(Ws2812, WithWhite) {
  Rig rig("part ws2812 strip\npin 2\nlights 1\norder grbw\n");
  rig.output(kPin);
  Nanos now = ms(1);
  send(rig, now, 0x11223344, 32);
  EXPECT_EQ(fact(rig->finish(now + ms(1)), "strip", "colours"), "\"22113344\"");
}

}  // namespace
}  // namespace hocket::sim::test
