// Translation tables against a walker of the tests' own (walker.h) and a map of pages.
#include "ports/aarch64/page_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "walker.h"

namespace hocket::aarch64 {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kBlockBytes = 2 * 1024 * 1024;
constexpr uint64_t kPoolPhysical = 0x4012'3000;
constexpr uint64_t kHighBase = 0xffff'ff80'0000'0000;

/// Physical memory that tables are made of, reached through a window as before the kernel moves.
class Memory {
 public:
  explicit Memory(uint64_t pages) : bytes_((pages + 1) * kPageBytes, 0xa5) {
    const auto begin = reinterpret_cast<uintptr_t>(bytes_.data());
    base_ = (begin + kPageBytes - 1) / kPageBytes * kPageBytes;
    pool = PagePool(kPoolPhysical, pages * kPageBytes, base_ - kPoolPhysical);
  }
  uint64_t read(uint64_t physical) const {
    EXPECT_GE(physical, kPoolPhysical);
    return *reinterpret_cast<const uint64_t*>(base_ + (physical - kPoolPhysical));
  }
  PagePool pool;

 private:
  std::vector<unsigned char> bytes_;
  uintptr_t base_;
};

std::optional<test::Translation> walk(const PageTable& table, const Memory& memory, Half half,
                                      uint64_t address) {
  if (table.root() == kNoAddress) return std::nullopt;
  test::Registers registers{0, 0, kTcrTwoHalves, kMair};
  (half == Half::Low ? registers.ttbr0 : registers.ttbr1) = table.root();
  return test::walk(registers, address, [&](uint64_t at) { return memory.read(at); });
}

/// What the kinds of access promise, as a table of its own.
struct Promise {
  test::Rights kernel, user;
  bool device, global;
};
const std::map<Access, Promise> kPromises = {
    {Access::KernelText, {{true, false, true}, {false, false, false}, false, true}},
    {Access::KernelRead, {{true, false, false}, {false, false, false}, false, true}},
    {Access::KernelData, {{true, true, false}, {false, false, false}, false, true}},
    {Access::Device, {{true, true, false}, {false, false, false}, true, true}},
    {Access::Beside, {{true, true, false}, {false, false, false}, false, true}},
    {Access::UserText, {{true, false, false}, {true, false, true}, false, false}},
    {Access::UserRead, {{true, false, false}, {true, false, false}, false, false}},
    {Access::UserData, {{true, true, false}, {true, true, false}, false, false}},
    {Access::UserDevice, {{true, true, false}, {true, true, false}, true, false}},
};

::testing::AssertionResult keeps_promise(const test::Translation& t, Access access) {
  const Promise& promise = kPromises.at(access);
  if (t.kernel != promise.kernel) return ::testing::AssertionFailure() << "kernel's rights";
  if (t.user != promise.user) return ::testing::AssertionFailure() << "sketch's rights";
  if (t.memory != (promise.device ? 0x04 : 0xff)) return ::testing::AssertionFailure() << "memory";
  if (!promise.device && t.shareability != 3) return ::testing::AssertionFailure() << "shared";
  if (t.global != promise.global) return ::testing::AssertionFailure() << "global";
  return ::testing::AssertionSuccess();
}

TEST(Translation, RegisterValues) {
  EXPECT_EQ(kMair & 0xffff, 0xff04u);
  // IPS 40 bits, TG1 4 KiB, SH1/ORGN1/IRGN1, T1SZ 25, TG0 4 KiB, SH0/ORGN0/IRGN0, T0SZ 25
  EXPECT_EQ(kTcrTwoHalves, 0x0000'0002'b519'3519u);
}

TEST(Translation, RegisterValuesAtEl3) {
  // Ones, PS 40 bits, TG0 4 KiB, SH0/ORGN0/IRGN0, T0SZ 24
  EXPECT_EQ(kTcrOneRange, 0x8082'3518u);
}

/// DDI 0487, «Memory access control»: with one privilege AP[1] is one, bit 54 is XN, PXN and nG
/// mean nothing and are zero.
TEST(Translation, AtEl3EntriesKnowOnePrivilege) {
  constexpr uint64_t kXn = uint64_t{1} << 54, kPxn = uint64_t{1} << 53, kNg = 1 << 11;
  EXPECT_EQ(kUpperAtEl3.base, uint64_t{1} << 39);
  for (const auto& [access, promise] : kPromises) {
    const uint64_t bits = kUpperAtEl3.attributes(access);
    EXPECT_EQ((bits & kXn) == 0, promise.kernel.execute) << static_cast<int>(access);
    EXPECT_EQ((bits & (1 << 7)) == 0, promise.kernel.write);
    EXPECT_NE(bits & (1 << 6), 0u);
    EXPECT_EQ(bits & (kPxn | kNg), 0u);
    EXPECT_EQ((bits & (1 << 5)) != 0, access == Access::Beside) << "non-secure";
  }
}

TEST(PageTable, EveryKindOfAccessIsWhatItPromises) {
  for (const auto& [access, promise] : kPromises) {
    for (const uint64_t size : {kPageBytes, kBlockBytes}) {
      Memory memory(4);
      PageTable table(Half::High);
      ASSERT_EQ(table.map(memory.pool, kHighBase, 0, size, access), MapResult::Done);
      const auto found = walk(table, memory, Half::High, kHighBase + 8);
      ASSERT_TRUE(found.has_value());
      EXPECT_TRUE(keeps_promise(*found, access)) << static_cast<int>(access);
      EXPECT_EQ(found->level, size == kPageBytes ? 3u : 2u);
      EXPECT_EQ(found->physical, 8u);
    }
  }
  EXPECT_EQ(kPromises.size(), kAccessCount);
}

TEST(PageTable, Refusals) {
  Memory memory(8);
  PageTable low(Half::Low);
  PageTable high(Half::High);
  constexpr uint64_t kPhysicalEnd = uint64_t{1} << 40;
  const auto map = [&](PageTable& table, uint64_t address, uint64_t physical, uint64_t size) {
    return table.map(memory.pool, address, physical, size, Access::KernelData);
  };
  EXPECT_EQ(map(low, 0, 0, 0), MapResult::Misaligned);
  EXPECT_EQ(map(low, 1, 0, 4096), MapResult::Misaligned);
  EXPECT_EQ(map(low, 0, 2048, 4096), MapResult::Misaligned);
  EXPECT_EQ(map(low, 0, 0, 4097), MapResult::Misaligned);
  EXPECT_EQ(map(low, uint64_t{1} << 39, 0, 4096), MapResult::OutOfRange);
  EXPECT_EQ(map(low, (uint64_t{1} << 39) - 4096, 0, 8192), MapResult::OutOfRange);
  EXPECT_EQ(map(low, kHighBase, 0, 4096), MapResult::OutOfRange);
  EXPECT_EQ(map(high, 0, 0, 4096), MapResult::OutOfRange);
  EXPECT_EQ(map(high, kHighBase - 4096, 0, 8192), MapResult::OutOfRange);
  EXPECT_EQ(map(high, UINT64_MAX - 4095, 0, 8192), MapResult::OutOfRange);
  EXPECT_EQ(map(low, 0, kPhysicalEnd, 4096), MapResult::OutOfRange);
  EXPECT_EQ(map(low, 0, kPhysicalEnd - 4096, 8192), MapResult::OutOfRange);
  EXPECT_EQ(map(low, 4096, 0, UINT64_MAX - 4095), MapResult::OutOfRange);
  EXPECT_EQ(memory.pool.left(), 8u) << "a refusal took pages";
  EXPECT_EQ(low.root(), kNoAddress);
  EXPECT_EQ(map(high, UINT64_MAX - 4095, kPhysicalEnd - 4096, 4096), MapResult::Done);
  EXPECT_EQ(map(high, UINT64_MAX - 4095, 0, 4096), MapResult::Overlap);
  EXPECT_EQ(map(high, UINT64_MAX - kBlockBytes + 1, 0, kBlockBytes), MapResult::Overlap);
}

TEST(PagePool, WholePagesOnly) {
  PagePool pool(0x1001, 0x3000);
  EXPECT_EQ(pool.left(), 2u);
  EXPECT_EQ(pool.take(3), kNoAddress);
  EXPECT_EQ(pool.take(1), 0x2000u);
  EXPECT_EQ(pool.take(UINT64_MAX), kNoAddress);
  EXPECT_EQ(pool.take(1), 0x3000u);
  EXPECT_EQ(pool.left(), 0u);
  EXPECT_EQ(PagePool().left(), 0u);
  EXPECT_EQ(PagePool(100, 50).left(), 0u);
  EXPECT_EQ(PagePool(UINT64_MAX - 4096, 8192).left(), 0u);
  EXPECT_EQ(PagePool(4096, UINT64_MAX).left(), 0u);
}

// --- Random mappings ---

/// Three windows of six MiB where something can go wrong: the half's beginning, the border of two
/// tables of level 2, the half's end.
constexpr uint64_t kWindow = 3 * kBlockBytes;
constexpr uint64_t kWindows[] = {0, (uint64_t{5} << 30) - kBlockBytes,
                                 (uint64_t{1} << 39) - kWindow};

struct Wish {
  unsigned window;
  uint64_t first_page;
  uint64_t pages;
  uint64_t physical;
  Access access;

  uint64_t offset() const { return kWindows[window] + first_page * kPageBytes; }
};

rc::Gen<Wish> any_wish() {
  return rc::gen::exec([] {
    constexpr uint64_t kPages = kWindow / kPageBytes;
    Wish wish{};
    wish.window = *rc::gen::inRange(0u, 3u);
    const bool blocks = *rc::gen::arbitrary<bool>();
    wish.first_page =
        blocks ? 512 * *rc::gen::inRange<uint64_t>(0, 3) : *rc::gen::inRange<uint64_t>(0, kPages);
    const uint64_t room = kPages - wish.first_page;
    wish.pages = *rc::gen::oneOf(rc::gen::inRange<uint64_t>(1, room < 8 ? room + 1 : 9),
                                 rc::gen::inRange<uint64_t>(1, room + 1), rc::gen::just(room));
    // Physical addresses that become aligned together with the virtual ones, and others.
    const uint64_t like = wish.first_page % 512 * kPageBytes;
    wish.physical =
        *rc::gen::inRange<uint64_t>(0, 500) * kBlockBytes +
        (*rc::gen::arbitrary<bool>() ? like : *rc::gen::inRange<uint64_t>(0, 512) * kPageBytes);
    wish.access = static_cast<Access>(*rc::gen::inRange(0u, kAccessCount));
    return wish;
  });
}

/// What should be mapped, by page, and the tables that this takes.
class Oracle {
 public:
  struct Page {
    uint64_t physical;
    Access access;
    bool in_block;
  };

  bool overlaps(const Wish& wish) const {
    for (uint64_t i = 0; i < wish.pages; ++i) {
      if (pages.count(wish.offset() + i * kPageBytes) != 0) return true;
    }
    return false;
  }
  void map(const Wish& wish) {
    for (uint64_t i = 0; i < wish.pages; ++i) {
      const uint64_t at = wish.offset() + i * kPageBytes;
      const bool block = in_block(wish, at);
      pages[at] = {wish.physical + i * kPageBytes, wish.access, block};
      gigabytes.insert(at >> 30);
      if (!block) blocks_of_pages.insert(at / kBlockBytes);
    }
  }
  size_t tables() const {
    return pages.empty() ? 0 : 1 + gigabytes.size() + blocks_of_pages.size();
  }

  std::map<uint64_t, Page> pages;

 private:
  /// The whole aligned 2 MiB around a page is asked for, at an equally aligned physical address.
  static bool in_block(const Wish& wish, uint64_t at) {
    const uint64_t begin = at / kBlockBytes * kBlockBytes;
    return begin >= wish.offset() &&
           begin + kBlockBytes <= wish.offset() + wish.pages * kPageBytes &&
           (wish.physical - wish.offset()) % kBlockBytes == 0;
  }
  std::set<uint64_t> gigabytes, blocks_of_pages;
};

void check_page(const PageTable& table, const Memory& memory, Half half, const Oracle& oracle,
                uint64_t offset, uint64_t inside) {
  const uint64_t address = (half == Half::Low ? 0 : kHighBase) + offset + inside;
  const auto found = walk(table, memory, half, address);
  const auto wanted = oracle.pages.find(offset);
  RC_ASSERT(found.has_value() == (wanted != oracle.pages.end()));
  if (!found) return;
  RC_ASSERT(found->physical == wanted->second.physical + inside);
  RC_ASSERT(found->level == (wanted->second.in_block ? 2u : 3u));
  RC_ASSERT(keeps_promise(*found, wanted->second.access));
  const bool written = found->kernel.write || found->user.write;
  RC_ASSERT(!(written && (found->kernel.execute || found->user.execute)));
}

RC_GTEST_PROP(PageTable, MapsWhatWasAskedAndNothingElse, ()) {
  const auto wishes = *rc::gen::container<std::vector<Wish>>(any_wish());
  const auto pool_pages = *rc::gen::elementOf(std::vector<uint64_t>{0, 1, 2, 3, 5, 8, 40});
  const Half half = *rc::gen::element(Half::Low, Half::High);
  Memory memory(pool_pages);
  PageTable table(half);
  Oracle oracle;
  for (const Wish& wish : wishes) {
    const uint64_t address = (half == Half::Low ? 0 : kHighBase) + wish.offset();
    const MapResult result =
        table.map(memory.pool, address, wish.physical, wish.pages * kPageBytes, wish.access);
    if (oracle.overlaps(wish)) {
      RC_ASSERT(result == MapResult::Overlap);
    } else {
      Oracle after = oracle;
      after.map(wish);
      const bool fits = after.tables() <= pool_pages;
      RC_ASSERT(result == (fits ? MapResult::Done : MapResult::PoolEmpty));
      if (fits) oracle = std::move(after);
    }
    RC_ASSERT(memory.pool.left() == pool_pages - oracle.tables());
  }
  for (const uint64_t window : kWindows) {
    for (uint64_t at = window; at < window + kWindow; at += kPageBytes) {
      check_page(table, memory, half, oracle, at, at / kPageBytes % 2 == 0 ? 0 : kPageBytes - 1);
    }
  }
  for (int i = 0; i < 200; ++i) {
    const uint64_t anywhere = *rc::gen::arbitrary<uint64_t>();
    const uint64_t offset = anywhere % (uint64_t{1} << 39) / kPageBytes * kPageBytes;
    check_page(table, memory, half, oracle, offset, anywhere % kPageBytes);
  }
}

}  // namespace
}  // namespace hocket::aarch64
