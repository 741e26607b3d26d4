// Atomic<T> and the operations on plain words: values, and which orders and types compile.

#include "kernel/base/atomic.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using namespace hocket;

template <typename T, typename Order>
concept Loads = requires(const Atomic<T>& variable, const T& word, Order model) {
  variable.load(model);
  atomic_load(word, model);
};
template <typename T, typename Order>
concept MemberLoads = requires(const Atomic<T>& variable, Order model) { variable.load(model); };
template <typename T, typename Order>
concept WordLoads = requires(const T& word, Order model) { atomic_load(word, model); };
template <typename T, typename Order>
concept MemberStores = requires(Atomic<T>& variable, Order model) { variable.store(T{}, model); };
template <typename T, typename Order>
concept WordStores = requires(T& word, Order model) { atomic_store(word, T{}, model); };
template <typename T>
concept Adds = requires(T& word) { atomic_fetch_add(word, T{}, order::relaxed); };

using Relaxed = decltype(order::relaxed);
using Acquire = decltype(order::acquire);
using Release = decltype(order::release);
using Both = decltype(order::acquire_release);
using Sequential = decltype(order::sequential);

static_assert(Loads<int, Relaxed> && Loads<int, Acquire> && Loads<int, Sequential>);
static_assert(MemberStores<int, Relaxed> && MemberStores<int, Release>);
static_assert(MemberStores<int, Sequential> && WordStores<int, Release>);
// A load does not release, a store does not acquire, in either form.
static_assert(!MemberLoads<int, Release> && !MemberLoads<int, Both>);
static_assert(!WordLoads<int, Release> && !WordLoads<int, Both>);
static_assert(!MemberStores<int, Acquire> && !MemberStores<int, Both>);
static_assert(!WordStores<int, Acquire> && !WordStores<int, Both>);

// Integers, booleans, enumerations and pointers up to 8 bytes; arithmetic on integers only.
enum class Colour : uint8_t { None, Red };
struct Fits {
  uint32_t value;
};
static_assert(AtomicValue<bool> && AtomicValue<Colour> && AtomicValue<const int*>);
static_assert(AtomicValue<uint64_t> && !AtomicValue<Fits> && !AtomicValue<double>);
static_assert(!AtomicValue<__int128>);
static_assert(Adds<uint16_t> && !Adds<Colour> && !Adds<int*>);

static_assert(sizeof(Atomic<uint8_t>) == 1 && sizeof(Atomic<uint64_t>) == 8);
static_assert(alignof(Atomic<uint64_t>) == 8);

template <typename T>
class AtomicInteger : public ::testing::Test {};
using Integers = ::testing::Types<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t>;
TYPED_TEST_SUITE(AtomicInteger, Integers);

TYPED_TEST(AtomicInteger, StartsAtZeroOrTheGivenValue) {
  static constinit Atomic<TypeParam> zero;
  static constinit Atomic<TypeParam> seven{7};
  EXPECT_EQ(zero.load(order::relaxed), TypeParam{0});
  EXPECT_EQ(seven.load(order::acquire), TypeParam{7});
}

TYPED_TEST(AtomicInteger, UpdatesReturnTheValueBefore) {
  Atomic<TypeParam> value{0x0c};
  EXPECT_EQ(value.fetch_add(3, order::acquire_release), TypeParam{0x0c});
  EXPECT_EQ(value.exchange(5, order::sequential), TypeParam{0x0f});
  EXPECT_EQ(value.load(order::sequential), TypeParam{5});
}

TYPED_TEST(AtomicInteger, AddingWraps) {
  Atomic<TypeParam> value{static_cast<TypeParam>(~TypeParam{0})};
  value.fetch_add(1, order::relaxed);
  EXPECT_EQ(value.load(order::relaxed), TypeParam{0});
}

TYPED_TEST(AtomicInteger, CompareExchangeTellsWhatItFound) {
  Atomic<TypeParam> value{10};
  TypeParam expected = 9;
  EXPECT_FALSE(value.compare_exchange(expected, 11, order::acquire, order::relaxed));
  EXPECT_EQ(expected, TypeParam{10});
  EXPECT_TRUE(value.compare_exchange(expected, 11, order::acquire, order::relaxed));
  EXPECT_EQ(value.load(order::relaxed), TypeParam{11});
}

TEST(Atomic, HoldsBooleansEnumerationsAndPointers) {
  Atomic<bool> flag;
  EXPECT_FALSE(flag.exchange(true, order::acquire));
  EXPECT_TRUE(flag.load(order::relaxed));
  Atomic<Colour> colour;
  EXPECT_EQ(colour.load(order::relaxed), Colour::None);
  colour.store(Colour::Red, order::release);
  EXPECT_EQ(colour.load(order::acquire), Colour::Red);
  int target = 0;
  Atomic<int*> pointer;
  EXPECT_EQ(pointer.load(order::relaxed), nullptr);
  pointer.store(&target, order::sequential);
  EXPECT_EQ(pointer.load(order::relaxed), &target);
}

TEST(Atomic, WorksOnAPlainWord) {
  uint32_t word = 0;
  atomic_store(word, uint32_t{5}, order::release);
  EXPECT_EQ(atomic_fetch_add(word, uint32_t{2}, order::acquire), 5u);
  EXPECT_EQ(atomic_load(word, order::acquire), 7u);
}

}  // namespace
