// ADC: time, turns, FIFO.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kAdc = 0x4004'c000, kResult = kAdc + 4, kFifoControl = kAdc + 8,
                   kAdcFifo = kAdc + 0xc, kDivisor = kAdc + 0x10, kAdcEnabled = kAdc + 0x18;
constexpr uint32_t kOn = 1, kOnce = 4, kMany = 8, kReady = 1 << 8;

/// Input n has (n + 1) * 500 mV.
struct Converter : Rig {
  Converter() : Rig({0xe7fe}) {
    write(kResets + 0x3000, 1);
    chip.adc().on_convert([](unsigned input, Cycles) { return (input + 1) * 500; });
  }
};

TEST(Adc, AConversionTakesTwoMicroseconds) {
  Converter rig;
  rig.write(kAdc, kOn);
  EXPECT_EQ(rig.read(kAdc) & kReady, kReady);
  rig.write(kAdc, kOn | kOnce | 2u << 12);
  EXPECT_EQ(rig.read(kAdc) & kReady, 0u);
  rig.run_for(230);
  EXPECT_EQ(rig.read(kAdc) & kReady, 0u);
  rig.run_for(20);
  EXPECT_EQ(rig.read(kAdc) & kReady, kReady);
  EXPECT_EQ(rig.read(kResult), 1500u * 4096 / 3300);
}

TEST(Adc, InTurnIntoTheFifo) {
  Converter rig;
  rig.write(kFifoControl, 4u << 24 | 1);
  rig.write(kAdcEnabled, 1);
  rig.write(kAdc, kOn | kMany | 5u << 16);  // inputs 0 and 2
  rig.run_for(3 * 250);
  EXPECT_EQ(rig.core.nvic().lines() & 1u << 22, 0u);
  rig.run_for(250);
  EXPECT_NE(rig.core.nvic().lines() & 1u << 22, 0u);
  EXPECT_EQ(rig.read(kAdcFifo), 500u * 4096 / 3300);
  EXPECT_EQ(rig.read(kAdcFifo), 1500u * 4096 / 3300);
  EXPECT_EQ(rig.read(kAdcFifo), 500u * 4096 / 3300);
}

TEST(Adc, TheDivisorSetsTheRate) {
  Converter rig;
  rig.write(kFifoControl, 1);
  rig.write(kDivisor, 479u << 8);  // each 480 cycles of 48 MHz: 10 us
  rig.write(kAdc, kOn | kMany);
  rig.run_for(3 * 1250);
  EXPECT_EQ(rig.read(kFifoControl) >> 16 & 0xf, 3u);
  rig.run_for(3 * 1250);
  EXPECT_EQ(rig.read(kFifoControl) & 1u << 11, 1u << 11);  // the FIFO has four
}

}  // namespace
}  // namespace hocket::rp2040::test
