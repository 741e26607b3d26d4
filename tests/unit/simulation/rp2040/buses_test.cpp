// SPI and I²C: their time, FIFOs, interrupts, and what is exchanged with the outside.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kSpi0 = 0x4003'c000, kI2c0 = 0x4004'4000;

/// 1 MHz: 125 MHz / (50 * 2.5) does not go; 124 cycles a bit.
struct SpiLine : Rig {
  SpiLine() : Rig({0xe7fe}) {
    write(kResets + 0x3000, 1u << 16);
    write(kSpi0 + 0x10, 2);
    write(kSpi0, 61u << 8 | 7);
    write(kSpi0 + 4, 2);
    chip.spi(0).on_exchange([this](Cycles now, uint16_t sent, unsigned bits) {
      EXPECT_EQ(bits, 8u);
      exchanged.emplace_back(now, sent);
      return static_cast<uint16_t>(~sent);
    });
  }
  std::vector<std::pair<Cycles, uint16_t>> exchanged;
};

TEST(Spi, AFrameTakesItsBits) {
  SpiLine line;
  EXPECT_EQ(line.chip.spi(0).bit(), 124u);
  const Cycles start = line.chip.cycle();
  line.write(kSpi0 + 8, 0x12);
  line.write(kSpi0 + 8, 0x34);
  EXPECT_EQ(line.read(kSpi0 + 0xc) & 0x10, 0x10u);
  line.run_for(2 * 8 * 124 + 20);
  ASSERT_EQ(line.exchanged.size(), 2u);
  EXPECT_EQ(line.exchanged[1].first - line.exchanged[0].first, 8u * 124);
  EXPECT_LE(line.exchanged[0].first - start, 8u * 124 + 10);
  EXPECT_EQ(line.read(kSpi0 + 8), 0xedu);
  EXPECT_EQ(line.read(kSpi0 + 8), 0xcbu);
  EXPECT_EQ(line.read(kSpi0 + 0xc) & 0x1f, 3u);
}

TEST(Spi, InterruptsAreForHalfAFifo) {
  SpiLine line;
  line.write(kSpi0 + 0x14, 4);
  for (uint32_t i = 0; i < 4; ++i) line.write(kSpi0 + 8, i);
  line.run_for(3 * 8 * 124);
  EXPECT_EQ(line.core.nvic().lines() & 1u << 18, 0u);
  line.run_for(8 * 124);
  EXPECT_NE(line.core.nvic().lines() & 1u << 18, 0u);
}

TEST(Spi, AFifoThatIsFullOverruns) {
  SpiLine line;
  for (uint32_t i = 0; i < 9; ++i) {
    line.write(kSpi0 + 8, i);
    line.run_for(8 * 124 + 20);
  }
  EXPECT_EQ(line.read(kSpi0 + 0x18) & 1, 1u);
  line.write(kSpi0 + 0x20, 1);
  EXPECT_EQ(line.read(kSpi0 + 0x18) & 1, 0u);
}

/// A device at 0x3c that takes three bytes and gives letters.
class Part : public I2cOutside {
 public:
  bool start(uint8_t address, bool reads, Cycles) override {
    happened += address == 0x3c ? (reads ? "R" : "W") : "?";
    return address == 0x3c;
  }
  bool sent(uint8_t byte, Cycles now) override {
    happened += std::to_string(byte);
    last_at = now;
    return ++taken <= 3;
  }
  uint8_t received(bool last, Cycles) override {
    happened += last ? "l" : "r";
    return static_cast<uint8_t>('a' + given++);
  }
  void stop(Cycles) override { happened += "."; }

  std::string happened;
  Cycles last_at = 0;
  int taken = 0, given = 0;
};

/// 100 kHz: 1250 cycles a clock.
struct I2cLine : Rig {
  I2cLine() : Rig({0xe7fe}) {
    write(kResets + 0x3000, 1u << 3);
    write(kI2c0, 0x63 | 1u << 8);
    write(kI2c0 + 4, 0x3c);
    write(kI2c0 + 0x14, 611);
    write(kI2c0 + 0x18, 624);
    write(kI2c0 + 0x6c, 1);
    chip.i2c(0).connect(&part);
  }
  Part part;
};
constexpr uint32_t kReadBit = 1u << 8, kStopBit = 1u << 9, kRestartBit = 1u << 10;

TEST(I2c, WritesBytesAndStops) {
  I2cLine line;
  EXPECT_EQ(line.chip.i2c(0).clock(), 1250u);
  const Cycles start = line.chip.cycle();
  line.write(kI2c0 + 0x10, 1);
  line.write(kI2c0 + 0x10, 2 | kStopBit);
  line.run_for(30 * 1250);
  EXPECT_EQ(line.part.happened, "W12.");
  EXPECT_LE(line.part.last_at - start, 28u * 1250 + 10);
  EXPECT_EQ(line.read(kI2c0 + 0x34) & 1u << 9, 1u << 9);
  EXPECT_EQ(line.read(kI2c0 + 0x70) & 1, 0u);
}

TEST(I2c, ReadsAfterARepeatedStart) {
  I2cLine line;
  line.write(kI2c0 + 0x10, 7);
  line.write(kI2c0 + 0x10, kReadBit | kRestartBit);
  line.write(kI2c0 + 0x10, kReadBit | kStopBit);
  line.run_for(60 * 1250);
  EXPECT_EQ(line.part.happened, "W7Rrl.");
  EXPECT_EQ(line.read(kI2c0 + 0x78), 2u);
  EXPECT_EQ(line.read(kI2c0 + 0x10), uint32_t{'a'});
  EXPECT_EQ(line.read(kI2c0 + 0x10), uint32_t{'b'});
}

TEST(I2c, NobodyAtTheAddress) {
  I2cLine line;
  line.write(kI2c0 + 0x6c, 0);
  line.write(kI2c0 + 4, 0x11);
  line.write(kI2c0 + 0x6c, 1);
  line.write(kI2c0 + 0x10, 1 | kStopBit);
  line.run_for(15 * 1250);
  EXPECT_EQ(line.part.happened, "?.");
  EXPECT_EQ(line.read(kI2c0 + 0x80), 1u);
  EXPECT_EQ(line.read(kI2c0 + 0x54), 1u);
  EXPECT_EQ(line.read(kI2c0 + 0x80), 0u);
}

TEST(I2c, AByteThatIsRefusedEndsTheTransfer) {
  I2cLine line;
  for (uint32_t i = 0; i < 6; ++i) line.write(kI2c0 + 0x10, i);
  line.run_for(80 * 1250);
  EXPECT_EQ(line.part.happened, "W0123.");
  EXPECT_EQ(line.read(kI2c0 + 0x80), 1u << 3);
}

}  // namespace
}  // namespace hocket::rp2040::test
