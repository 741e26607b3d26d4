// What the kernel's calls do with FIFOs: over a window, with a Linux that reads and writes, and
// without.
#include "hybrid/loops/fifos.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "tests/unit/hybrid/protocol/guarded_window.h"

namespace {

using fifo_test::Window;
using hocket::hybrid::FifoFacts;
using hocket::hybrid::Fifos;
using hocket::hybrid::Take;

unsigned told = 0;

struct Beside {
  Beside() {
    told = 0;
    fifos.open(window.data(), [] { ++told; });
    hocket_fifo_reader_resume(&reader, window.data(), 2);
    hocket_fifo_writer_resume(&writer, window.data(), 3);
  }
  bool put(const std::string& text) { return fifos.put(2, text.data(), text.size()); }
  void write(const std::string& text) {
    hocket_fifo_put(&writer, text.data(), static_cast<uint32_t>(text.size()));
  }
  std::string get(Take take, size_t size) {
    std::string text(size, '\0');
    text.resize(fifos.get(3, text.data(), size, take));
    return text;
  }

  Window window;
  Fifos fifos;
  hocket_fifo_reader reader;
  hocket_fifo_writer writer;
};

TEST(Fifos, WithoutAWindowAllIsRefusedAndCounted) {
  Fifos fifos;
  int record = 5;
  EXPECT_FALSE(fifos.has_neighbour());
  EXPECT_FALSE(fifos.put(0, &record, sizeof record));
  EXPECT_EQ(fifos.get(1, &record, sizeof record, Take::Bytes), 0u);
  fifos.sketch_begins();
  const FifoFacts facts = fifos.facts(0);
  EXPECT_EQ(facts.counts.lost, 1u);
  EXPECT_EQ(facts.counts.lost_bytes, sizeof record);
  EXPECT_EQ(facts.room, 0u);
  EXPECT_FALSE(facts.is_open);
  EXPECT_EQ(fifos.facts(1).available, 0u);
}

TEST(Fifos, WhatIsPutIsReadAndTheOtherWay) {
  Beside beside;
  EXPECT_TRUE(beside.fifos.has_neighbour());
  EXPECT_TRUE(beside.put("one"));
  char text[10];
  EXPECT_EQ(hocket_fifo_get_record(&beside.reader, text, 10), 3u);
  beside.write("two");
  EXPECT_EQ(beside.fifos.facts(3).available, 3u);
  EXPECT_EQ(beside.get(Take::Bytes, 1), "t");
  EXPECT_EQ(beside.get(Take::Bytes, 10), "wo");
  EXPECT_EQ(beside.fifos.facts(3).counts.done, 1u);
  EXPECT_EQ(beside.fifos.facts(2).room, HOCKET_FIFO_MOST);
}

TEST(Fifos, ARecordOfAnotherLengthIsThrownAwayWhereOneLengthIsWanted) {
  Beside beside;
  for (const char* text : {"short", "longer than", "exactly!"}) beside.write(text);
  EXPECT_EQ(beside.get(Take::Exactly, 8), "");
  EXPECT_EQ(beside.get(Take::Exactly, 8), "");
  EXPECT_EQ(beside.get(Take::Exactly, 8), "exactly!");
  EXPECT_EQ(beside.fifos.facts(3).counts.lost, 2u);
  EXPECT_EQ(beside.fifos.facts(3).counts.lost_bytes, 16u);
  beside.write("begun");
  beside.write("12345678");
  EXPECT_EQ(beside.get(Take::Bytes, 2), "be");
  EXPECT_EQ(beside.get(Take::Exactly, 8), "12345678");
}

TEST(Fifos, LinuxIsToldOncePerCallAndOnlyIfItWants) {
  Beside beside;
  EXPECT_TRUE(beside.put("one"));
  EXPECT_EQ(told, 0u);
  hocket_fifo_want(beside.reader.own, true);
  EXPECT_TRUE(beside.put("two"));
  EXPECT_EQ(told, 1u);
  EXPECT_FALSE(beside.fifos.put(2, "x", 0));  // refused: nothing has moved
  EXPECT_EQ(told, 1u);
  beside.write("one");
  beside.write("two");
  hocket_fifo_want(beside.writer.own, true);
  EXPECT_EQ(beside.get(Take::Bytes, 10), "onetwo");
  EXPECT_EQ(told, 2u);
  EXPECT_EQ(beside.get(Take::Bytes, 10), "");
  EXPECT_EQ(told, 2u);
}

TEST(Fifos, SizesBeyondARecordAreRefused) {
  Beside beside;
  const auto data = std::make_unique<char[]>(HOCKET_FIFO_RING);
  for (const size_t size :
       {size_t{HOCKET_FIFO_MOST} + 1, size_t{UINT32_MAX}, SIZE_MAX, (size_t{1} << 32) + 4}) {
    EXPECT_FALSE(beside.fifos.put(2, data.get(), size));
  }
  EXPECT_EQ(beside.fifos.facts(2).counts.lost, 4u);
  beside.write("text");
  char text[8];
  EXPECT_EQ(beside.fifos.get(3, text, SIZE_MAX, Take::Bytes), 4u);
}

TEST(Fifos, AFormerSketchsCommandsAreNotTheNextOnes) {
  Beside beside;
  EXPECT_TRUE(beside.put("stays"));
  beside.write("for the former");
  beside.fifos.sketch_begins();
  EXPECT_EQ(beside.get(Take::Bytes, 100), "");
  beside.write("for this one");
  EXPECT_EQ(beside.get(Take::Bytes, 100), "for this one");
  char text[10];
  EXPECT_EQ(hocket_fifo_get_record(&beside.reader, text, 10), 5u);
  auto& header = *reinterpret_cast<hocket_fifo_header*>(beside.window.data());
  EXPECT_EQ(header.starts, 2u);
}

TEST(Fifos, AnotherLinuxFindsAWindowAndNobodyAtTheEnds) {
  Beside beside;
  EXPECT_TRUE(beside.put("stays"));
  hocket_fifo_say(&beside.reader.own->open, 3);
  hocket_fifo_want(beside.reader.own, true);
  std::memset(beside.window.data(), 0xff, sizeof(hocket_fifo_header));
  EXPECT_EQ(hocket_fifo_examine(beside.window.data()), HOCKET_FIFO_WINDOW_EMPTY);
  beside.fifos.linux_begins();
  EXPECT_EQ(hocket_fifo_examine(beside.window.data()), HOCKET_FIFO_WINDOW_READY);
  EXPECT_FALSE(beside.fifos.facts(2).is_open);
  EXPECT_TRUE(beside.put("and more"));
  EXPECT_EQ(told, 0u);
  hocket_fifo_reader_resume(&beside.reader, beside.window.data(), 2);
  EXPECT_EQ(hocket_fifo_next(&beside.reader), 5u);
}

/// Loops that put into one FIFO at once, against the rule: each put is one record or is refused,
/// and what is refused is counted.
TEST(Fifos, OneCallAtATimeIsAtAnEnd) {
  Beside beside;
  constexpr uint32_t kEach = 20'000;
  std::atomic<uint32_t> taken{0};
  std::atomic<bool> done{false};
  const auto putter = [&](uint32_t first) {
    for (uint32_t i = 0; i < kEach; ++i) {
      const uint32_t record[3] = {first + i, first + i, first + i};
      taken += beside.fifos.put(2, record, sizeof record) ? 1 : 0;
    }
  };
  uint32_t got = 0, torn = 0;
  const auto read_all = [&] {
    uint32_t record[3];
    while (hocket_fifo_get_record(&beside.reader, record, sizeof record) != 0) {
      torn += record[0] != record[1] || record[1] != record[2] ? 1 : 0;
      ++got;
    }
  };
  std::thread reader([&] {
    while (!done) read_all();
  });
  std::thread one(putter, 0), two(putter, kEach);
  one.join();
  two.join();
  done = true;
  reader.join();
  read_all();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(got, taken);
  EXPECT_EQ(beside.fifos.facts(2).counts.done, taken);
  EXPECT_EQ(beside.fifos.facts(2).counts.lost, 2 * kEach - taken);
}

}  // namespace
