// Where things are (RP2040 datasheet, 2.2).
#pragma once

#include <cstdint>

namespace hocket::rp2040 {

inline constexpr uint32_t kRomBase = 0x0000'0000, kRomSize = 16 * 1024;
inline constexpr uint32_t kFlashBase = 0x1000'0000, kFlashSize = 2 * 1024 * 1024;  // a Pico's
inline constexpr uint32_t kFlashAliases = 4;  // cached in four ways, each 16 MB
inline constexpr uint32_t kRamBase = 0x2000'0000, kRamSize = 264 * 1024;
inline constexpr uint32_t kStripedSize = 256 * 1024;     // SRAM0 … SRAM3, word by word
inline constexpr uint32_t kScratchSize = 4 * 1024;       // SRAM4 and SRAM5
inline constexpr uint32_t kUnstripedBase = 0x2100'0000;  // SRAM0 … SRAM3, one behind the other
inline constexpr uint32_t kApbBase = 0x4000'0000;
inline constexpr uint32_t kAhbBase = 0x5000'0000;
inline constexpr uint32_t kPortBase = 0xd000'0000;     // SIO
inline constexpr uint32_t kPrivateBase = 0xe000'e000;  // the core's own registers

}  // namespace hocket::rp2040
