// Stress of channel, ring buffer and ticket lock on host threads.
//
// The checks are of order and content, never of time. Every loop is bounded by a count of writes,
// and each side gives the processor away while it waits, so that the runs also end on one core.
// Where a check needs an atomic variable of its own, the same run exists without it, because that
// variable would order the threads and could hide a race from ThreadSanitizer.
//
// Run it with and without ThreadSanitizer. With it, a missing release or acquire is found as a
// race. Without it the timing is the processor's own, and a missing store-load order in the writer
// shows as torn items within milliseconds on x86.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "kernel/task/four_slot.h"
#include "kernel/task/ring_buffer.h"
#include "kernel/task/ticket_lock.h"

namespace {

// ThreadSanitizer slows the runs about tenfold.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr uint64_t kScale = 3;
#else
constexpr uint64_t kScale = 10;
#endif
#endif

// 256 bytes whose words all follow from the first: words of two items never fit together.
struct LargeItem {
  std::array<uint64_t, 32> words{};

  static uint64_t word(uint64_t number, size_t i) {
    return number * 0x9e3779b97f4a7c15u + i * number;
  }
  static LargeItem of(uint64_t number) {
    LargeItem item;
    item.words[0] = number;
    for (size_t i = 1; i < item.words.size(); ++i) item.words[i] = word(number, i);
    return item;
  }
  uint64_t number() const { return words[0]; }
  bool whole() const {
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] != word(words[0], i)) return false;
    }
    return true;
  }
};
static_assert(sizeof(LargeItem) == 256);

struct YieldingRelax {
  void operator()() const { std::this_thread::yield(); }
};

TEST(LargeItem, NoticesAMixtureOfTwoItems) {
  for (size_t from = 1; from < 32; ++from) {
    LargeItem item = LargeItem::of(41);
    const LargeItem other = LargeItem::of(42);
    for (size_t i = from; i < 32; ++i) item.words[i] = other.words[i];
    EXPECT_FALSE(item.whole()) << "mixed from word " << from;
  }
  EXPECT_TRUE(LargeItem::of(41).whole());
  EXPECT_TRUE(LargeItem{}.whole());
}

// What a reader found until it saw the last item. Counted, because an assertion per read is slow.
struct Findings {
  uint64_t torn = 0;
  uint64_t backwards = 0;
  uint64_t stale = 0;
  uint64_t distinct = 0;
};

template <typename AtLeast>
Findings read_until(hocket::FourSlot<LargeItem>& channel, uint64_t last, AtLeast&& at_least) {
  Findings found;
  uint64_t previous = 0;
  while (previous != last) {
    const uint64_t expected = at_least();
    const LargeItem item = channel.read();
    found.torn += !item.whole();
    found.backwards += item.number() < previous;
    found.stale += item.number() < expected;
    if (item.number() == previous) {
      std::this_thread::yield();
    } else {
      ++found.distinct;
    }
    previous = item.number();
    if (found.torn + found.backwards + found.stale > 100) break;  // broken: no need to go on
  }
  return found;
}

TEST(FourSlotStress, ItemsAreWholeAndInOrder) {
  constexpr uint64_t kWrites = 150'000 * kScale;
  static hocket::FourSlot<LargeItem> channel;
  Findings found;
  std::thread reader([&] { found = read_until(channel, kWrites, [] { return uint64_t{0}; }); });
  std::thread writer([&] {
    for (uint64_t number = 1; number <= kWrites; ++number) channel.write(LargeItem::of(number));
  });
  writer.join();
  reader.join();
  EXPECT_EQ(found.torn, 0u);
  EXPECT_EQ(found.backwards, 0u);
  RecordProperty("distinct_items_read", std::to_string(found.distinct));
}

TEST(FourSlotStress, AReadIsAtLeastAsNewAsTheLastCompletedWrite) {
  constexpr uint64_t kWrites = 100'000 * kScale;
  static hocket::FourSlot<LargeItem> channel;
  std::atomic<uint64_t> completed{0};
  Findings found;
  std::thread reader([&] {
    found = read_until(channel, kWrites, [&] { return completed.load(std::memory_order_acquire); });
  });
  std::thread writer([&] {
    for (uint64_t number = 1; number <= kWrites; ++number) {
      channel.write(LargeItem::of(number));
      completed.store(number, std::memory_order_release);
    }
  });
  writer.join();
  reader.join();
  EXPECT_EQ(found.torn, 0u);
  EXPECT_EQ(found.backwards, 0u);
  EXPECT_EQ(found.stale, 0u);
}

