// A chip with code in RAM, as halfwords, for the unit tests.
#pragma once

#include <cstring>
#include <initializer_list>
#include <vector>

#include "simulation/rp2040/chip.h"

namespace hocket::rp2040::test {

inline constexpr uint32_t kVectors = kRamBase, kCode = kRamBase + 0x100,
                          kHandler = kRamBase + 0x200, kData = kRamBase + 0x1000,
                          kStack = kRamBase + 0x2000;

/// Registers, by the addresses that programs use.
inline constexpr uint32_t kResets = 0x4000'c000, kIoBank0 = 0x4001'4000, kUart0 = 0x4003'4000,
                          kTimer = 0x4005'4000, kWatchdog = 0x4005'8000;

struct Rig {
  explicit Rig(std::initializer_list<uint16_t> code = {}) {
    for (unsigned number = 2; number < exception::kNumber; ++number) {
      put_word(kVectors + 4 * number, kHandler | 1);
    }
    put(kHandler, {0xe7fe});  // b .
    put(kCode, code);
    core.start(kVectors, kStack, kCode | 1, 0);
    write(kResets + 0x3000, 1u << 5 | 1u << 8 | 1u << 21 | 1u << 22);
    write(kWatchdog + 0x2c, 1u << 9 | 12);
  }

  void put(uint32_t address, const std::vector<uint16_t>& code) {
    for (const uint16_t half : code) {
      std::memcpy(chip.memory().bytes(address, sizeof half), &half, sizeof half);
      address += sizeof half;
    }
  }
  void put_word(uint32_t address, uint32_t word) {
    std::memcpy(chip.memory().bytes(address, 4), &word, 4);
  }
  uint32_t word(uint32_t address) {
    uint32_t value = 0;
    core.peek(address, value);
    return value;
  }
  uint32_t& r(unsigned number) { return core.registers().r[number]; }

  /// An access as the core makes it, by an instruction of its own; its place is given back.
  void write(uint32_t address, uint32_t value) { access(0x6008, address, value); }  // str r0, [r1]
  uint32_t read(uint32_t address) { return access(0x6808, address, 0); }            // ldr r0, [r1]
  uint32_t access(uint16_t code, uint32_t address, uint32_t value) {
    const Registers saved = core.registers();
    put(kData, {code});
    r(0) = value;
    r(1) = address;
    r(15) = kData;
    core.registers_changed();
    while (chip.step(kNever) != core.index()) {
    }
    const uint32_t result = r(0);
    core.registers() = saved;
    core.registers_changed();
    return result;
  }

  void run_for(Cycles cycles) { chip.run(chip.cycle() + cycles); }
  void steps(unsigned count) {
    for (unsigned i = 0; i < count; ++i) chip.step(kNever);
  }

  Chip chip;
  Core& core = chip.core(0);
};

}  // namespace hocket::rp2040::test
