// Builds the translation tables of one half of the address space (translation.h).
//
//   root ──▶ level 1: 512 × 1 GiB ──▶ level 2: 512 × 2 MiB ──▶ level 3: 512 × 4 KiB
//            tables only              blocks or tables          pages
//
// Invariants
// - A mapping is made completely or not at all. No existing mapping changes.
// - A table exists only because something is mapped through it.
// - What was never mapped faults; that is how guard pages work.
//
// Entries may be added to a table that the MMU already uses. They only change from invalid to
// valid, which needs no invalidation (DDI 0487, D8, "TLB maintenance": an entry that faults is not
// cached), but needs `dsb ishst; isb` before the first use. While the data cache is off, writes go
// to memory; the caller must make sure that no cache holds older lines of that memory.
#pragma once

#include "kernel/base/atomic.h"
#include "ports/aarch64/page_pool.h"
#include "ports/aarch64/translation.h"

namespace hocket::aarch64 {

enum class MapResult : uint8_t {
  Done,
  Misaligned,  // an address or the size is no multiple of 4 KiB, or the size is 0
  OutOfRange,  // outside this half, or above 40 bits of physical address
  Overlap,     // part of the range is mapped already
  PoolEmpty,   // not enough pages for tables
};

/// Context: boot, or with the other cores kept out. Never blocks.
class PageTable {
 public:
  static constexpr uint64_t kBlockSize = uint64_t{2} << 20;
  static constexpr uint64_t kHalfSize = uint64_t{1} << kAddressBits;

  explicit constexpr PageTable(Half half) : PageTable(regime_of(half)) {}
  explicit constexpr PageTable(Regime regime) : regime_(regime) {}

  /// Physical address of the root, for TTBR0_EL1 or TTBR1_EL1 (at EL3: for an entry of level 0).
  /// kNoAddress before the first mapping.
  constexpr uint64_t root() const { return root_; }

  /// Maps `size` bytes at `virtual_address` to `physical`, in blocks of 2 MiB where both are
  /// aligned to that, and in pages of 4 KiB elsewhere. Tables come from `pool`, whose window must
  /// reach all memory of this table. On failure nothing has changed. O(size) in steps of 2 MiB or 4
  /// KiB.
  MapResult map(PagePool& pool, uint64_t virtual_address, uint64_t physical, uint64_t size,
                Access access) {
    if (size == 0 || !page_aligned(virtual_address | physical | size)) return MapResult::Misaligned;
    if (!in_range(virtual_address, physical, size)) return MapResult::OutOfRange;
    const Range range{virtual_address - regime_.base, physical, size};
    uint64_t tables = 0;
    if (!count_tables(pool, range, tables)) return MapResult::Overlap;
    if (tables > pool.left()) return MapResult::PoolEmpty;
    if (root_ == kNoAddress) root_ = new_table(pool);
    const uint64_t bits = regime_.attributes(access);
    uint64_t done = 0;
    for (uint64_t step = 0; done < size; done += step) {
      step = step_at(range, done);
      enter(pool, range.offset + done, physical + done, step, bits);
    }
    return MapResult::Done;
  }

 private:
  struct Range {
    uint64_t offset;  // from the beginning of the half
    uint64_t physical;
    uint64_t size;
  };

  static constexpr uint64_t kLevel1Span = uint64_t{1} << 30;
  static constexpr unsigned kEntries = 512;

  constexpr bool in_range(uint64_t address, uint64_t physical, uint64_t size) const {
    constexpr uint64_t kPhysicalSize = uint64_t{1} << kPhysicalBits;
    const uint64_t offset = address - regime_.base;
    return offset < kHalfSize && size <= kHalfSize - offset && physical < kPhysicalSize &&
           size <= kPhysicalSize - physical;
  }

  /// The size of the next entry, `done` bytes into the range.
  static constexpr uint64_t step_at(const Range& range, uint64_t done) {
    const uint64_t both = (range.offset + done) | (range.physical + done);
    return both % kBlockSize == 0 && range.size - done >= kBlockSize ? kBlockSize : kPageSize;
  }

  static uint64_t* entries(const PagePool& pool, uint64_t table) {
    return pool.at<uint64_t>(table & entry::kAddressMask);
  }
  static constexpr bool is_table(uint64_t value) {
    return (value & entry::kKindMask) == entry::kTable;
  }

  /// Counts the tables that the range still needs. Returns false if part of the range is mapped.
  bool count_tables(const PagePool& pool, const Range& range, uint64_t& tables) const {
    if (root_ == kNoAddress) tables = 1;
    uint64_t level2_counted = UINT64_MAX;  // the ones counted last as missing
    uint64_t level3_counted = UINT64_MAX;
    uint64_t done = 0;
    for (uint64_t step = 0; done < range.size; done += step) {
      step = step_at(range, done);
      const uint64_t offset = range.offset + done;
      const uint64_t level2 = root_ == kNoAddress ? 0 : entries(pool, root_)[offset / kLevel1Span];
      if (level2 == 0 && level2_counted != offset / kLevel1Span) {
        level2_counted = offset / kLevel1Span;
        ++tables;
      }
      const uint64_t level3 = level2 == 0 ? 0 : entries(pool, level2)[level2_index(offset)];
      if (level3 == 0) {
        if (step == kPageSize && level3_counted != offset / kBlockSize) {
          level3_counted = offset / kBlockSize;
          ++tables;
        }
        continue;
      }
      if (step == kBlockSize || !is_table(level3)) return false;
      if (entries(pool, level3)[level3_index(offset)] != 0) return false;
    }
    return true;
  }

  static constexpr uint64_t level2_index(uint64_t offset) { return offset / kBlockSize % kEntries; }
  static constexpr uint64_t level3_index(uint64_t offset) { return offset / kPageSize % kEntries; }

  /// An empty table. The caller has made sure that the pool has a page.
  static uint64_t new_table(PagePool& pool) {
    const uint64_t table = pool.take(1);
    // volatile: must not become a call of memset, which may be out of reach this early
    volatile uint64_t* const all = entries(pool, table);
    for (unsigned i = 0; i < kEntries; ++i) all[i] = 0;
    return table;
  }

  /// The table behind an entry, made if there is none. Its zeros are visible before the table is
  /// reachable.
  static uint64_t* next_level(PagePool& pool, uint64_t& link) {
    if (link == 0) atomic_store(link, new_table(pool) | entry::kTable, order::release);
    return entries(pool, link);
  }

  void enter(PagePool& pool, uint64_t offset, uint64_t physical, uint64_t step, uint64_t bits) {
    uint64_t* const level2 = next_level(pool, entries(pool, root_)[offset / kLevel1Span]);
    uint64_t& second = level2[level2_index(offset)];
    if (step == kBlockSize) {
      atomic_store(second, physical | bits | entry::kBlock, order::relaxed);
    } else {
      uint64_t* const level3 = next_level(pool, second);
      atomic_store(level3[level3_index(offset)], physical | bits | entry::kPage, order::relaxed);
    }
  }

  Regime regime_;
  uint64_t root_ = kNoAddress;
};

}  // namespace hocket::aarch64
