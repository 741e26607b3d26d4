// The ticket lock: its word, its order of service, its wrap. Contention: `tests/stress`.

#include "kernel/task/ticket_lock.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace {

using namespace hocket;

struct Yield {
  void operator()() const { std::this_thread::yield(); }
};

// Somebody holds the lock; somebody waits behind the holder.
uint16_t drawn(uint32_t word) {
  return static_cast<uint16_t>((word >> 16) - (word & 0xffff));
}
bool ticket_is_locked(uint32_t word) {
  return drawn(word) != 0;
}
bool ticket_is_contended(uint32_t word) {
  return drawn(word) > 1;
}
// Waits for `tickets` to have been drawn, by looking at the word.
void until_drawn(const uint32_t& word, uint16_t tickets) {
  while (static_cast<uint16_t>(atomic_load(word, order::relaxed) >> 16) != tickets) {
    std::this_thread::yield();
  }
}

TEST(TicketLock, StartsFreeAtZero) {
  uint32_t word = 0;
  EXPECT_FALSE(ticket_is_locked(word));
  EXPECT_FALSE(ticket_is_contended(word));
}

TEST(TicketLock, AFreeLockIsTakenWithoutPolling) {
  uint32_t word = 0;
  unsigned polls = 0;
  ticket_lock(word, [&] { ++polls; });
  EXPECT_EQ(polls, 0u);
  EXPECT_TRUE(ticket_is_locked(word));
  EXPECT_FALSE(ticket_is_contended(word));
  ticket_unlock(word);
  EXPECT_FALSE(ticket_is_locked(word));
  EXPECT_EQ(word, 0x00010001u);
}

TEST(TicketLock, AsNextItStandsBehindTheHolderOnly) {
  for (const uint32_t free : {0x00000000u, 0xffffffffu, 0xfffefffeu}) {
    uint32_t word = free;
    EXPECT_TRUE(ticket_lock_as_next(word, [] { FAIL() << "the lock is free"; }));
    unsigned polls = 0;
    EXPECT_TRUE(ticket_lock_as_next(word, [&] {
      const uint32_t contended = word;
      EXPECT_FALSE(ticket_lock_as_next(word, [] { FAIL() << "somebody waits"; }));
      EXPECT_EQ(word, contended);
      if (++polls == 3) ticket_unlock(word);
    }));
    EXPECT_EQ(polls, 3u);
    EXPECT_TRUE(ticket_is_locked(word));
    EXPECT_FALSE(ticket_is_contended(word));
    ticket_unlock(word);
    EXPECT_FALSE(ticket_is_locked(word));
  }
}

TEST(TicketLock, PollsUntilItsTurn) {
  // The relax hook plays the other core: it frees the lock at the third look.
  uint32_t word = 0;
  ticket_lock(word, [] { FAIL() << "the lock is free"; });
  unsigned polls = 0;
  ticket_lock(word, [&] {
    EXPECT_TRUE(ticket_is_contended(word));
    if (++polls == 3) ticket_unlock(word);
  });
  EXPECT_EQ(polls, 3u);
  EXPECT_TRUE(ticket_is_locked(word));
  EXPECT_FALSE(ticket_is_contended(word));
  ticket_unlock(word);
}

TEST(TicketLock, TicketsWrapWithoutDisturbingEachOther) {
  uint32_t word = 0xfffdfffd;
  for (unsigned i = 0; i < 6; ++i) {
    const auto next = static_cast<uint16_t>(0xfffd + i + 1);
    ticket_lock(word, Yield{});
    EXPECT_EQ(word >> 16, next);
    EXPECT_EQ(word & 0xffff, static_cast<uint16_t>(next - 1));
    EXPECT_TRUE(ticket_is_locked(word));
    ticket_unlock(word);
    EXPECT_EQ(word, uint32_t{next} << 16 | next);
  }
}

TEST(TicketLock, UnlockAtTheWrapKeepsTheTicketsOfThoseWaiting) {
  uint32_t word = 0x0002ffff;  // ticket 0xffff holds; 0 and 1 wait
  EXPECT_TRUE(ticket_is_contended(word));
  ticket_unlock(word);
  EXPECT_EQ(word, 0x00020000u);
}

TEST(TicketLock, ServesInTheOrderOfAsking) {
  for (const uint16_t first : {uint16_t{0}, uint16_t{0xfffe}}) {
    uint32_t word = uint32_t{first} << 16 | first;
    ticket_lock(word, Yield{});
    std::vector<unsigned> served;
    std::vector<std::thread> waiting;
    for (unsigned who = 0; who < 6; ++who) {
      waiting.emplace_back([&, who] {
        ticket_lock(word, Yield{});
        served.push_back(who);
        ticket_unlock(word);
      });
      until_drawn(word, static_cast<uint16_t>(first + who + 2));
    }
    EXPECT_TRUE(ticket_is_contended(word));
    EXPECT_TRUE(served.empty());
    ticket_unlock(word);
    for (std::thread& thread : waiting) thread.join();
    EXPECT_EQ(served, (std::vector<unsigned>{0, 1, 2, 3, 4, 5}));
  }
}

}  // namespace
