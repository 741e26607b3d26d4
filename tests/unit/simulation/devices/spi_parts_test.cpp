// Devices on the SPI bus: one of registers, and an SD card.
#include "rig.h"

namespace hocket::sim::test {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr unsigned kSelect = 10;

/// A board with its bus; every byte takes the time of its bits.
class SpiRig {
 public:
  explicit SpiRig(const std::string& parts) : rig(parts) {
    rig.output(kSelect);
    deselect();
  }
  void select() { rig->pin_write(now, kSelect, false); }
  void deselect() { rig->pin_write(now, kSelect, true); }
  Bytes exchange(const Bytes& out, uint8_t mode = 0, bool lowest_first = false) {
    sys::SpiTransfer asked{};
    asked.size = static_cast<uint32_t>(out.size());
    asked.hertz = 4'000'000;
    asked.mode = mode;
    asked.lowest_first = lowest_first;
    Bytes in(out.size());
    now += rig->spi_transfer(now, 0, asked, out.data(), in.data());
    return in;
  }
  Bytes transfer(const Bytes& out, uint8_t mode = 0, bool lowest_first = false) {
    select();
    Bytes in = exchange(out, mode, lowest_first);
    deselect();
    return in;
  }

  Nanos now = ms(1);
  Rig rig;
};

constexpr const char* kSpiSensor =
    "part spi_registers sensor\nselect 10\nregisters register=15 is=51 access=read\n"
    "registers register=32 is=0\nchanges at=1000000000 register=15 is=52\n";

TEST(SpiRegisters, ReadsAndWritesByTheDirectionBit) {
  SpiRig bus(kSpiSensor);
  EXPECT_EQ(bus.transfer({0x8f, 0, 0}), (Bytes{0xff, 51, 0}));
  bus.transfer({0x20, 7, 8});
  EXPECT_EQ(bus.transfer({0xa0, 0, 0}), (Bytes{0xff, 7, 8}));
  bus.transfer({0x0f, 1});
  bus.now = s(2);
  EXPECT_EQ(bus.transfer({0x8f, 0})[1], 52);
  const std::string facts = bus.rig->finish(bus.now);
  EXPECT_NE(facts.find("\"transfers\": 6"), facts.npos) << facts;
  EXPECT_NE(facts.find("\"writes_refused\": 1"), facts.npos) << facts;
}

TEST(SpiRegisters, HearsNothingWhenNotSelectedOrInAnotherMode) {
  SpiRig bus(kSpiSensor);
  EXPECT_EQ(bus.exchange({0x8f, 0}), (Bytes{0xff, 0xff}));
  EXPECT_EQ(bus.transfer({0x8f, 0}, 1), (Bytes{0xff, 0xff}));
  EXPECT_EQ(bus.transfer({0x8f, 0}, 3), (Bytes{0xff, 51}));
  EXPECT_EQ(bus.transfer({0xf1, 0}, 0, /*lowest_first=*/true), (Bytes{0xff, 0xcc}));
  const std::string facts = bus.rig->finish(bus.now);
  EXPECT_NE(facts.find("\"wrong_mode\": 2"), facts.npos) << facts;
}

TEST(SpiRegisters, IsNotSelectedByAPinThatNobodyDrives) {
  Rig rig(kSpiSensor);
  sys::SpiTransfer asked{};
  asked.size = 2;
  const Bytes out{0x8f, 0};
  Bytes in(2);
  rig->spi_transfer(0, 0, asked, out.data(), in.data());
  EXPECT_EQ(in, (Bytes{0xff, 0xff}));
}

TEST(SpiRegisters, RefusesADirectionOfSeveralBits) {
  EXPECT_THROW(Rig("part spi_registers a\nselect 10\ndirection_bit 3\n"), ScenarioError);
  EXPECT_THROW(Rig("part spi_registers a\n"), ScenarioError);
}

constexpr size_t kBlock = 512, kBlocks = 2048;

class Card : public SpiRig {
 public:
  explicit Card(const std::string& more = "") : SpiRig(text() + more) {}
  /// R1 of a command, and what follows it stays to be read.
  uint8_t command(uint8_t code, uint32_t argument = 0, uint8_t sum = 0x01) {
    exchange({0xff, static_cast<uint8_t>(0x40 | code), static_cast<uint8_t>(argument >> 24),
              static_cast<uint8_t>(argument >> 16), static_cast<uint8_t>(argument >> 8),
              static_cast<uint8_t>(argument), sum});
    for (int turn = 0; turn < 8; ++turn)
      if (const uint8_t answer = next(); answer != 0xff) return answer;
    return 0xff;
  }
  uint8_t next() { return exchange({0xff})[0]; }
  Bytes next(size_t count) { return exchange(Bytes(count, 0xff)); }
  void begin() {
    select();
    EXPECT_EQ(command(0, 0, 0x95), 0x01);
    EXPECT_EQ(command(8, 0x1aa, 0x87), 0x01);
    EXPECT_EQ(next(4), (Bytes{0, 0, 1, 0xaa}));
    unsigned turns = 0;
    do {
      EXPECT_LE(command(55), 0x01);
      now += ms(1);
    } while (command(41, 0x40000000) != 0 && ++turns < 100);
    EXPECT_GT(turns, 1u);
    EXPECT_LT(turns, 100u);
    EXPECT_EQ(command(58), 0);
    EXPECT_EQ(next(4)[0], 0xc0);  // ready, blocks are numbered
  }
  /// The bytes of a block that comes, its sum checked.
  Bytes block(size_t size = kBlock) {
    for (int turn = 0; turn < 100; ++turn) {
      const uint8_t token = next();
      if (token == 0xff) continue;
      EXPECT_EQ(token, 0xfe);
      Bytes bytes = next(size + 2);
      unsigned sum = 0;
      for (const uint8_t each : bytes) {  // over the sum as well: 0
        sum ^= static_cast<unsigned>(each) << 8;
        for (int bit = 0; bit < 8; ++bit) sum = sum << 1 ^ ((sum & 0x8000) != 0 ? 0x1021u : 0);
      }
      EXPECT_EQ(sum & 0xffff, 0u);
      bytes.resize(size);
      return bytes;
    }
    return {};
  }
  uint8_t store(uint8_t token, uint8_t fill) {
    exchange({0xff, token});
    exchange(Bytes(kBlock, fill));
    exchange({0, 0});
    uint8_t answer = 0xff;
    for (int turn = 0; turn < 8 && answer == 0xff; ++turn) answer = next();
    EXPECT_EQ(next(), 0);  // busy
    const Nanos begin = now;
    while (next() == 0 && now - begin < ms(10)) continue;
    EXPECT_NEAR(static_cast<double>(now - begin), 500e3, 10e3);
    return answer;
  }

