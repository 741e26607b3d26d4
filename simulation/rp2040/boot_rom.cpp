#include "simulation/rp2040/boot_rom.h"

#include <bit>
#include <cstring>

#include "simulation/rp2040/device.h"

namespace hocket::rp2040 {
namespace {

// What the ROM begins with (datasheet, 2.8.3): halfwords that are addresses.
constexpr uint32_t kMagicAt = 0x10, kFunctionsAt = 0x14, kDataAt = 0x16, kLookUpAt = 0x18;
constexpr uint32_t kMagic = 0x02'01'75'4d;  // "Mu", 1, version 2
constexpr uint32_t kTable = 0x100, kDataTable = 0x1c0, kCode = 0x200, kCodeSize = 4;

constexpr uint16_t code_of(const char (&letters)[3]) {
  return static_cast<uint16_t>(letters[0] | letters[1] << 8);
}

// In the order of their numbers, which their code has (BKPT n).
enum : unsigned {
  kLookUp,
  kPopCount,
  kReverse,
  kLeadingZeros,
  kTrailingZeros,
  kFill,
  kFill4,
  kCopy,
  kCopy44,
  kConnectFlash,
  kExitXip,
  kErase,
  kProgram,
  kFlushCache,
  kEnterXip,
  kResetToUsb,
  kFunctions,
};
constexpr uint16_t kCodes[kFunctions] = {
    0,  // not in the table: it looks the table up
    code_of("P3"),
    code_of("R3"),
    code_of("L3"),
    code_of("T3"),
    code_of("MS"),
    code_of("S4"),
    code_of("MC"),
    code_of("C4"),
    code_of("IF"),
    code_of("EX"),
    code_of("RE"),
    code_of("RP"),
    code_of("FC"),
    code_of("CX"),
    code_of("UB"),
};

void put(uint8_t* rom, uint32_t at, uint16_t value) {
  std::memcpy(rom + at, &value, sizeof value);
}
uint16_t half(const uint8_t* rom, uint32_t at) {
  uint16_t value;
  std::memcpy(&value, rom + at, sizeof value);
  return value;
}
constexpr uint32_t address_of(unsigned function) {
  return kCode + kCodeSize * function;
}

uint32_t reversed(uint32_t value) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= (value >> i & 1) << (31 - i);
  return result;
}

}  // namespace

BootRom::BootRom(Memory& memory) : memory_(memory) {
  constexpr uint16_t kBkpt = 0xbe00, kBxLr = 0x4770;
  uint8_t* const rom = memory.rom();
  std::memcpy(rom + kMagicAt, &kMagic, sizeof kMagic);
  put(rom, kFunctionsAt, kTable);
  put(rom, kDataAt, kDataTable);
  put(rom, kLookUpAt, address_of(kLookUp) | 1);
  uint32_t entry = kTable;  // rows of letters and address; a row of 0 ends it
  for (unsigned i = 0; i < kFunctions; ++i) {
    put(rom, address_of(i), static_cast<uint16_t>(kBkpt | i));
    put(rom, address_of(i) + 2, kBxLr);
    if (kCodes[i] == 0) continue;
    put(rom, entry, kCodes[i]);
    put(rom, entry + 2, static_cast<uint16_t>(address_of(i) | 1));
    entry += 4;
  }
}

bool BootRom::call(unsigned number, Core& core) {
  auto& r = core.registers().r;
  switch (number) {
    case kLookUp: {
      uint32_t at = r[0];
      while (at + 4 <= kRomSize && half(memory_.rom(), at) != 0 &&
             half(memory_.rom(), at) != (r[1] & 0xffff)) {
        at += 4;
      }
      const bool found = at + 4 <= kRomSize && half(memory_.rom(), at) != 0;
      r[0] = found ? half(memory_.rom(), at + 2) : 0;
      return true;
    }
    case kPopCount:
      r[0] = static_cast<uint32_t>(std::popcount(r[0]));
      return true;
    case kReverse:
      r[0] = reversed(r[0]);
      return true;
    case kLeadingZeros:
      r[0] = static_cast<uint32_t>(std::countl_zero(r[0]));
      return true;
    case kTrailingZeros:
      r[0] = static_cast<uint32_t>(std::countr_zero(r[0]));
      return true;
    case kConnectFlash:
    case kExitXip:
    case kFlushCache:
    case kEnterXip:
      return true;  // flash is always there
    case kErase:
      erase(r[0], r[1]);
      return true;
    case kProgram:
      program(r[0], r[1], r[2]);
      return true;
    case kFill:
    case kFill4:
    case kCopy:
    case kCopy44:
      throw NotModelled{"the boot ROM's functions that fill and copy memory"};
    case kResetToUsb:
      throw NotModelled{"the boot ROM's restart as a USB drive"};
    default:
      return false;
  }
}

void BootRom::erase(uint32_t offset, uint32_t size) {
  constexpr uint32_t kSector = 4096;
  uint8_t* const bytes = memory_.bytes(kFlashBase + offset % kFlashSize, size);
  if (bytes == nullptr || offset >= kFlashSize || offset % kSector != 0 || size % kSector != 0) {
    throw NotModelled{"an erasure of flash that is not whole sectors of 4 kB"};
  }
  std::memset(bytes, 0xff, size);
}

/// Bits of flash only go from 1 to 0.
void BootRom::program(uint32_t offset, uint32_t from, uint32_t size) {
  constexpr uint32_t kPage = 256;
  uint8_t* const bytes = memory_.bytes(kFlashBase + offset % kFlashSize, size);
  const uint8_t* const source = memory_.bytes(from, size);
  if (bytes == nullptr || source == nullptr || offset >= kFlashSize || offset % kPage != 0 ||
      size % kPage != 0) {
    throw NotModelled{"programming flash with anything but whole pages of 256 bytes"};
  }
  for (uint32_t i = 0; i < size; ++i) bytes[i] &= source[i];
}

}  // namespace hocket::rp2040
