// Lists, rings, heaps, timelines, sets and rows against the obvious containers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "check_failed.h"
#include "kernel/base/few_instants.h"
#include "kernel/base/heap.h"
#include "kernel/base/list.h"
#include "kernel/base/many_instants.h"
#include "kernel/base/priority_search_tree.h"
#include "kernel/base/ring.h"
#include "kernel/base/short_row.h"
#include "kernel/base/slot_set.h"
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
  list.push_back(a);
  list.push_back(b);
  list.push_back(c);
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

/// What both timelines must answer, by a search.
template <class Time>
class PlainTimeline {
 public:
  explicit PlainTimeline(unsigned slots) : at_(slots) {}
  void wait(unsigned slot, Time until) { at_[slot] = until; }
  void clear(unsigned slot) { at_[slot].reset(); }
  std::optional<unsigned> first_due(Time now) const {
    for (unsigned slot = 0; slot < at_.size(); ++slot) {
      if (at_[slot] && *at_[slot] <= now) return slot;
    }
    return std::nullopt;
  }
  std::optional<Time> earliest_before(unsigned below) const {
    std::optional<Time> result;
    for (unsigned slot = 0; slot < below && slot < at_.size(); ++slot) {
      if (at_[slot] && (!result || *at_[slot] < *result)) result = at_[slot];
    }
    return result;
  }
  const std::optional<Time>& operator[](unsigned slot) const { return at_[slot]; }

 private:
  std::vector<std::optional<Time>> at_;
};

/// What earliest() must say: the plain answer, unless something sooner was known already.
template <class Timeline, class Time>
void earliest_like(const PlainTimeline<Time>& plain, const Timeline& timeline, unsigned below,
                   Time latest) {
  const Time found = timeline.earliest(static_cast<typename Timeline::Slot>(below), latest);
  const std::optional<Time> expected = plain.earliest_before(below);
  RC_ASSERT(found == (expected && *expected < latest ? *expected : latest));
}
/// And bound(), where there is no «never».
template <class Timeline, class Time>
void bounds_like(const PlainTimeline<Time>& plain, const Timeline& timeline, unsigned below,
                 std::optional<Time> known) {
  Time when = known.value_or(Time());
  const bool wanted =
      timeline.bound(static_cast<typename Timeline::Slot>(below), known.has_value(), when);
  std::optional<Time> expected = plain.earliest_before(below);
  if (known && (!expected || *known < *expected)) expected = known;
  RC_ASSERT(wanted == expected.has_value());
  if (wanted) RC_ASSERT(when == *expected);
}

using TimelineSteps = std::vector<std::tuple<unsigned char, bool, short, short>>;

RC_GTEST_PROP(Tournament, AnswersLikeASearch, (const TimelineSteps& steps)) {
  const auto slots = *rc::gen::inRange(1u, 41u);
  Tournament<Instant, 40> tree;
  tree.reset(slots);
  PlainTimeline<Instant> plain(slots);
  std::set<unsigned> aside;
  for (const auto& [where, waits, instant, now] : steps) {
    const auto slot = static_cast<uint16_t>(where % slots);
    if (waits) {
      tree.clear(slot);
      tree.wait(slot, Instant(instant));
      plain.wait(slot, Instant(instant));
    } else {
      tree.clear(slot);
      plain.clear(slot);
    }
    aside.erase(slot);
    std::optional<unsigned> due = plain.first_due(Instant(now));
    if (!aside.empty()) due = std::min(due.value_or(slots), *aside.begin());
    RC_ASSERT(tree.first_aside() == (aside.empty() ? decltype(tree)::kNone : *aside.begin()));
    RC_ASSERT(tree.due(Instant(now)) == due.has_value());
    RC_ASSERT(tree.first_due(Instant(now)) == due.value_or(decltype(tree)::kNone));
    RC_ASSERT(tree.at(slot) == plain[slot].value_or(Instant::never()));
    RC_ASSERT(tree.waits(slot) == plain[slot].has_value());
    RC_ASSERT(tree.due_below(slot, Instant(now)) || !due || *due >= slot);
    RC_ASSERT(tree.earliest() == plain.earliest_before(slots).value_or(Instant::never()));
    RC_ASSERT(tree.earliest_before(slot) == plain.earliest_before(slot).value_or(Instant::never()));
    if (due && now % 3 == 0) {  // it is due from now on, whatever is asked
      tree.set_aside(static_cast<uint16_t>(*due));
      plain.wait(*due, Instant::never());
      aside.insert(*due);
    }
    earliest_like<decltype(tree), Instant>(plain, tree, slot, Instant::never());
    earliest_like<decltype(tree), Instant>(plain, tree, 0xffff, Instant(now));
  }
}

