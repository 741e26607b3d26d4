// A GIC's state per interrupt, and the registers GICv2 and GICv3 have in common, as the manuals
// say.
//
// Banked interrupts (0-31) exist once for each core, the others once. Accesses of a wrong width or
// to a register the model does not have throw: a driver must not make them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace hocket::drivers::testing {

struct Interrupt {
  bool enabled = false, pending = false, active = false, group1 = false, edge = false;
  uint8_t priority = 0;
  uint64_t target = 0;
  bool operator==(const Interrupt&) const = default;
};

inline constexpr unsigned kInterrupts = 96;  // GICD_TYPER.ITLinesNumber = 2

class GicBanks {
 public:
  /// An interrupt as `core` sees it.
  Interrupt& at(unsigned core, unsigned id) {
    if (id >= kInterrupts) throw std::out_of_range("interrupt " + std::to_string(id));
    return id < 32 ? private_.at(core).at(id) : shared_.at(id);
  }

  uint64_t read(unsigned core, uintptr_t offset, size_t size) {
    if (offset >= 0x400 && offset < 0x400 + kInterrupts) {
      return bytes(size, offset - 0x400, [&](unsigned id) { return at(core, id).priority; });
    }
    require(size == 4, offset);
    if (offset >= 0x080 && offset < 0x100) {
      return bits(offset, 0x080, [&](unsigned id) { return at(core, id).group1; });
    }
    if (offset >= 0x100 && offset < 0x200) {
      return bits(offset & ~uintptr_t{0x80}, 0x100,
                  [&](unsigned id) { return at(core, id).enabled; });
    }
    if (offset >= 0x200 && offset < 0x300) {
      return bits(offset & ~uintptr_t{0x80}, 0x200,
                  [&](unsigned id) { return at(core, id).pending; });
    }
    if (offset >= 0xc00 && offset < 0xc00 + kInterrupts / 4) {
      uint64_t word = 0;
      for (unsigned i = 0; i < 16; ++i) {
        if (at(core, (offset - 0xc00) * 4 + i).edge) word |= 2u << (2 * i);
      }
      return word;
    }
    require(false, offset);
    return 0;
  }

  void write(unsigned core, uintptr_t offset, size_t size, uint64_t value) {
    if (offset >= 0x400 && offset < 0x400 + kInterrupts) {
      for (size_t i = 0; i < size; ++i) {
        at(core, offset - 0x400 + i).priority = static_cast<uint8_t>(value >> 8 * i);
      }
      return;
    }
    require(size == 4, offset);
    if (offset >= 0xc00 && offset < 0xc00 + kInterrupts / 4) {
      for (unsigned i = 0; i < 16; ++i) {
        const unsigned id = (offset - 0xc00) * 4 + i;
        const bool edge = (value >> (2 * i) & 2) != 0;
        if (id < 16) continue;  // SGIs are edges, whatever is written
        Interrupt& interrupt = at(core, id);
        require(interrupt.edge == edge || !interrupt.enabled, offset);  // unpredictable otherwise
        interrupt.edge = edge;
      }
      return;
    }
    if (offset >= 0xd00 && offset < 0xd00 + kInterrupts / 8) {
      require(value == 0, offset);  // GICD_IGRPMODR: the secure state's Group 1, which nobody uses
      return;
    }
    for (unsigned i = 0; i < 32; ++i) {
      const bool bit = (value >> i & 1) != 0;
      const unsigned id = (offset & 0x7f) * 8 + i;
      switch (offset & ~uintptr_t{0x7f}) {
        case 0x080:
          at(core, id).group1 = bit;
          break;
        case 0x100:
          if (bit) at(core, id).enabled = true;
          break;
        case 0x180:
          if (bit) at(core, id).enabled = false;
          break;
        case 0x200:
          if (bit) at(core, id).pending = true;
          break;
        case 0x280:
          if (bit) at(core, id).pending = false;
          break;
        case 0x380:
          if (bit) at(core, id).active = false;
          break;
        default:
          require(false, offset);
      }
    }
  }

  static void require(bool good, uintptr_t offset) {
    if (!good) throw std::logic_error("bad access at offset " + std::to_string(offset));
  }

 private:
  template <class Get>
  static uint64_t bits(uintptr_t offset, uintptr_t row, Get get) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 32; ++i) word |= uint64_t{get((offset - row) * 8 + i)} << i;
    return word;
  }
  template <class Get>
  static uint64_t bytes(size_t size, unsigned id, Get get) {
    uint64_t word = 0;
    for (size_t i = 0; i < size; ++i) word |= uint64_t{get(id + i)} << 8 * i;
    return word;
  }

  std::array<std::array<Interrupt, 32>, 8> private_{};
  std::array<Interrupt, kInterrupts> shared_{};
};

}  // namespace hocket::drivers::testing
