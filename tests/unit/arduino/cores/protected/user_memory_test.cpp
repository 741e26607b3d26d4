// What a sketch may access, against a map of every byte; stacks against the rules of their region.
#include "arduino/cores/protected/kernel/user_memory.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <vector>

namespace hocket::sketch {
namespace {

using sketch::kBase;
using sketch::kStacks;
using sketch::kStacksEnd;

/// Returns the number of the new stack; kNone: there is no room.
unsigned add(UserStacks& stacks, uint64_t bytes) {
  const UserStack next = stacks.next(bytes);
  if (next.size == 0) return UserStacks::kNone;
  stacks.add(next);
  return stacks.count() - 1;
}

/// A header with these numbers of bytes in its parts.
sketch::Header header_of(uint64_t text, uint64_t constants, uint64_t data, uint64_t heap) {
  const auto page_up = [](uint64_t address) { return (address + 4095) & ~uint64_t{4095}; };
  sketch::Header h{};
  h.text_end = kBase + sizeof h + text;
  h.rodata_begin = page_up(h.text_end);
  h.rodata_end = h.rodata_begin + constants;
  h.data_begin = page_up(h.rodata_end);
  h.data_end = h.bss_end = h.data_begin + data;
  h.heap_begin = page_up(h.bss_end);
  h.heap_end = h.heap_begin + heap;
  return h;
}

/// A sketch with two stacks, all of it in the test's own memory, and what each byte may be used
/// for.
class World {
 public:
  World(const sketch::Header& header, const std::vector<uint64_t>& stack_sizes) : header_(header) {
    for (const uint64_t size : stack_sizes) add(stacks_, size);
    low_size_ = header.heap_end - kBase + kSlack;
    high_size_ = kSlack;
    for (unsigned i = 0; i < stacks_.count(); ++i) {
      high_size_ = stacks_[i].end() - kStacks + kSlack;
    }
  }

  /// Addresses on both sides of everything.
  uint64_t any_address() const {
    const auto part = *rc::gen::inRange(0, 8);
    if (part == 0) return *rc::gen::arbitrary<uint64_t>();
    if (part == 1) return 0 - *rc::gen::inRange<uint64_t>(0, 100);
    const auto near = static_cast<uint64_t>(*rc::gen::inRange<int64_t>(-20, 20));
    if (part == 2) {
      return near + *rc::gen::element(kBase, header_.rodata_end, header_.data_begin,
                                      header_.heap_end, kStacks, kStacksEnd);
    }
    if (part == 3 && stacks_.count() > 0) {
      const UserStack& stack = stacks_[*rc::gen::inRange(0u, stacks_.count())];
      return near + *rc::gen::element(stack.begin, stack.end());
    }
    if (part < 6) return kBase - kSlack / 2 + *rc::gen::inRange<uint64_t>(0, low_size_);
    return kStacks + *rc::gen::inRange<uint64_t>(0, high_size_);
  }

  bool byte_writable(uint64_t at) const {
    if (at >= header_.data_begin && at < header_.heap_end) return true;
    for (unsigned i = 0; i < stacks_.count(); ++i) {
      if (at >= stacks_[i].begin && at - stacks_[i].begin < stacks_[i].size) return true;
    }
    return false;
  }
  bool byte_readable(uint64_t at) const {
    return (at >= kBase && at < header_.rodata_end) || byte_writable(at);
  }

  const sketch::Header& header() const { return header_; }
  const UserStacks& stacks() const { return stacks_; }

 private:
  static constexpr uint64_t kSlack = 8192;
  sketch::Header header_;
  UserStacks stacks_;
  uint64_t low_size_;
  uint64_t high_size_;
};

World any_world() {
  const auto bytes = [] {
    return *rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 3 * 4096),
                           rc::gen::element<uint64_t>(0, 4096, 8192));
  };
  const uint64_t text = bytes();
  const uint64_t constants = bytes();
  const uint64_t data = bytes();
  const auto sizes =
      *rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(1, 3 * 4096));
  return {header_of(text, constants, data, bytes()), sizes};
}

RC_GTEST_PROP(UserMemory, IsTheMapOfBytes, ()) {
  const World world = any_world();
  const UserMemory memory(world.header(), world.stacks());
  for (int i = 0; i < 20; ++i) {
    const uint64_t address = world.any_address();
    const uint64_t size =
        *rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 64), rc::gen::inRange<uint64_t>(0, 3 * 4096));
    bool readable = true;
    bool writable = true;
    for (uint64_t at = 0; at < size; ++at) {
      readable = readable && address + at >= address && world.byte_readable(address + at);
      writable = writable && address + at >= address && world.byte_writable(address + at);
    }
    RC_ASSERT(memory.readable(address, size) == readable);
    RC_ASSERT(memory.writable(address, size) == writable);
    const bool code = address % 4 == 0 && address >= kBase + sizeof(sketch::Header) &&
                      address < world.header().text_end;
    RC_ASSERT(memory.executable(address) == code);
  }
}

