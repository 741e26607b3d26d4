// The ring buffer against std::deque, and its edges. The concurrent behaviour: `tests/spin`,
// `tests/stress`.

#include "kernel/task/ring_buffer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

namespace {

using hocket::RingBuffer;

// Indices count to 2N-1: one byte up to 128 items, two up to 32,768.
static_assert(sizeof(RingBuffer<uint8_t, 1>::Index) == 1);
static_assert(sizeof(RingBuffer<uint8_t, 128>::Index) == 1);
static_assert(sizeof(RingBuffer<uint8_t, 129>::Index) == 2);
static_assert(sizeof(RingBuffer<uint8_t, 32768>::Index) == 2);
static_assert(sizeof(RingBuffer<uint8_t, 32769>::Index) == 4);
static_assert(sizeof(RingBuffer<uint8_t, 16>) == 16 + 3);
static_assert(RingBuffer<int, 9>::capacity() == 9);
static_assert(!__is_constructible(RingBuffer<int, 1>, const RingBuffer<int, 1>&));

TEST(RingBuffer, IsReadyAndAllZeroBytesBeforeAnyCodeRuns) {
  static constinit RingBuffer<uint32_t, 10> buffer;
  const std::array<unsigned char, sizeof(buffer)> zeros{};
  EXPECT_EQ(std::memcmp(&buffer, zeros.data(), sizeof(buffer)), 0);
  EXPECT_EQ(buffer.limit(), 10u);
  EXPECT_TRUE(buffer.empty());
}

TEST(RingBuffer, AnEmptyReadLeavesTheItemAlone) {
  RingBuffer<int, 4> buffer;
  int item = 42;
  EXPECT_FALSE(buffer.read(item));
  EXPECT_EQ(item, 42);
}

TEST(RingBuffer, AFullWriteChangesNothing) {
  RingBuffer<int, 2> buffer;
  EXPECT_TRUE(buffer.write(1));
  EXPECT_TRUE(buffer.write(2));
  EXPECT_FALSE(buffer.write(3));
  EXPECT_EQ(buffer.size(), 2u);
  int item = 0;
  EXPECT_TRUE(buffer.read(item));
  EXPECT_EQ(item, 1);
  EXPECT_TRUE(buffer.read(item));
  EXPECT_EQ(item, 2);
  EXPECT_FALSE(buffer.read(item));
}

TEST(RingBuffer, RefusesALimitItCannotKeep) {
  RingBuffer<int, 4> buffer;
  EXPECT_FALSE(buffer.limit(0));
  EXPECT_FALSE(buffer.limit(5));
  EXPECT_FALSE(buffer.limit(4 + 256));  // would fit an index after truncation
  EXPECT_EQ(buffer.limit(), 4u);
  EXPECT_TRUE(buffer.limit(3));
  EXPECT_EQ(buffer.limit(), 3u);
}

TEST(RingBuffer, ALimitBelowWhatIsInsideKeepsTheItems) {
  RingBuffer<int, 4> buffer;
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(buffer.write(i));
  ASSERT_TRUE(buffer.limit(2));
  int item = -1;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(buffer.write(9));
    ASSERT_TRUE(buffer.read(item));
    EXPECT_EQ(item, i);
  }
  EXPECT_TRUE(buffer.write(9));  // one inside, two allowed
}

template <size_t N>
void fills_and_drains_from_every_index() {
  static RingBuffer<uint32_t, N> buffer;
  uint32_t written = 0, read = 0, item = 0;
  for (size_t start = 0; start < 2 * N + 1; ++start) {
    for (size_t i = 0; i < N; ++i) {
      ASSERT_EQ(buffer.size(), i);
      ASSERT_TRUE(buffer.write(written++));
    }
    ASSERT_FALSE(buffer.write(0));
    for (size_t i = N; i > 0; --i) {
      ASSERT_EQ(buffer.size(), i);
      ASSERT_TRUE(buffer.read(item));
      ASSERT_EQ(item, read++);
    }
    ASSERT_FALSE(buffer.read(item));
    ASSERT_TRUE(buffer.write(written++));  // the next round starts one index further
    ASSERT_TRUE(buffer.read(item));
    ASSERT_EQ(item, read++);
  }
}

TEST(RingBuffer, FillsAndDrainsFromEveryIndex) {
  fills_and_drains_from_every_index<1>();
  fills_and_drains_from_every_index<2>();
  fills_and_drains_from_every_index<3>();
  fills_and_drains_from_every_index<100>();
  fills_and_drains_from_every_index<127>();
  fills_and_drains_from_every_index<128>();
  fills_and_drains_from_every_index<129>();
  fills_and_drains_from_every_index<1000>();
}

enum class Call { Write, Read, Clear, Limit };

// Writes are as frequent as reads, so that long runs wander between empty and full.
rc::Gen<Call> any_call() {
  return rc::gen::weightedElement<Call>(
      {{20, Call::Write}, {20, Call::Read}, {1, Call::Clear}, {1, Call::Limit}});
}

template <size_t N>
void behaves_like_a_deque() {
  RingBuffer<uint32_t, N> buffer;
  std::deque<uint32_t> model;
  size_t limit = N;
  uint32_t next = 0;
  // Each call is repeated up to N times: single steps would seldom fill a large buffer.
  const auto calls = *rc::gen::container<std::vector<std::pair<Call, size_t>>>(
      rc::gen::pair(any_call(), rc::gen::inRange<size_t>(0, N + 2)));
  for (const auto& [call, argument] : calls) {
    if (call == Call::Clear) {
      buffer.clear();
      model.clear();
    } else if (call == Call::Limit) {
      const bool possible = argument >= 1 && argument <= N;
      RC_ASSERT(buffer.limit(argument) == possible);
      if (possible) limit = argument;
    }
    for (size_t i = 0; i < argument && call == Call::Write; ++i) {
      const bool room = model.size() < limit;
      RC_ASSERT(buffer.write(next) == room);
      if (room) model.push_back(next);
      ++next;
    }
    for (size_t i = 0; i < argument && call == Call::Read; ++i) {
      uint32_t item = 0xffffffff;
      RC_ASSERT(buffer.read(item) == !model.empty());
      if (model.empty()) {
        RC_ASSERT(item == 0xffffffff);
      } else {
        RC_ASSERT(item == model.front());
        model.pop_front();
      }
    }
    RC_ASSERT(buffer.size() == model.size());
    RC_ASSERT(buffer.empty() == model.empty());
    RC_ASSERT(buffer.limit() == limit);
  }
}

RC_GTEST_PROP(RingBufferProperty, BehavesLikeADequeOf1, ()) {
  behaves_like_a_deque<1>();
}
RC_GTEST_PROP(RingBufferProperty, BehavesLikeADequeOf2, ()) {
  behaves_like_a_deque<2>();
}
RC_GTEST_PROP(RingBufferProperty, BehavesLikeADequeOf5, ()) {
  behaves_like_a_deque<5>();
}
RC_GTEST_PROP(RingBufferProperty, BehavesLikeADequeOf128, ()) {
  behaves_like_a_deque<128>();
}
RC_GTEST_PROP(RingBufferProperty, BehavesLikeADequeOf129, ()) {
  behaves_like_a_deque<129>();
}

}  // namespace
