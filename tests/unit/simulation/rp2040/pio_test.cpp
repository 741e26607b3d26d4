// PIO: programs, their time, their FIFOs, flags and pins.
#include <gtest/gtest.h>

#include "tests/unit/simulation/rp2040/rig.h"

namespace hocket::rp2040::test {
namespace {

constexpr uint32_t kPio = 0x5020'0000, kTransmit = kPio + 0x10, kReceive = kPio + 0x20,
                   kFlags = kPio + 0x30, kProgram = kPio + 0x48, kMachine = kPio + 0xc8;
constexpr uint32_t kClkDiv = 0, kExecControl = 4, kShiftControl = 8, kInstruction = 0x10,
                   kPinControl = 0x14;

/// Machine 0 with pin 0 as its output for SET, OUT and side-set.
struct Block : Rig {
  using Change = std::pair<Cycles, bool>;

  explicit Block(std::initializer_list<uint16_t> program, unsigned machine = 0) : Rig({0xe7fe}) {
    write(kResets + 0x3000, 1u << 10);
    for (uint32_t pin = 0; pin < 2; ++pin) write(kIoBank0 + 8 * pin + 4, 6);
    uint32_t at = kProgram;
    for (const uint16_t code : program) {
      write(at, code);
      at += 4;
    }
    const auto last = static_cast<uint32_t>(program.size() - 1);
    set(machine, kExecControl, last << 12);
    set(machine, kPinControl, 1u << 26 | 1u << 20);
    set(machine, kInstruction, 0xe081);  // set pindirs, 1
    chip.pins().on_change([this](Cycles now) {
      const bool high = (chip.pins().levels() & 1) != 0;
      if (changes.empty() || changes.back().second != high) changes.emplace_back(now, high);
    });
  }
  void set(unsigned machine, uint32_t reg, uint32_t value) {
    write(kMachine + 0x18 * machine + reg, value);
  }
  void enable(uint32_t machines) { write(kPio, machines | 0xf00); }

  std::vector<Change> changes;
};

TEST(Pio, AProgramKeepsTheTimeOfItsClock) {
  Block block({0xe301, 0xe100});  // set pins, 1 [3]; set pins, 0 [1]
  block.set(0, kClkDiv, 12u << 16 | 128u << 8);
  block.enable(1);
  block.run_for(2000);
  ASSERT_GT(block.changes.size(), 20u);
  for (size_t i = 3; i < block.changes.size(); ++i) {
    const Cycles took = block.changes[i].first - block.changes[i - 1].first;
    EXPECT_EQ(took, block.changes[i].second ? 25u : 50u);
  }
}

TEST(Pio, SendsBitsOfWordsWithSideSetAndAutopull) {
  // WS2812's way: out x, 1 side 0 [2]; jmp !x 3 side 1 [1]; jmp 0 side 1 [4]; nop side 0 [4]
  Block block({0x6221, 0x1123, 0x1400, 0xa442});
  block.set(0, kPinControl, 1u << 29);
  block.set(0, kShiftControl, 24u << 25 | 1u << 17);
  block.set(0, kClkDiv, 15u << 16 | 160u << 8);  // 800 kHz of 10
  block.write(kTransmit, 0xa50000'00);
  block.enable(1);
  block.run_for(24 * 157 + 200);
  std::vector<bool> bits;
  for (size_t i = 1; i < block.changes.size(); ++i) {
    if (block.changes[i].second) continue;
    const Cycles high = block.changes[i].first - block.changes[i - 1].first;
    bits.push_back(high > 60);
    EXPECT_NEAR(static_cast<double>(high), high > 60 ? 109.4 : 31.25, 1.0);
  }
  ASSERT_EQ(bits.size(), 24u);
  unsigned first_byte = 0;
  for (size_t i = 0; i < 8; ++i) first_byte = first_byte << 1 | (bits[i] ? 1 : 0);
  EXPECT_EQ(first_byte, 0xa5u);
  EXPECT_NE(block.read(kPio + 8) & 1u << 24, 0u);  // it waits for the next word
}

TEST(Pio, ReadsPinsIntoWords) {
  Block block({0x4001});                             // in pins, 1
  block.set(0, kShiftControl, 4u << 20 | 1u << 16);  // to the left, 4 bits a word
  block.set(0, kPinControl, 1u << 15);               // from pin 1
  block.set(0, kClkDiv, 10u << 16);
  block.chip.pins().connect(1, true, block.chip.cycle());
  block.enable(1);
  block.run_for(45);
  EXPECT_EQ(block.read(kReceive), 0xfu);
}

TEST(Pio, WaitsForAPinWithoutWork) {
  Block block({0x20a0, 0xe001});  // wait 1 pin 0; set pins, 1
  block.set(0, kPinControl, 1u << 26 | 1u << 15);
  block.enable(1);
  block.run_for(1000);
  EXPECT_EQ(block.chip.next_event(), kNever);
  block.chip.pins().connect(1, true, block.chip.cycle());
  block.chip.told();
  block.run_for(5);
  EXPECT_NE(block.chip.pins().levels() & 1, 0u);
}

TEST(Pio, FlagsInterruptAndLetTheMachineGoOn) {
  Block block({0xc020, 0xe001, 0x0002});  // irq wait 0; set pins, 1; jmp 2
  block.write(kPio + 0x12c, 1u << 8);
  block.enable(1);
  block.run_for(20);
  EXPECT_NE(block.core.nvic().lines() & 1u << 7, 0u);
  EXPECT_EQ(block.chip.pins().levels() & 1, 0u);
  block.write(kFlags, 1);
  block.run_for(5);
  EXPECT_EQ(block.core.nvic().lines() & 1u << 7, 0u);
  EXPECT_NE(block.chip.pins().levels() & 1, 0u);
}

TEST(Pio, MachinesMeetAtFlags) {
  // irq 1; then wait 1 irq 1 at machine 1, which turns its pin on.
  Block block({0xa042, 0xa042, 0xc001, 0x0003}, 0);
  block.write(kProgram + 4 * 8, 0x20c1);  // wait 1 irq 1
  block.write(kProgram + 4 * 9, 0xe001);  // set pins, 1
  block.write(kProgram + 4 * 10, 0x000a);
  block.set(1, kPinControl, 1u << 26);
  block.set(1, kInstruction, 0x0008);
  block.enable(3);
  block.run_for(20);
  EXPECT_NE(block.chip.pins().levels() & 1, 0u);
  EXPECT_EQ(block.read(kFlags), 0u);
}

TEST(Pio, AFifoThatIsFullLosesWhatIsWritten) {
  Block block({0x0000});
  for (unsigned i = 0; i < 4; ++i) block.write(kTransmit, i);
  EXPECT_EQ(block.read(kPio + 8) & 1u << 16, 0u);
  block.write(kTransmit, 4);
  EXPECT_NE(block.read(kPio + 8) & 1u << 16, 0u);
  EXPECT_EQ(block.read(kPio + 0xc) & 0xf, 4u);
  block.read(kReceive);
  EXPECT_NE(block.read(kPio + 8) & 1u << 8, 0u);
}

TEST(Pio, PullsPushesAndMoves) {
  Block block({0x80a0, 0xa0ef, 0x8020});  // pull block; mov osr, ~osr; … replaced below
  block.write(kProgram + 4, 0xa0cf);      // mov isr, ~osr
  block.enable(1);
  block.write(kTransmit, 0x1234'5678);
  block.run_for(10);
  EXPECT_EQ(block.read(kReceive), ~0x1234'5678u);
}

}  // namespace
}  // namespace hocket::rp2040::test