RC_GTEST_PROP(UserMemory, NoSizeIsTooLarge, (uint64_t size)) {
  const World world = any_world();
  const UserMemory memory(world.header(), world.stacks());
  const uint64_t address = world.any_address();
  const uint64_t huge = UINT64_MAX - size % 4096;
  RC_ASSERT(!memory.readable(address, huge));
  RC_ASSERT(!memory.writable(address, huge));
  RC_ASSERT(memory.readable(address, 0) && memory.writable(address, 0));
}

/// A text near the end of some part of the sketch, read through a window onto the test's memory.
RC_GTEST_PROP(UserMemory, TextsEndWhereTheyMayBeRead, ()) {
  const bool joined = *rc::gen::arbitrary<bool>();  // constants up to the data
  const sketch::Header header = header_of(100, joined ? 4096 : 3000, 50, 200);
  const uint64_t whole = header.heap_end - kBase;
  const std::unique_ptr<char[]> bytes(new char[whole]);  // ends where the heap does
  for (uint64_t i = 0; i < whole; ++i) bytes[i] = 'x';
  const UserStacks stacks;
  const auto window = reinterpret_cast<uintptr_t>(bytes.get()) - kBase;
  const UserMemory memory(header, stacks, window);
  const uint64_t begin = *rc::gen::element(kBase, header.rodata_end, header.heap_end) -
                         *rc::gen::inRange<uint64_t>(0, 40);
  const uint64_t end = begin + *rc::gen::inRange<uint64_t>(0, 40);
  if (end >= kBase && end < header.heap_end) bytes[end - kBase] = 0;
  const uint64_t most =
      *rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 42), rc::gen::just(UINT64_MAX));
  uint64_t expected = 0;
  while (memory.readable(begin + expected, 1) && bytes[begin + expected - kBase] != 0) ++expected;
  const bool is_text = memory.readable(begin + expected, 1) && expected <= most;
  RC_CLASSIFY(is_text);
  RC_ASSERT(memory.text(begin, most) == (is_text ? expected : UserMemory::kNoText));
}

// --- Stacks ---

RC_GTEST_PROP(UserStacks, LieApartInTheirRegion, ()) {
  const auto sizes = *rc::gen::container<std::vector<uint64_t>>(
      rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 20'000), rc::gen::inRange<uint64_t>(0, 1u << 29),
                     rc::gen::arbitrary<uint64_t>()));
  UserStacks stacks;
  uint64_t guard = kStacks;
  for (const uint64_t size : sizes) {
    const unsigned before = stacks.count();
    const unsigned number = add(stacks, size);
    const bool room = before < UserStacks::kMost && size > 0 && size <= kStacksEnd - guard - 8192;
    const uint64_t pages = size / 4096 + (size % 4096 != 0 ? 1 : 0);
    RC_ASSERT((number != UserStacks::kNone) == room);
    RC_ASSERT(stacks.count() == before + (room ? 1 : 0));
    if (number == UserStacks::kNone) continue;
    const UserStack& stack = stacks[number];
    RC_ASSERT(number + 1 == stacks.count());
    RC_ASSERT(stack.begin == guard + 4096);
    RC_ASSERT(stack.size == pages * 4096);
    guard = stack.end();
    RC_ASSERT(guard <= kStacksEnd - 4096);
  }
}

RC_GTEST_PROP(UserStacks, AreFound, ()) {
  UserStacks stacks;
  const auto count = *rc::gen::inRange(0u, UserStacks::kMost + 1);
  for (unsigned i = 0; i < count; ++i) {
    add(stacks, 4096 * *rc::gen::inRange<uint64_t>(1, 6));
  }
  RC_ASSERT(stacks.count() == count);
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t begin = stacks[i].begin;
    RC_ASSERT(stacks.find(begin) == i && stacks.find(stacks[i].end() - 1) == i);
    RC_ASSERT(stacks.find(begin - 1) == UserStacks::kNone);
    RC_ASSERT(stacks.find(stacks[i].end()) == UserStacks::kNone);
    RC_ASSERT(stacks.find_overrun(begin - 1) == i && stacks.find_overrun(begin - 4096) == i);
    RC_ASSERT(stacks.find_overrun(begin) == UserStacks::kNone);
    RC_ASSERT(stacks.find_overrun(begin - 4097) == UserStacks::kNone);
  }
  const uint64_t after = count == 0 ? kStacks : stacks[count - 1].end();
  for (const uint64_t nowhere : {uint64_t{0}, kStacks - 1, after, kStacksEnd, UINT64_MAX}) {
    RC_ASSERT(stacks.find(nowhere) == UserStacks::kNone);
    if (nowhere != kStacks) RC_ASSERT(stacks.find_overrun(nowhere) == UserStacks::kNone);
  }
}

TEST(UserStacks, NoMoreThanThereAreLoops) {
  UserStacks stacks;
  for (unsigned i = 0; i < UserStacks::kMost; ++i) EXPECT_EQ(add(stacks, 1), i);
  EXPECT_EQ(add(stacks, 1), UserStacks::kNone);
}

}  // namespace
}  // namespace hocket::sketch