struct TestKey {
  short value;
  unsigned slot;
  static inline unsigned compared = 0;
  friend bool operator<(const TestKey& a, const TestKey& b) {
    ++compared;
    return std::tie(a.value, a.slot) < std::tie(b.value, b.slot);
  }
};

using KeyedSteps = std::vector<std::tuple<unsigned char, bool, short, short, short>>;

RC_GTEST_PROP(PrioritySearchTree, AnswersLikeASearch, (const KeyedSteps& steps)) {
  PrioritySearchTree<TestKey, Instant, 40> tree;
  tree.reset(40);
  std::map<unsigned, std::pair<TestKey, Instant>> plain;
  for (const auto& [where, waits, value, instant, now] : steps) {
    const auto slot = static_cast<uint16_t>(where % 40u);
    const TestKey key{value, slot};
    if (waits) {
      tree.wait(slot, key, Instant(instant));
      plain[slot] = {key, Instant(instant)};
    } else {
      tree.clear(slot);
      plain.erase(slot);
    }
    Instant earliest = Instant::never(), before = Instant::never();
    std::optional<TestKey> first;
    for (const auto& [other, wait] : plain) {
      earliest = std::min(earliest, wait.second);
      if (wait.first < key) before = std::min(before, wait.second);
      if (wait.second <= Instant(now) && (!first || wait.first < *first)) first = wait.first;
    }
    RC_ASSERT(tree.waits(slot) == plain.contains(slot));
    RC_ASSERT(tree.earliest() == earliest);
    RC_ASSERT(tree.due(Instant(now)) == first.has_value());
    RC_ASSERT(tree.first_due(Instant(now)) == (first ? first->slot : decltype(tree)::kNone));
    RC_ASSERT(tree.earliest_before(key) == before);
    RC_ASSERT(tree.earliest(key, Instant(now)) == std::min(before, Instant(now)));
  }
}

/// How many nodes the longest search looks at.
template <class Tree>
unsigned longest_path(const Tree& tree, const std::vector<TestKey>& keys) {
  unsigned longest = 0;
  for (const TestKey& key : keys) {
    TestKey::compared = 0;
    static_cast<void>(tree.earliest_before(key));
    longest = std::max(longest, TestKey::compared);
  }
  return longest;
}

/// Deadlines that only grow, or only shrink, would make a tree without balance a list.
TEST(PrioritySearchTree, IsBalanced) {
  constexpr unsigned kMany = 1'000;
  for (const bool grow : {false, true}) {
    auto tree = std::make_unique<PrioritySearchTree<TestKey, Instant, kMany>>();
    tree->reset(kMany);
    std::vector<TestKey> keys;
    for (unsigned i = 0; i < kMany; ++i) {
      keys.push_back({static_cast<short>(grow ? i : kMany - i), i});
    }
    EXPECT_EQ(longest_path(*tree, keys), 0u);
    for (unsigned round = 0; round < 3; ++round) {
      for (unsigned i = 0; i < kMany; ++i) {
        tree->wait(static_cast<uint16_t>(i), keys[i], Instant(keys[i].value));
      }
      EXPECT_LE(longest_path(*tree, keys), 14u);  // 1.44 log2(1,002)
      EXPECT_GE(longest_path(*tree, keys), 9u);
      for (unsigned i = round; i < kMany; i += 3) tree->clear(static_cast<uint16_t>(i));
      EXPECT_LE(longest_path(*tree, keys), 14u);
    }
  }
}

