// The queue of alarms: against a sorted list, and how many comparisons one call may take.
#include "kernel/base/leftist_heap.h"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <random>
#include <vector>

namespace {

using hocket::LeftistHeap;
using hocket::LeftistNode;

struct Item : LeftistNode<Item> {
  inline static unsigned comparisons = 0;
  unsigned key = 0;
  static bool before(const Item& a, const Item& b) {
    ++comparisons;
    return a.key < b.key;
  }
};
using Heap = LeftistHeap<Item>;

/// Two heaps and what is in them; every call is watched.
struct Watched {
  Heap heap[2];
  std::vector<Item*> in[2];

  /// In the worst case, for as many elements as there are: two right spines are merged.
  template <class Call>
  void bounded(Call call) {
    const size_t all = in[0].size() + in[1].size() + 1;
    Item::comparisons = 0;
    call();
    RC_ASSERT(Item::comparisons <= 2 * std::bit_width(all));
  }
  void insert(unsigned which, Item& item) {
    bounded([&] { heap[which].insert(item); });
    in[which].push_back(&item);
  }
  void remove(unsigned which, size_t position) {
    Item& item = *in[which][position];
    bounded([&] { heap[which].remove(item); });
    in[which].erase(in[which].begin() + static_cast<ptrdiff_t>(position));
    RC_ASSERT(!item.in_heap());
  }
  void join() {
    bounded([&] { heap[0].join(heap[1]); });
    in[0].insert(in[0].end(), in[1].begin(), in[1].end());
    in[1].clear();
  }
  void check() const {
    for (unsigned which : {0u, 1u}) {
      const auto least =
          std::min_element(in[which].begin(), in[which].end(),
                           [](const Item* a, const Item* b) { return a->key < b->key; });
      RC_ASSERT((least == in[which].end()) == (heap[which].first() == nullptr));
      if (least != in[which].end()) RC_ASSERT((*least)->key == heap[which].first()->key);
    }
  }
};

RC_GTEST_PROP(LeftistHeaps, AnswerAsASortedListInLogarithmicTime, ()) {
  Watched watched;
  std::vector<std::unique_ptr<Item>> items;
  // One draw a case: each one that rapidcheck could shrink costs more than the heap's call.
  std::minstd_rand random(*rc::gen::inRange(1u, 1u << 30));
  const auto below = [&random](size_t end) { return static_cast<unsigned>(random() % end); };
  for (unsigned step = 0; step < 300; ++step) {
    const unsigned which = below(2);
    const unsigned what = below(20);
    if (what < 13) {
      items.push_back(std::make_unique<Item>());
      items.back()->key = below(50);
      watched.insert(which, *items.back());
    } else if (what < 19) {
      if (watched.in[which].empty()) continue;
      watched.remove(which, below(watched.in[which].size()));
    } else {
      watched.join();
    }
    watched.check();
  }
}

/// Orders that make trees without this rule degenerate, and as many elements as a sketch may have.
TEST(LeftistHeap, StaysFlatForAnyOrderOfMany) {
  constexpr unsigned kMany = 10'000;
  for (const int order : {0, 1, 2}) {
    Heap heap;
    std::vector<Item> items(kMany);
    for (unsigned i = 0; i < kMany; ++i) {
      items[i].key = order == 0 ? i : order == 1 ? kMany - i : i * 7919 % kMany;
      Item::comparisons = 0;
      heap.insert(items[i]);
      ASSERT_LE(Item::comparisons, 2u * std::bit_width(i + 1));
    }
    unsigned last = 0;
    for (unsigned left = kMany; left > 0; --left) {
      Item& first = *heap.first();
      ASSERT_GE(first.key, last);
      last = first.key;
      Item::comparisons = 0;
      heap.remove(first);
      ASSERT_LE(Item::comparisons, 2u * std::bit_width(left));
    }
    EXPECT_EQ(heap.first(), nullptr);
  }
}

}  // namespace
