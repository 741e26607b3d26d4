// The data that an instruction reads or writes (AVR instruction set manual: LD, LDD, LDS, ST, STD,
// STS). Used to find null pointers: the lowest 32 addresses are the processor's registers, which
// compiled code never accesses through a pointer.
#pragma once

#include <cstdint>
#include <optional>

namespace hocket::avr {

inline constexpr uint16_t kRegisters = 32;

struct DataAccess {
  bool writes;
  uint16_t address;
};

/// `code`: the instruction's word and the next one; `registers`: the processor's.
inline std::optional<DataAccess> data_access(const uint8_t* code, const uint8_t* registers) {
  const auto word = [&](unsigned at) {
    return static_cast<uint16_t>(code[at] | code[at + 1] << 8);
  };
  const auto pair = [&](unsigned low) {
    return static_cast<uint16_t>(registers[low] | registers[low + 1] << 8);
  };
  constexpr unsigned kX = 26, kY = 28, kZ = 30;
  const unsigned op = word(0);
  const bool writes = (op & 0x0200) != 0;
  if ((op & 0xd000) == 0x8000) {  // 10q0 qqWd dddd Yqqq
    const unsigned distance = (op >> 8 & 0x20) | (op >> 7 & 0x18) | (op & 7);
    const unsigned base = pair((op & 8) != 0 ? kY : kZ);
    return DataAccess{writes, static_cast<uint16_t>(base + distance)};
  }
  if ((op & 0xfc00) != 0x9000) return std::nullopt;  // 1001 00Wd dddd ….
  const auto at = [&](unsigned address) {
    return DataAccess{writes, static_cast<uint16_t>(address)};
  };
  switch (op & 0xf) {
    case 0x0:
      return at(word(2));
    case 0x1:
      return at(pair(kZ));
    case 0x2:
      return at(pair(kZ) - 1u);
    case 0x9:
      return at(pair(kY));
    case 0xa:
      return at(pair(kY) - 1u);
    case 0xc:
    case 0xd:
      return at(pair(kX));
    case 0xe:
      return at(pair(kX) - 1u);
    default:
      return std::nullopt;
  }
}

}  // namespace hocket::avr