/// On a circular clock, wherever it wraps; `now` never goes back.
RC_GTEST_PROP(FewInstants, AnswersLikeASearch, (int32_t offset, const TimelineSteps& steps)) {
  using Time = BasicInstant<int32_t>;
  using Span = BasicDuration<int32_t>;
  FewInstants<Time, 8> few;
  few.reset(8);
  PlainTimeline<Time> plain(8);
  Time now(offset);
  for (const auto& [where, waits, instant, passed] : steps) {
    const auto slot = static_cast<uint8_t>(where % 8);
    now += Span(passed & 0xfff);
    if (waits) {
      few.wait(slot, now + Span(instant));
      plain.wait(slot, now + Span(instant));
    } else {
      few.clear(slot);
      plain.clear(slot);
    }
    bounds_like<decltype(few), Time>(plain, few, slot, std::nullopt);
    bounds_like<decltype(few), Time>(plain, few, 0xff, now);
    earliest_like<decltype(few), Time>(plain, few, slot, now + Span(0x4000));
    const auto due = plain.first_due(now);
    if (due) RC_ASSERT(few.due(now));  // it may also say so when none is
    if (passed % 2 != 0) continue;     // and it is not asked which
    RC_ASSERT(few.take_due(now) == due.value_or(decltype(few)::kNone));
    if (due) plain.clear(*due);
    if (!due) RC_ASSERT(!few.due(now));
  }
}

/// Until when owners wait, and their order, as a queue asks for them. matters(): what comes before
/// an owner.
template <class Time, bool kKeys>
struct Owners {
  static constexpr bool kByKey = kKeys;
  const std::vector<Time>* instants;
  unsigned own;
  Time until(unsigned slot) const { return (*instants)[slot]; }
  std::pair<unsigned, unsigned> key(unsigned slot) const { return {slot * 7 % 5, slot}; }
  bool matters(unsigned slot) const { return key(slot) < key(own); }
};

/// Queues that ask owners, by slot or by key, against a search. `now` never goes back.
template <class Queue, unsigned kSlots, bool kKeys>
void asks_like_a_search(int32_t offset, const TimelineSteps& steps) {
  using Time = BasicInstant<int32_t>;
  using Span = BasicDuration<int32_t>;
  Queue queue;
  queue.reset(kSlots);
  std::vector<Time> instants(kSlots);
  std::set<unsigned> waiting;
  Time now(offset);
  for (const auto& [where, waits, instant, passed] : steps) {
    const auto slot = static_cast<uint8_t>(where % kSlots);
    const Owners<Time, kKeys> look{&instants, slot};
    now += Span(passed & 0xfff);
    if (waits) {
      instants[slot] = now + Span(instant);
      queue.wait(slot, instants[slot]);
      waiting.insert(slot);
    } else {
      queue.clear(slot);
      waiting.erase(slot);
    }
    RC_ASSERT(queue.waits(slot) == waits);
    std::optional<Time> earliest;
    std::optional<unsigned> first;
    for (const unsigned other : waiting) {
      const bool asked = kKeys ? look.matters(other) : other < slot;
      if (asked && (!earliest || instants[other] < *earliest)) earliest = instants[other];
      const bool sooner = !first || (kKeys && look.key(other) < look.key(*first));
      if (instants[other] <= now && sooner) first = other;
    }
    const auto below = static_cast<uint8_t>(kKeys ? kSlots : slot);
    const Time latest = now + Span(0x4000);
    RC_ASSERT(queue.earliest(below, latest, look) ==
              (earliest && *earliest < latest ? *earliest : latest));
    Time when{};
    RC_ASSERT(queue.bound(below, false, when, look) == earliest.has_value());
    if (earliest) RC_ASSERT(when == *earliest);
    if (first) RC_ASSERT(queue.due(now));
    if (passed % 2 != 0) continue;
    RC_ASSERT(queue.take_due(now, look) == first.value_or(Queue::kNone));
    if (first) waiting.erase(*first);
    if (!first) RC_ASSERT(!queue.due(now));
  }
}

