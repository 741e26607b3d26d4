// The FIFOs between loops and Linux, one call after another: two sides that keep to the protocol,
// against a queue of records. (A hostile side: hostile_test.cpp. Threads: tests/stress.)
#include "hybrid/protocol/fifo.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "tests/unit/hybrid/protocol/guarded_window.h"

namespace {

using fifo_test::Pair;
using fifo_test::Window;

static_assert(sizeof(hocket_fifo_line) == 64);
static_assert(HOCKET_FIFO_RINGS + HOCKET_FIFO_COUNT * HOCKET_FIFO_RING <= HOCKET_FIFO_WINDOW);
static_assert(HOCKET_FIFO_ENDS + HOCKET_FIFO_COUNT * sizeof(hocket_fifo_ends) <= HOCKET_FIFO_RINGS);
static_assert((HOCKET_FIFO_RING & (HOCKET_FIFO_RING - 1)) == 0);
static_assert(sizeof(hocket_fifo_header) <= HOCKET_FIFO_LINUX);

bool put(Pair& pair, const std::string& record) {
  return hocket_fifo_put(&pair.writer, record.data(), static_cast<uint32_t>(record.size()));
}
std::string record(Pair& pair, uint32_t size = HOCKET_FIFO_MOST) {
  std::string text(size, '\0');
  text.resize(hocket_fifo_get_record(&pair.reader, text.data(), size));
  return text;
}
std::string bytes(Pair& pair, uint32_t size) {
  std::string text(size, '\0');
  text.resize(hocket_fifo_get(&pair.reader, text.data(), size));
  return text;
}

TEST(Fifo, AWindowIsOneOrIsNot) {
  Window window;
  EXPECT_EQ(hocket_fifo_examine(window.data()), HOCKET_FIFO_WINDOW_READY);
  auto& header = *reinterpret_cast<hocket_fifo_header*>(window.data());
  header.version += 1;
  EXPECT_EQ(hocket_fifo_examine(window.data()), HOCKET_FIFO_WINDOW_FOREIGN);
  header.version -= 1;
  header.ring *= 2;
  EXPECT_EQ(hocket_fifo_examine(window.data()), HOCKET_FIFO_WINDOW_FOREIGN);
  header.ring /= 2;
  header.count = 0;
  EXPECT_EQ(hocket_fifo_examine(window.data()), HOCKET_FIFO_WINDOW_FOREIGN);
  header.magic = 0;
  EXPECT_EQ(hocket_fifo_examine(window.data()), HOCKET_FIFO_WINDOW_EMPTY);
}

TEST(Fifo, FifosHaveEndsAndRingsOfTheirOwn) {
  Window window;
  for (unsigned fifo = 0; fifo < HOCKET_FIFO_COUNT; ++fifo) {
    hocket_fifo_writer writer;
    hocket_fifo_writer_start(&writer, window.data(), fifo);
    const std::vector<char> full(HOCKET_FIFO_MOST, static_cast<char>('a' + fifo));
    EXPECT_TRUE(hocket_fifo_put(&writer, full.data(), HOCKET_FIFO_MOST));
    EXPECT_EQ(hocket_fifo_to_linux(fifo), fifo % 2 == 0);
  }
  for (unsigned fifo = 0; fifo < HOCKET_FIFO_COUNT; ++fifo) {
    hocket_fifo_reader reader;
    hocket_fifo_reader_start(&reader, window.data(), fifo);
    std::string got(HOCKET_FIFO_MOST, '\0');
    EXPECT_EQ(hocket_fifo_get_record(&reader, got.data(), HOCKET_FIFO_MOST), HOCKET_FIFO_MOST);
    EXPECT_EQ(got, std::string(HOCKET_FIFO_MOST, static_cast<char>('a' + fifo)));
  }
}

TEST(Fifo, RecordsComeWholeAndInOrder) {
  Pair pair;
  EXPECT_TRUE(put(pair, "one"));
  EXPECT_TRUE(put(pair, "three"));
  EXPECT_EQ(hocket_fifo_next(&pair.reader), 3u);
  EXPECT_EQ(record(pair), "one");
  EXPECT_EQ(record(pair), "three");
  EXPECT_EQ(record(pair), "");
  EXPECT_EQ(pair.ends().reader.done, 2u);
  EXPECT_EQ(pair.ends().writer.done, 2u);
}

TEST(Fifo, BytesComeOutOfAsManyRecordsAsItTakes) {
  Pair pair;
  EXPECT_TRUE(put(pair, "abc"));
  EXPECT_TRUE(put(pair, "defgh"));
  EXPECT_EQ(bytes(pair, 1), "a");
  EXPECT_EQ(hocket_fifo_next(&pair.reader), 2u);
  EXPECT_EQ(bytes(pair, 4), "bcde");
  EXPECT_EQ(bytes(pair, 100), "fgh");
  EXPECT_EQ(bytes(pair, 100), "");
  EXPECT_EQ(pair.ends().reader.lost, 0u);
}

TEST(Fifo, APieceDoesNotGoBeyondItsRecord) {
  Pair pair;
  EXPECT_TRUE(put(pair, "abc"));
  EXPECT_TRUE(put(pair, "de"));
  char piece[10];
  EXPECT_EQ(hocket_fifo_get_piece(&pair.reader, piece, 2), 2u);
  EXPECT_EQ(hocket_fifo_get_piece(&pair.reader, piece, 10), 1u);
  EXPECT_EQ(piece[0], 'c');
  EXPECT_EQ(hocket_fifo_get_piece(&pair.reader, piece, 10), 2u);
  EXPECT_EQ(hocket_fifo_get_piece(&pair.reader, piece, 10), 0u);
}

TEST(Fifo, ARecordThatIsTooLongForItsReaderIsThrownAwayAndCounted) {
  Pair pair;
  EXPECT_TRUE(put(pair, "too long"));
  EXPECT_TRUE(put(pair, "fits"));
  EXPECT_EQ(record(pair, 7), "");
  EXPECT_EQ(record(pair, 4), "fits");
  EXPECT_EQ(pair.ends().reader.lost, 1u);
  EXPECT_EQ(pair.ends().reader.lost_bytes, 8u);
}

TEST(Fifo, ARecordIsNeverReadFromItsMiddle) {
  Pair pair;
  EXPECT_TRUE(put(pair, "begun"));
  EXPECT_TRUE(put(pair, "next"));
  EXPECT_EQ(bytes(pair, 2), "be");
  EXPECT_EQ(record(pair), "next");
  EXPECT_EQ(pair.ends().reader.lost, 1u);
  EXPECT_EQ(pair.ends().reader.lost_bytes, 3u);
}

TEST(Fifo, AFullOneRefusesAndCounts) {
  Pair pair;
  EXPECT_EQ(hocket_fifo_room(&pair.writer), HOCKET_FIFO_MOST);
  unsigned taken = 0;
  while (put(pair, "0123456789")) ++taken;
  EXPECT_EQ(taken, HOCKET_FIFO_RING / 24);
  EXPECT_EQ(hocket_fifo_room(&pair.writer), HOCKET_FIFO_RING % 24 - HOCKET_FIFO_PREFIX);
  EXPECT_TRUE(put(pair, "01234567"));
  EXPECT_EQ(hocket_fifo_room(&pair.writer), 0u);
  EXPECT_FALSE(put(pair, "0"));
  EXPECT_EQ(pair.ends().writer.lost, 2u);
  EXPECT_EQ(pair.ends().writer.lost_bytes, 11u);
  EXPECT_EQ(record(pair), "0123456789");
  EXPECT_TRUE(put(pair, "a record"));
}

TEST(Fifo, RefusesWhatIsNoRecord) {
  Pair pair;
  EXPECT_FALSE(put(pair, ""));
  EXPECT_FALSE(put(pair, std::string(HOCKET_FIFO_MOST + 1, 'x')));
  const char one = 'x';
  for (const uint32_t bytes : {0x8000'0000u, 0xffff'fff0u, 0xffff'ffffu}) {
    EXPECT_FALSE(hocket_fifo_put(&pair.writer, &one, bytes));
  }
  EXPECT_EQ(pair.ends().writer.lost, 5u);
  EXPECT_TRUE(put(pair, std::string(HOCKET_FIFO_MOST, 'x')));
  EXPECT_EQ(record(pair), std::string(HOCKET_FIFO_MOST, 'x'));
}

TEST(Fifo, TellsOnlyThoseWhoWantIt) {
  Pair pair;
  EXPECT_TRUE(put(pair, "a"));
  EXPECT_FALSE(hocket_fifo_must_tell(pair.writer.other));
  hocket_fifo_want(pair.reader.own, true);
  EXPECT_TRUE(hocket_fifo_must_tell(pair.writer.other));
  hocket_fifo_want(pair.reader.own, false);
  EXPECT_FALSE(hocket_fifo_must_tell(pair.writer.other));
}

TEST(Fifo, AnotherReaderGoesOnBehindTheLastRecordThatWasRead) {
  Pair pair;
  for (const char* text : {"one", "two", "three"}) EXPECT_TRUE(put(pair, text));
  EXPECT_EQ(record(pair), "one");
  EXPECT_EQ(bytes(pair, 1), "t");  // a record that was begun comes again
  hocket_fifo_reader_resume(&pair.reader, pair.window.data(), 0);
  EXPECT_EQ(record(pair), "two");
  EXPECT_EQ(record(pair), "three");
}

TEST(Fifo, AnotherWriterLosesNothing) {
  Pair pair;
  EXPECT_TRUE(put(pair, "one"));
  hocket_fifo_writer_resume(&pair.writer, pair.window.data(), 0);
  EXPECT_TRUE(put(pair, "two"));
  EXPECT_EQ(record(pair), "one");
  EXPECT_EQ(record(pair), "two");
}

TEST(Fifo, ThoseWhoResumeBelieveNoIndexThatCannotBe) {
  for (const uint32_t wrong : {4u, 1u, HOCKET_FIFO_RING + 24, 0xffff'fff8u, 0x8000'0000u}) {
    Pair pair;
    EXPECT_TRUE(put(pair, "one"));
    EXPECT_EQ(record(pair), "one");
    pair.ends().writer.index = wrong;
    hocket_fifo_writer_resume(&pair.writer, pair.window.data(), 0);
    EXPECT_TRUE(put(pair, "two"));
    pair.ends().reader.index = wrong;
    hocket_fifo_reader_resume(&pair.reader, pair.window.data(), 0);
    EXPECT_EQ(hocket_fifo_next(&pair.reader) % 3, 0u) << wrong;  // "two", or dropped
    hocket_fifo_clear(&pair.reader);
    EXPECT_TRUE(put(pair, "three"));
    EXPECT_EQ(record(pair), "three");
  }
}

TEST(Fifo, AnIndexOfTheReaderThatCannotBeIsCountedAndNotBelieved) {
  for (const uint32_t wrong : {1u, 4u, 12u, 24u, 0xffff'fff8u, 0x8000'0000u}) {
    Pair pair;
    EXPECT_TRUE(put(pair, "12345678"));  // the writer is at 16
    pair.ends().reader.index = wrong;
    EXPECT_EQ(hocket_fifo_room(&pair.writer), HOCKET_FIFO_MOST - 16) << wrong;
    EXPECT_EQ(pair.ends().writer.corrupted, 1u) << wrong;
    pair.ends().reader.index = 16;
    EXPECT_EQ(hocket_fifo_room(&pair.writer), HOCKET_FIFO_MOST);
    pair.ends().reader.index = 8;  // and none goes back
    EXPECT_EQ(hocket_fifo_room(&pair.writer), HOCKET_FIFO_MOST);
    EXPECT_EQ(pair.ends().writer.corrupted, 2u) << wrong;
  }
}

TEST(Fifo, AnIndexOfTheWriterThatCannotBeDropsWhatIsThere) {
  for (const uint32_t wrong : {9u, 20u, HOCKET_FIFO_RING + 8, 0xffff'fff8u, 0x8000'0000u}) {
    Pair pair;
    EXPECT_TRUE(put(pair, "12345678"));
    pair.ends().writer.index = wrong;
    EXPECT_EQ(record(pair), "") << wrong;
    EXPECT_EQ(pair.ends().reader.corrupted, 1u) << wrong;
    EXPECT_EQ(pair.ends().reader.index, wrong / 8 * 8);
    EXPECT_EQ(record(pair), "") << wrong;
    EXPECT_EQ(pair.ends().reader.corrupted, 1u) << "once";
  }
}

TEST(Fifo, ALengthThatCannotBeDropsWhatIsThere) {
  for (const uint32_t wrong : {0u, 9u, HOCKET_FIFO_MOST + 1, 0xffff'fff0u, 0xffff'ffffu}) {
    Pair pair;
    EXPECT_TRUE(put(pair, "12345678"));
    hocket_fifo_say(reinterpret_cast<uint32_t*>(pair.writer.ring), wrong);
    EXPECT_EQ(record(pair), "") << wrong;
    EXPECT_EQ(pair.ends().reader.corrupted, 1u) << wrong;
    EXPECT_TRUE(put(pair, "goes on"));
    EXPECT_EQ(record(pair), "goes on");
  }
}

// --- Against a queue ---

enum class Call { Put, Record, Bytes, Piece, NewReader, NewWriter, Clear };

struct Model {
  std::deque<std::string> records;
  uint32_t begun = 0;  // bytes of the first one that were taken
  uint32_t lost = 0, lost_bytes = 0;

  uint32_t used() const {
    uint32_t sum = 0;
    for (const std::string& text : records)
      sum += hocket_fifo_whole(static_cast<uint32_t>(text.size()));
    return sum;
  }
  std::string take(uint32_t size) {
    if (records.empty()) return "";
    std::string& first = records.front();
    const std::string piece = first.substr(begun, size);
    begun += static_cast<uint32_t>(piece.size());
    if (begun == first.size()) next();
    return piece;
  }
  void next() {
    records.pop_front();
    begun = 0;
  }
  void lose() {
    ++lost;
    lost_bytes += static_cast<uint32_t>(records.front().size()) - begun;
    next();
  }
  std::string take_record(uint32_t size) {
    if (begun != 0) lose();
    if (records.empty()) return "";
    if (records.front().size() > size) return lose(), "";
    return take(size);
  }
  std::string take_bytes(uint32_t size) {
    std::string all;
    while (all.size() < size && !records.empty())
      all += take(size - static_cast<uint32_t>(all.size()));
    return all;
  }
};

void one_call(Pair& pair, Model& model, Call call, uint32_t size, uint32_t number) {
  std::string text(size, '\0');
  switch (call) {
    case Call::Put: {
      for (uint32_t i = 0; i < size; ++i) text[i] = static_cast<char>(number * 7 + i);
      const bool fits = size >= 1 && size <= HOCKET_FIFO_MOST &&
                        hocket_fifo_whole(size) <= HOCKET_FIFO_RING - model.used();
      RC_ASSERT(put(pair, text) == fits);
      if (fits) model.records.push_back(text);
      break;
    }
    case Call::Record:
      RC_ASSERT(record(pair, size) == model.take_record(size));
      break;
    case Call::Bytes:
      RC_ASSERT(bytes(pair, size) == model.take_bytes(size));
      break;
    case Call::Piece:
      text.resize(hocket_fifo_get_piece(&pair.reader, text.data(), size));
      RC_ASSERT(text == model.take(size));
      break;
    case Call::NewReader:
      hocket_fifo_reader_resume(&pair.reader, pair.window.data(), pair.fifo);
      model.begun = model.lost = model.lost_bytes = 0;
      break;
    case Call::NewWriter:
      hocket_fifo_writer_resume(&pair.writer, pair.window.data(), pair.fifo);
      break;
    case Call::Clear:
      hocket_fifo_clear(&pair.reader);
      model.records.clear();
      model.begun = 0;
  }
  RC_ASSERT(hocket_fifo_next(&pair.reader) ==
            (model.records.empty() ? 0 : model.records.front().size() - model.begun));
  RC_ASSERT(pair.ends().reader.lost == model.lost);
  RC_ASSERT(pair.ends().reader.lost_bytes == model.lost_bytes);
  RC_ASSERT(pair.ends().writer.corrupted == 0u);
  RC_ASSERT(pair.ends().reader.corrupted == 0u);
}

RC_GTEST_PROP(FifoProperty, BehavesLikeAQueueOfRecords, ()) {
  Pair pair(*rc::gen::inRange(0u, HOCKET_FIFO_COUNT));
  // Near the wrap of the indices, or not.
  const uint32_t begin = *rc::gen::element(0u, 0xffff'e000u, 0xffff'ffc0u, 0x7fff'fff8u);
  pair.ends().writer.index = pair.ends().reader.index = begin;
  hocket_fifo_writer_resume(&pair.writer, pair.window.data(), pair.fifo);
  hocket_fifo_reader_resume(&pair.reader, pair.window.data(), pair.fifo);
  Model model;
  const auto calls = *rc::gen::container<std::vector<std::tuple<Call, uint32_t>>>(rc::gen::tuple(
      rc::gen::weightedElement<Call>({{30, Call::Put},
                                      {12, Call::Record},
                                      {8, Call::Bytes},
                                      {8, Call::Piece},
                                      {1, Call::NewReader},
                                      {1, Call::NewWriter},
                                      {1, Call::Clear}}),
      rc::gen::oneOf(rc::gen::inRange(0u, 40u), rc::gen::inRange(0u, HOCKET_FIFO_RING + 20))));
  uint32_t number = 0;
  for (const auto& [call, size] : calls) one_call(pair, model, call, size, number++);
}

}  // namespace
