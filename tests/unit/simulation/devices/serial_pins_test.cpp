// A serial device at two pins: its bits are times, and so are those that it hears.
#include "rig.h"

namespace hocket::sim::test {
namespace {

constexpr unsigned kFromDevice = 4, kToDevice = 5;
constexpr Nanos kBit = 1'000'000'000 / 9600;

const char* const kWiring = "tx 4\nrx 5\nbaud 9600\n";

std::string hex(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    digits += "0123456789abcdef"[static_cast<uint8_t>(c) >> 4];
    digits += "0123456789abcdef"[static_cast<uint8_t>(c) & 15];
  }
  return digits;
}

/// The sketch's side of the line.
class TwoPins {
 public:
  explicit TwoPins(const std::string& more, bool inverted = false)
      : rig("part serial_pins radio\n" + std::string(kWiring) + more), idle(!inverted) {
    rig->pin_write(0, kToDevice, idle);
    rig->pin_mode(0, kToDevice, PinMode::Output);
  }
  void put(uint8_t byte, Nanos bit = kBit, bool stop = true) {
    const uint32_t frame = uint32_t{byte} << 1 | uint32_t{stop} << 9;
    for (unsigned i = 0; i < 10; ++i, now += bit)
      rig->pin_write(now, kToDevice, (frame >> i & 1) != 0 ? idle : !idle);
    rig->pin_write(now, kToDevice, idle);
  }
  bool one(Nanos at) { return (rig->pin_read(at, kFromDevice) != 0) == idle; }
  /// The byte whose start bit begins at `start`, seen in the middle of each bit; -1: it is none.
  int byte_at(Nanos start) {
    uint32_t frame = 0;
    for (unsigned i = 0; i < 10; ++i) frame |= uint32_t{one(start + i * kBit + kBit / 2)} << i;
    return (frame & 0x201) == 0x200 ? static_cast<int>(frame >> 1 & 0xff) : -1;
  }

  Nanos now = ms(1);
  Rig rig;
  bool idle;
};

TEST(SerialPins, SendsItsTextsBitByBit) {
  TwoPins line("send at=2000000 text=" + hex("U\xff") + "\n");
  EXPECT_TRUE(line.one(ms(2) - 1));
  EXPECT_FALSE(line.one(ms(2)));
  EXPECT_EQ(line.byte_at(ms(2)), 'U');
  EXPECT_EQ(line.byte_at(ms(2) + 1'041'666), 0xff);
  EXPECT_TRUE(line.one(ms(10)));
  EXPECT_EQ(fact(line.rig->finish(s(1)), "radio", "bytes_sent"), "2");
}

TEST(SerialPins, AnswersWhatItHears) {
  TwoPins line("send after=" + hex("AT") + " wait=1000000 text=" + hex("K") + "\nexpect " +
               hex("T") + "\n");
  line.put('A');
  line.put('T');
  // The byte is there in the middle of its stop bit.
  const Nanos heard = line.now - kBit + kBit / 2;
  EXPECT_TRUE(line.one(heard + us(990)));
  EXPECT_EQ(line.byte_at(heard + ms(1) + us(1)), 'K');
  const std::string facts = line.rig->finish(s(1));
  EXPECT_EQ(fact(facts, "radio", "bytes_heard"), "2");
  EXPECT_EQ(fact(facts, "radio", "all_seen"), "true");
  EXPECT_EQ(fact(facts, "radio", "answers"), "1");
  EXPECT_EQ(fact(facts, "radio", "broken_bytes"), "0");
}

TEST(SerialPins, HearsWhatIsNotAByte) {
  TwoPins line("");
  line.put('A', kBit, false);
  line.now += ms(3);
  line.rig->pin_write(line.now, kToDevice, false);
  line.now += us(20);
  line.rig->pin_write(line.now, kToDevice, true);
  line.now += ms(3);
  line.put('A');
  const std::string facts = line.rig->finish(s(1));
  EXPECT_EQ(fact(facts, "radio", "broken_bytes"), "1");
  EXPECT_EQ(fact(facts, "radio", "short_starts"), "1");
  EXPECT_EQ(fact(facts, "radio", "bytes_heard"), "1");
}

TEST(SerialPins, MayBeUpsideDown) {
  TwoPins line("inverted true\nsend at=2000000 text=" + hex("x") + "\nexpect " + hex("y") + "\n",
               true);
  EXPECT_EQ(line.rig->pin_read(ms(1), kFromDevice), 0);
  line.put('y');
  EXPECT_EQ(line.byte_at(ms(2)), 'x');
  EXPECT_EQ(fact(line.rig->finish(s(1)), "radio", "all_seen"), "true");
}

TEST(SerialPins, RefusesWhatCannotBe) {
  for (const char* const wrong :
       {"baud 9600\n", "tx 4\nbaud 100\n", "tx 4\nrx 4\nbaud 9600\n",
        "rx 4\nbaud 9600\nsend at=0 text=41\n", "tx 4\nbaud 9600\nexpect 41\n"}) {
    EXPECT_THROW(Rig("part serial_pins radio\n" + std::string(wrong)), ScenarioError) << wrong;
  }
}

}  // namespace
}  // namespace hocket::sim::test