RC_GTEST_PROP(FewInstants, AsksOwnersLikeASearch, (int32_t offset, const TimelineSteps& steps)) {
  using Queue = FewInstants<BasicInstant<int32_t>, 16, /*kAsksOthers=*/true>;
  asks_like_a_search<Queue, 16, false>(offset, steps);
  asks_like_a_search<Queue, 16, true>(offset, steps);
}
RC_GTEST_PROP(ManyInstants, AsksOwnersLikeASearch, (int32_t offset, const TimelineSteps& steps)) {
  using Queue = ManyInstants<BasicInstant<int32_t>, 48>;
  asks_like_a_search<Queue, 48, false>(offset, steps);
  asks_like_a_search<Queue, 48, true>(offset, steps);
}

template <unsigned kNumbers, SlotWords kKind = slot_words(kNumbers)>
void is_a_set(const std::vector<std::pair<unsigned short, bool>>& steps) {
  SlotSet<kNumbers, kKind> slots;
  using Number = decltype(slots.first());
  std::set<unsigned> plain;
  for (const auto& [number, added] : steps) {
    const unsigned slot = number % kNumbers;
    if (added) {
      slots.insert(static_cast<Number>(slot));
      plain.insert(slot);
    } else {
      slots.remove(static_cast<Number>(slot));
      plain.erase(slot);
    }
    RC_ASSERT(slots.first() == (plain.empty() ? static_cast<Number>(slots.kNone) : *plain.begin()));
    RC_ASSERT(slots.empty() == plain.empty());
    if constexpr (kKind == SlotWords::Bytes) {
      RC_ASSERT(slots.contains(static_cast<Number>(slot)) == added);
      std::vector<unsigned> visited;
      slots.each([&](unsigned each) {
        visited.push_back(each);
        return true;
      });
      RC_ASSERT(visited == std::vector<unsigned>(plain.begin(), plain.end()));
    }
  }
  slots.clear();
  RC_ASSERT(slots.first() == static_cast<Number>(slots.kNone));
}
RC_GTEST_PROP(SlotSet, KnowsItsLowest,
              (const std::vector<std::pair<unsigned short, bool>>& steps)) {
  is_a_set<5>(steps);
  is_a_set<16>(steps);
  is_a_set<17>(steps);
  is_a_set<64>(steps);
  is_a_set<258>(steps);
  is_a_set<1024>(steps);
  is_a_set<17, SlotWords::Bytes>(steps);
  is_a_set<48, SlotWords::Bytes>(steps);
  is_a_set<128, SlotWords::Bytes>(steps);
}

template <unsigned kCapacity>
void is_a_row(const std::vector<std::pair<unsigned char, int>>& steps) {
  ShortRow<int, kCapacity> row;
  row.clear();
  std::vector<int> plain;
  for (const auto& [what, value] : steps) {
    if (what % 4 < 2 && plain.size() < kCapacity) {
      row.push_back(value);
      plain.push_back(value);
    } else if (what % 4 == 2 && !plain.empty()) {
      row.pop_front();
      plain.erase(plain.begin());
    } else if (!plain.empty()) {
      const auto i = static_cast<uint8_t>(static_cast<unsigned>(value) % plain.size());
      row.remove_at(i);
      plain.erase(plain.begin() + i);
    }
    RC_ASSERT(row.count() == plain.size());
    for (unsigned i = 0; i < plain.size(); ++i) RC_ASSERT(row[i] == plain[i]);
    if (plain.empty()) continue;
    RC_ASSERT(row.front() == plain.front());
    RC_ASSERT(row.back() == plain.back());
  }
}

RC_GTEST_PROP(ShortRow, IsAQueue, (const std::vector<std::pair<unsigned char, int>>& steps)) {
  is_a_row<3>(steps);
  is_a_row<5>(steps);
  is_a_row<8>(steps);
  is_a_row<11>(steps);
  is_a_row<16>(steps);
  is_a_row<20>(steps);
}

}  // namespace
}  // namespace hocket