 private:
  static std::string text() {
    const std::string file = temp_file("card.img");
    std::ofstream out(file, std::ios::binary);
    std::string bytes;
    for (size_t i = 0; i < kBlocks * kBlock; ++i)
      bytes += static_cast<char>(i / kBlock + i % kBlock);
    out << bytes;
    std::string hex;
    for (const char each : file) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(each));
      hex += digits;
    }
    return "part sd_card card\nselect 10\nimage " + hex + "\n";
  }
};

TEST(SdCard, BeginsAsTheSpecificationSaysAndTellsItsSize) {
  Card card;
  card.begin();
  EXPECT_EQ(card.command(9), 0);
  const Bytes csd = card.block(16);
  EXPECT_EQ(csd[0] >> 6, 1);                                         // version 2.0
  EXPECT_EQ(((csd[7] & 0x3f) << 16 | csd[8] << 8 | csd[9]) + 1, 2);  // times 512 KiB
  EXPECT_EQ(card.command(10), 0);
  EXPECT_EQ(card.block(16)[1], 'H');
  EXPECT_EQ(card.command(13), 0);
  EXPECT_EQ(card.next(), 0);
  EXPECT_EQ(fact(card.rig->finish(card.now), "card", "initialised"), "true");
}

TEST(SdCard, ReadsOneBlockOrSeveral) {
  Card card;
  card.begin();
  EXPECT_EQ(card.command(16, 512), 0);
  EXPECT_EQ(card.command(17, 5), 0);
  EXPECT_EQ(card.block()[3], 8);
  EXPECT_EQ(card.command(18, 2046), 0);
  EXPECT_EQ(card.block()[0], 2046 % 256);
  EXPECT_EQ(card.block()[0], 2047 % 256);
  card.command(12);
  EXPECT_EQ(card.next(), 0xff);
  EXPECT_EQ(card.command(17, 5), 0);
  EXPECT_EQ(card.block()[0], 5);
}

TEST(SdCard, WritesOneBlockOrSeveral) {
  Card card;
  card.begin();
  EXPECT_EQ(card.command(24, 7), 0);
  EXPECT_EQ(card.store(0xfe, 0x5a) & 0x1f, 0x05);
  EXPECT_EQ(card.command(25, 8), 0);
  EXPECT_EQ(card.store(0xfc, 0x11) & 0x1f, 0x05);
  EXPECT_EQ(card.store(0xfc, 0x22) & 0x1f, 0x05);
  card.exchange({0xfd, 0xff});
  card.now += ms(1);
  for (const auto& [block, value] :
       std::map<unsigned, int>{{6, 6}, {7, 0x5a}, {8, 0x11}, {9, 0x22}, {10, 10}}) {
    EXPECT_EQ(card.command(17, block), 0);
    EXPECT_EQ(card.block()[0], value);
  }
  EXPECT_EQ(fact(card.rig->finish(card.now), "card", "blocks_written"), "3");
}

TEST(SdCard, RefusesWhatItCannot) {
  Card card;
  card.select();
  EXPECT_EQ(card.command(17, 0), 0xff);  // it does not speak SPI yet
  EXPECT_EQ(card.command(0, 0, 0x01), 0x08);
  EXPECT_EQ(card.command(0, 0, 0x95), 0x01);
  EXPECT_EQ(card.command(17, 0), 0x05);  // idle
  card.begin();
  EXPECT_EQ(card.command(17, kBlocks), 0x40);
  EXPECT_EQ(card.command(16, 1024), 0x40);
  EXPECT_EQ(card.command(63), 0x04);
  EXPECT_EQ(fact(card.rig->finish(card.now), "card", "refused"), "5");
}

TEST(SdCard, AnImageMustBeThere) {
  EXPECT_THROW(Rig("part sd_card card\nselect 10\n"), ScenarioError);
  EXPECT_THROW(Rig("part sd_card card\nselect 10\nimage 2f6e6f6e65\n"), DeviceError);
}

}  // namespace
}  // namespace hocket::sim::test
