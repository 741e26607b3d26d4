// RAM, flash and boot ROM, and which banks of RAM the cores meet in (RP2040 datasheet, 2.1.1, 2.6).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "simulation/rp2040/core/cycles.h"
#include "simulation/rp2040/memory_map.h"

namespace hocket::rp2040 {

class Memory {
 public:
  static constexpr unsigned kBanks = 6;

  Memory() : ram_(kRamSize), flash_(kFlashSize, 0xff), rom_(kRomSize) {}

  uint8_t* ram() { return ram_.data(); }
  const uint8_t* ram() const { return ram_.data(); }
  uint8_t* flash() { return flash_.data(); }
  const uint8_t* flash() const { return flash_.data(); }
  uint8_t* rom() { return rom_.data(); }
  const uint8_t* rom() const { return rom_.data(); }

  /// The bank that has this offset into RAM: words take turns through the first four.
  static constexpr unsigned bank(uint32_t offset) {
    if (offset < kStripedSize) return offset >> 2 & 3;
    return offset < kStripedSize + kScratchSize ? 4 : 5;
  }
  /// The offset into RAM that an offset into the unstriped view means.
  static constexpr uint32_t striped(uint32_t offset) {
    constexpr uint32_t kBank = kStripedSize / 4;
    return (offset % kBank / 4 * 4 + offset / kBank) * 4 + offset % 4;
  }

  /// A core uses a bank in this cycle. Returns how many cycles it has to wait for the other core:
  /// the bus fabric gives a bank to each in turn.
  uint32_t wait(unsigned core, uint32_t offset, Cycles now) {
    const unsigned used = bank(offset);
    const uint32_t waits = used_[core ^ 1][used] == now ? 1 : 0;
    used_[core][used] = now + waits;
    return waits;
  }

  /// Bytes of flash, RAM or ROM; nullptr: the range is not within one of them. For loaders and
  /// debuggers: no time passes and no permission counts.
  uint8_t* bytes(uint32_t address, uint32_t size);

 private:
  std::vector<uint8_t> ram_, flash_, rom_;
  std::array<std::array<Cycles, kBanks>, 2> used_ = [] {
    std::array<std::array<Cycles, kBanks>, 2> never;
    for (auto& core : never) core.fill(kNever);
    return never;
  }();
};

}  // namespace hocket::rp2040
