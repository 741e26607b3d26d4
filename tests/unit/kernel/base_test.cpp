// List, ring, heap and tournament tree against the obvious containers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "check_failed.h"
#include "kernel/base/heap.h"
#include "kernel/base/list.h"
#include "kernel/base/ring.h"
#include "kernel/base/time.h"
#include "kernel/base/tournament.h"

void hocket_check_failed(const char* what, const char* file, unsigned line) {
  throw CheckFailed(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

namespace hocket {
namespace {

using Instant = BasicInstant<int64_t>;
using Duration = BasicDuration<int64_t>;

TEST(Time, InstantsAndDurations) {
  constexpr Instant start(100);
  static_assert(start + Duration(5) - start == Duration(5));
  static_assert(start < start + Duration(1));
  static_assert(Instant::never() > Instant(INT64_MAX - 1));
}

struct Item : ListNode<Item> {
  explicit Item(int value) : key(value) {}
  int key;
};

template <class Queue>
std::vector<int> keys(Queue& list) {
  std::vector<int> result;
  std::vector<Item*> items;
  while (!list.empty()) {
    items.push_back(&list.pop_front());
    result.push_back(items.back()->key);
  }
  for (Item* item : items) list.push_back(*item);
  return result;
}

TEST(List, KeepsOrderOfArrival) {
  Item a(1), b(2), c(3);
  List<Item> list;
  EXPECT_TRUE(list.empty());
  list.push_back(b);
  list.push_back(c);
  list.push_front(a);
  EXPECT_EQ(keys(list), (std::vector<int>{1, 2, 3}));
  List<Item>::remove(b);
  EXPECT_FALSE(b.linked());
  EXPECT_EQ(keys(list), (std::vector<int>{1, 3}));
}

TEST(Ring, RotatesTheFirstBehindTheLast) {
  Item a(1), b(2), c(3);
  Ring<Item> ring;
  EXPECT_TRUE(ring.empty());
  EXPECT_THROW(ring.rotate(), CheckFailed);
  ring.push_first(a);
  EXPECT_TRUE(ring.single());
  EXPECT_EQ(&ring.rotate(), &a);
  ring.push_back(b);
  EXPECT_FALSE(ring.single());
  EXPECT_EQ(&ring.rotate(), &b);
  EXPECT_EQ(keys(ring), (std::vector<int>{2, 1}));
  ring.push_back(c);
  EXPECT_EQ(&ring.rotate(), &a);
  EXPECT_EQ(keys(ring), (std::vector<int>{1, 3, 2}));
}

TEST(Ring, RefusesAnItemTwice) {
  Item a(1), b(2);
  Ring<Item> ring;
  ring.push_back(a);
  EXPECT_THROW(ring.push_back(a), CheckFailed);
  EXPECT_THROW(ring.push_first(b), CheckFailed);
  EXPECT_EQ(&ring.pop_front(), &a);
  EXPECT_FALSE(a.linked());
  EXPECT_THROW(ring.front(), CheckFailed);
}

TEST(List, RefusesAnItemTwice) {
  Item a(1);
  List<Item> list;
  list.push_back(a);
  EXPECT_THROW(list.push_back(a), CheckFailed);
  List<Item>::remove(a);
  EXPECT_THROW(List<Item>::remove(a), CheckFailed);
  EXPECT_THROW(list.front(), CheckFailed);
}

template <class Queue>
void insert_in_order(const std::vector<unsigned char>& values) {
  std::vector<std::unique_ptr<Item>> items;
  Queue list;
  for (unsigned char value : values) {
    items.push_back(std::make_unique<Item>(value));
    list.insert_ordered(*items.back(), [](const Item& x, const Item& y) { return x.key < y.key; });
  }
  std::vector<Item*> expected;
  for (auto& item : items) {
    const auto later = std::find_if(expected.begin(), expected.end(),
                                    [&](const Item* other) { return other->key > item->key; });
    expected.insert(later, item.get());
  }
  for (const Item* item : expected) RC_ASSERT(&list.pop_front() == item);
  RC_ASSERT(list.empty());
}
RC_GTEST_PROP(List, OrderedInsertionIsAStableSort, (const std::vector<unsigned char>& values)) {
  insert_in_order<List<Item>>(values);
}
RC_GTEST_PROP(Ring, OrderedInsertionIsAStableSort, (const std::vector<unsigned char>& values)) {
  insert_in_order<Ring<Item>>(values);
}

struct Timed {
  int due = 0;
  uint16_t heap_index = kNotInHeap;
  friend bool earlier(const Timed& a, const Timed& b) { return a.due < b.due; }
};

RC_GTEST_PROP(IndexedHeap, AlwaysShowsTheEarliest,
              (const std::vector<std::pair<unsigned char, int>>& steps)) {
  std::vector<Timed> items(16);
  IndexedHeap<Timed, 12> heap;
  std::multimap<int, Timed*> model;
  for (const auto& [which, due] : steps) {
    Timed& item = items[which % items.size()];
    if (heap.contains(item)) {
      heap.remove(item);
      for (auto it = model.begin(); it != model.end(); ++it) {
        if (it->second == &item) {
          model.erase(it);
          break;
        }
      }
    } else {
      item.due = due;
      const bool room = model.size() < 12;
      RC_ASSERT(heap.insert(item) == room);
      if (room) model.emplace(due, &item);
    }
    RC_ASSERT(heap.size() == model.size());
    if (!model.empty()) RC_ASSERT(heap.top().due == model.begin()->first);
  }
}

RC_GTEST_PROP(Tournament, AnswersLikeAScan,
              (const std::vector<std::tuple<unsigned char, short, short>>& steps)) {
  const auto slots = *rc::gen::inRange(1u, 40u);
  Tournament<Instant, 40> tree;
  tree.resize(slots);
  std::vector<Instant> plain(slots, Instant::never());
  for (const auto& [where, instant, now] : steps) {
    const auto slot = static_cast<uint16_t>(where % slots);
    plain[slot] = instant % 5 == 0 ? Instant::never() : Instant(instant);
    tree.set(slot, plain[slot]);
    const auto due = std::find_if(plain.begin(), plain.end(),
                                  [&, n = now](Instant i) { return i <= Instant(n); });
    const auto expected =
        due == plain.end() ? decltype(tree)::kNone : static_cast<uint16_t>(due - plain.begin());
    const auto earliest_before = [&](uint16_t end) {
      return end == 0 ? Instant::never() : *std::min_element(plain.begin(), plain.begin() + end);
    };
    const auto found = tree.first_due(Instant(now));
    RC_ASSERT(found.slot == expected);
    if (found.slot != decltype(tree)::kNone) {
      RC_ASSERT(found.before == earliest_before(found.slot));
    }
    RC_ASSERT(tree.earliest() == *std::min_element(plain.begin(), plain.end()));
    RC_ASSERT(tree.earliest_before(slot) == earliest_before(slot));
    RC_ASSERT(tree.at(slot) == plain[slot]);
  }
}

}  // namespace
}  // namespace hocket
