// What the MMU makes of an address: a table walk written from the architecture manual, for the
// tests of what builds the tables.
//
// It reads TCR_EL1 and MAIR_EL1 as the processor does and knows nothing of the builder: all numbers
// here are bit positions in the manual's figures (DDI 0487, chapter D8, VMSAv8-64, 4 KiB granule,
// stage 1 of the EL1&0 regime, no hardware update of flags, SCTLR_EL1.WXN = 0, no PAN).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace hocket::aarch64::test {

struct Registers {
  uint64_t ttbr0;
  uint64_t ttbr1;
  uint64_t tcr;
  uint64_t mair;
};

struct Rights {
  bool read = false;
  bool write = false;
  bool execute = false;
  friend bool operator==(const Rights&, const Rights&) = default;
};

struct Translation {
  uint64_t physical;
  unsigned level;
  Rights kernel;
  Rights user;
  uint8_t memory;         // the byte of MAIR_EL1
  unsigned shareability;  // 0 none, 2 outer, 3 inner
  bool global;
};

/// Reads 8 bytes of physical memory.
using ReadPhysical = std::function<uint64_t(uint64_t)>;

/// Bits `high` to `low` of a value.
inline uint64_t bits(uint64_t value, unsigned high, unsigned low) {
  return (value >> low) & ((uint64_t{1} << (high - low + 1)) - 1);
}

namespace detail {

/// Rights from AP[2:1], PXN and UXN as gathered on the way down.
inline void set_rights(Translation& t, unsigned ap, bool pxn, bool uxn) {
  const bool user = (ap & 1) != 0;
  const bool read_only = (ap & 2) != 0;
  const bool user_writes = user && !read_only;
  t.kernel = {true, !read_only, !pxn && !user_writes};
  t.user = {user, user_writes, !uxn};
}

/// What the tables on the way down take away from all below them.
struct Hierarchy {
  bool user_none = false;
  bool read_only = false;
  bool pxn = false;
  bool uxn = false;

  void add(uint64_t table) {
    user_none |= bits(table, 61, 61) != 0;
    read_only |= bits(table, 62, 62) != 0;
    pxn |= bits(table, 59, 59) != 0;
    uxn |= bits(table, 60, 60) != 0;
  }
};

inline std::optional<Translation> leaf(uint64_t entry, unsigned level, uint64_t address,
                                       const Hierarchy& above, uint64_t mair) {
  if (bits(entry, 10, 10) == 0) return std::nullopt;  // access flag fault
  const unsigned low = 12 + 9 * (3 - level);
  if (level != 3 && bits(entry, low - 1, 12) != 0) return std::nullopt;  // reserved bits
  if (bits(entry, 50, 48) != 0) return std::nullopt;
  Translation t{};
  t.level = level;
  t.physical = (bits(entry, 47, low) << low) | bits(address, low - 1, 0);
  auto ap = static_cast<unsigned>(bits(entry, 7, 6));
  if (above.user_none) ap &= 2;
  if (above.read_only) ap |= 2;
  set_rights(t, ap, above.pxn || bits(entry, 53, 53) != 0, above.uxn || bits(entry, 54, 54) != 0);
  t.memory = static_cast<uint8_t>(mair >> (8 * bits(entry, 4, 2)));
  t.shareability = static_cast<unsigned>(bits(entry, 9, 8));
  t.global = bits(entry, 11, 11) == 0;
  return t;
}

}  // namespace detail

/// What an access to `address` means; nothing when it faults whoever makes it.
inline std::optional<Translation> walk(const Registers& registers, uint64_t address,
                                       const ReadPhysical& read) {
  const bool high = bits(address, 55, 55) != 0;
  const uint64_t tcr = registers.tcr;
  const uint64_t size_offset = high ? bits(tcr, 21, 16) : bits(tcr, 5, 0);
  const uint64_t granule = high ? bits(tcr, 31, 30) : bits(tcr, 15, 14);
  if (granule != (high ? 2u : 0u)) return std::nullopt;  // other granules are not made here
  if (bits(tcr, high ? 23 : 7, high ? 23 : 7) != 0) return std::nullopt;  // walks are disabled
  const auto address_bits = static_cast<unsigned>(64 - size_offset);
  const uint64_t above = address >> address_bits;
  if (above != (high ? UINT64_MAX >> address_bits : 0)) return std::nullopt;
  static constexpr unsigned kPhysicalBits[] = {32, 36, 40, 42, 44, 48};
  const unsigned physical_bits = kPhysicalBits[bits(tcr, 34, 32)];

  uint64_t table = high ? registers.ttbr1 : registers.ttbr0;
  table &= 0x0000'ffff'ffff'fffe;
  detail::Hierarchy hierarchy;
  unsigned level = address_bits > 39 ? 0 : (address_bits > 30 ? 1 : 2);
  for (;; ++level) {
    const unsigned low = 12 + 9 * (3 - level);
    const unsigned top = low + 8 < address_bits - 1 ? low + 8 : address_bits - 1;
    if (table >> physical_bits != 0) return std::nullopt;  // address size fault
    const uint64_t entry = read(table + 8 * bits(address, top, low));
    if (bits(entry, 0, 0) == 0) return std::nullopt;
    const bool table_or_page = bits(entry, 1, 1) != 0;
    if (level == 3 || !table_or_page) {
      if (table_or_page != (level == 3) || level == 0) return std::nullopt;  // reserved encodings
      auto result = detail::leaf(entry, level, address, hierarchy, registers.mair);
      if (result && result->physical >> physical_bits != 0) return std::nullopt;
      return result;
    }
    hierarchy.add(entry);
    table = bits(entry, 47, 12) << 12;
  }
}

}  // namespace hocket::aarch64::test