// A small item leaves little between the index loads and stores, where the order of the two sides
// matters.
TEST(FourSlotStress, SmallItemsBothWays) {
  constexpr uint32_t kRounds = 300'000 * kScale;
  struct Pair {
    uint32_t number, inverse;
  };
  static hocket::FourSlot<Pair> there, back;
  std::array<uint64_t, 2> wrong{};
  const auto side = [&](hocket::FourSlot<Pair>& out, hocket::FourSlot<Pair>& in, uint64_t& bad) {
    uint32_t previous = 0;
    for (uint32_t number = 1; number <= kRounds; ++number) {
      out.write({number, ~number});
      const Pair pair = in.read();
      const bool untouched = pair.number == 0 && pair.inverse == 0;
      bad += (!untouched && pair.inverse != ~pair.number) || pair.number < previous;
      previous = pair.number;
    }
  };
  std::thread one([&] { side(there, back, wrong[0]); });
  std::thread two([&] { side(back, there, wrong[1]); });
  one.join();
  two.join();
  EXPECT_EQ(wrong[0], 0u);
  EXPECT_EQ(wrong[1], 0u);
  EXPECT_EQ(there.read().number, kRounds);
  EXPECT_EQ(back.read().number, kRounds);
}

template <size_t N>
void ring_buffer_run(uint64_t items, size_t limit = N) {
  struct Item {
    uint64_t number, inverse;
  };
  static hocket::RingBuffer<Item, N> buffer;
  ASSERT_TRUE(buffer.limit(limit));
  uint64_t wrong = 0, size_wrong = 0;
  std::atomic<bool> reader_done{false};  // relaxed: orders nothing
  std::thread reader([&] {
    uint64_t expected = 1;
    while (expected <= items && wrong < 100) {
      const size_t seen = buffer.size();
      size_wrong += seen > limit;
      Item item{};
      if (!buffer.read(item)) {
        size_wrong += seen != 0;  // what the reader saw can only grow until it reads
        std::this_thread::yield();
        continue;
      }
      wrong += item.number != expected || item.inverse != ~expected;
      ++expected;
    }
    reader_done.store(true, std::memory_order_relaxed);
  });
  std::thread writer([&] {
    for (uint64_t number = 1; number <= items;) {
      if (buffer.write({number, ~number})) {
        ++number;
      } else if (reader_done.load(std::memory_order_relaxed)) {
        break;  // it gave up: nobody makes room any more
      } else {
        std::this_thread::yield();
      }
    }
  });
  writer.join();
  reader.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(size_wrong, 0u);
  EXPECT_TRUE(buffer.empty());
}

TEST(RingBufferStress, OneItem) {
  ring_buffer_run<1>(30'000 * kScale);
}
TEST(RingBufferStress, SevenItems) {
  ring_buffer_run<7>(150'000 * kScale);
}
TEST(RingBufferStress, LimitedToTwoOfSeven) {
  ring_buffer_run<7>(50'000 * kScale, 2);
}
TEST(RingBufferStress, LargestWithByteIndices) {
  ring_buffer_run<128>(400'000 * kScale);
}
TEST(RingBufferStress, SmallestWithTwoByteIndices) {
  ring_buffer_run<129>(400'000 * kScale);
}

TEST(TicketLockStress, CountsWithoutLossAcrossTheWrapOfTheTickets) {
  constexpr unsigned kThreads = 4;
  // Each round is passed on to the thread that has waited longest: where other programs have the
  // processors, every one of them costs a turn of the host's scheduler. So there are few.
  constexpr uint64_t kRounds = 1'000 * kScale;
  uint32_t lock = 0xfffafffa;  // a few tickets before both halves wrap
  uint64_t counter = 0;        // plain: the lock alone orders it
  uint64_t inside = 0, overlaps = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < kRounds; ++i) {
        uint16_t ticket;
        if (t % 2 != 0 || !hocket::ticket_draw_as_next(lock, ticket)) {
          hocket::ticket_lock(lock, YieldingRelax{});
        } else {
          while (static_cast<uint16_t>(hocket::atomic_load(lock, hocket::order::acquire)) !=
                 ticket) {
            YieldingRelax{}();
          }
        }
        overlaps += inside++ != 0;
        ++counter;
        --inside;
        hocket::ticket_unlock(lock);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, kThreads * kRounds);
  EXPECT_EQ(overlaps, 0u);
  const auto passes = static_cast<uint16_t>(0xfffa + kThreads * kRounds);
  EXPECT_EQ(lock, uint32_t{passes} << 16 | passes);
}

}  // namespace
