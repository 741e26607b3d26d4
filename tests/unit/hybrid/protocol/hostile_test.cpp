// The loops' side of the FIFOs beside a Linux that does whatever it likes: it changes any word of
// the window between two calls, and in the middle of one right after the word has been read.
//
// Checked after each of 10^5 calls (10^7 with HOCKET_LONG): nothing outside the FIFO's own ring and
// lines has changed and nothing outside the window or the buffer was touched (forbidden pages), few
// words of the window were read, what the side knows by itself holds together. And once Linux keeps
// to the protocol again, the next records go through.
#include <cstdint>

namespace {
uint32_t load(const uint32_t* word);
}
#define HOCKET_FIFO_LOAD(word, order) load(word)
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "tests/unit/hybrid/protocol/guarded_window.h"

namespace {

using fifo_test::Guarded;
using fifo_test::Window;

constexpr unsigned kOut = 2, kIn = 3;

class Linux;
Linux* in_the_middle = nullptr;  // who changes words during a call
unsigned loads = 0;

/// Scribbles over the window. What it wrote is in the copy, too, and so all else is known.
class Linux {
 public:
  explicit Linux(uint64_t seed) : random_(seed) {
    std::memcpy(copy_, window_.data(), sizeof copy_);
  }
  unsigned char* window() { return window_.data(); }
  uint32_t draw(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  void scribble(const hocket_fifo_writer& writer, const hocket_fifo_reader& reader) {
    switch (draw(8)) {
      case 0:
        return write(draw(HOCKET_FIFO_WINDOW / 4) * 4, value(0));
      case 1:
        return write(offset(&window_.ends(kOut).reader.index), value(writer.index));
      case 2:
        return write(offset(&window_.ends(kIn).writer.index), value(reader.index));
      case 3:  // its own copy, published by the other side
        return write(offset(&window_.ends(kIn).reader.index), value(reader.index));
      case 4:
        return write(offset(&window_.ends(kOut).writer.index), value(writer.index));
      case 5:  // the length of the next record
        return write(ring(kIn) + reader.index % HOCKET_FIFO_RING, length());
      case 6:  // a record that could be
        write(ring(kIn) + reader.end % HOCKET_FIFO_RING / 8 * 8, 1 + draw(40));
        return write(offset(&window_.ends(kIn).writer.index), reader.end + 8 * draw(8));
      default:
        return write(offset(&window_.ends(draw(HOCKET_FIFO_COUNT))) + draw(32) * 4, value(0));
    }
  }
  /// The word that was just read becomes another one.
  void change(const uint32_t* word) {
    if (draw(3) == 0) write(offset(word), draw(2) == 0 ? length() : value(*word));
  }

  /// Whether only what the call may have written is different from the copy; then that is copied.
  bool only_written(const void* begin, size_t size) {
    const size_t at = offset(begin);
    std::memcpy(copy_ + at, begin, size);
    return true;
  }
  bool as_known() const { return std::memcmp(copy_, window_.data(), sizeof copy_) == 0; }

 private:
  static constexpr uint32_t ring(unsigned fifo) {
    return HOCKET_FIFO_RINGS + fifo * HOCKET_FIFO_RING;
  }
  size_t offset(const void* address) const {
    return static_cast<size_t>(static_cast<const unsigned char*>(address) - window_.data());
  }
  uint32_t value(uint32_t near) {
    switch (draw(6)) {
      case 0:
        return static_cast<uint32_t>(random_());
      case 1:
        return near + 8 * draw(HOCKET_FIFO_RING / 8 + 2);
      case 2:
        return near - 8 * draw(HOCKET_FIFO_RING / 8 + 2);
      case 3:
        return near + draw(32) - 16;
      case 4:
        return 0u - draw(3);
      default:
        return near + HOCKET_FIFO_RING + 8 * draw(3) - 8;
    }
  }
  uint32_t length() {
    switch (draw(5)) {
      case 0:
        return static_cast<uint32_t>(random_());
      case 1:
        return HOCKET_FIFO_MOST + draw(16) - 8;
      case 2:
        return 0;
      case 3:
        return 0u - draw(20);
      default:
        return draw(HOCKET_FIFO_RING);
    }
  }
  void write(size_t at, uint32_t word) {
    if (at + 4 > HOCKET_FIFO_WINDOW) return;
    std::memcpy(window_.data() + at, &word, 4);
    std::memcpy(copy_ + at, &word, 4);
  }

  mutable Window window_;
  unsigned char copy_[HOCKET_FIFO_WINDOW];
  std::mt19937_64 random_;
};

uint32_t load(const uint32_t* word) {
  const uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  ++loads;
  if (in_the_middle != nullptr) in_the_middle->change(word);
  return value;
}

/// The loops' side: its ends, and what is true of them after each call.
class Loops {
 public:
  explicit Loops(Linux& neighbour) : linux_(neighbour) {
    hocket_fifo_writer_start(&writer_, linux_.window(), kOut);
    hocket_fifo_reader_start(&reader_, linux_.window(), kIn);
  }
  const hocket_fifo_writer& writer() const { return writer_; }
  const hocket_fifo_reader& reader() const { return reader_; }

  void any_call() {
    in_the_middle = linux_.draw(2) == 0 ? &linux_ : nullptr;
    const uint32_t size =
        linux_.draw(3) == 0 ? linux_.draw(HOCKET_FIFO_RING + 100) : linux_.draw(64);
    loads = 0;
    const unsigned most = call(size);
    in_the_middle = nullptr;
    EXPECT_LE(loads, most);
    check();
  }
  bool put(uint32_t value) { return hocket_fifo_put(&writer_, &value, sizeof value); }
  uint32_t drain() {
    uint32_t last = 0, value = 0;
    for (unsigned i = 0; i < 2 * HOCKET_FIFO_RING && hocket_fifo_next(&reader_) != 0; ++i) {
      if (hocket_fifo_get_record(&reader_, &value, sizeof value) == sizeof value) last = value;
    }
    return last;
  }

 private:
  /// The most words of the window that it may read.
  unsigned call(uint32_t size) {
    unsigned char* const buffer = buffer_.last(size);
    uint32_t got = 0;
    switch (linux_.draw(6)) {
      case 0:
        hocket_fifo_room(&writer_);
        return 1;
      case 1:
      case 2:
        std::memset(buffer, 'l', size);
        hocket_fifo_put(&writer_, buffer, size);
        hocket_fifo_must_tell(writer_.other);
        return 2;
      case 3:
        got = hocket_fifo_get(&reader_, buffer, size);
        EXPECT_LE(got, size);
        return 2 + 2 * got;
      case 4:
        got = hocket_fifo_get_record(&reader_, buffer, size);
        EXPECT_LE(got, size);
        return 2;
      default:
        got = hocket_fifo_get_piece(&reader_, buffer, size);
        EXPECT_LE(got, size);
        hocket_fifo_must_tell(reader_.other);
        return 3;
    }
  }
  void check() {
    ASSERT_LE(writer_.index - writer_.seen, HOCKET_FIFO_RING);
    ASSERT_EQ(writer_.index % 8, 0u);
    ASSERT_LE(reader_.end - reader_.index, HOCKET_FIFO_RING);
    ASSERT_EQ(reader_.index % 8, 0u);
    ASSERT_LE(reader_.length, HOCKET_FIFO_MOST);
    ASSERT_LE(reader_.taken, reader_.length);
    // All that the side may write.
    linux_.only_written(writer_.ring, HOCKET_FIFO_RING);
    linux_.only_written(writer_.own, sizeof *writer_.own);
    linux_.only_written(reader_.own, sizeof *reader_.own);
    ASSERT_TRUE(linux_.as_known()) << "wrote elsewhere in the window";
  }

  Linux& linux_;
  Guarded buffer_{HOCKET_FIFO_RING + 100};
  hocket_fifo_writer writer_;
  hocket_fifo_reader reader_;
};

/// Linux begins its module anew, and keeps to the protocol from now on: what is put goes through
/// after the first one or two.
void expect_to_heal(Linux& neighbour, Loops& loops, uint32_t number) {
  hocket_fifo_reader reader;
  hocket_fifo_writer writer;
  hocket_fifo_reader_resume(&reader, neighbour.window(), kOut);
  hocket_fifo_writer_resume(&writer, neighbour.window(), kIn);
  uint32_t got = 0;
  bool arrived = false;
  for (int attempt = 0; attempt < 4; ++attempt) {
    const bool taken = loops.put(number);
    arrived = false;
    for (unsigned i = 0; i < 2 * HOCKET_FIFO_RING && hocket_fifo_next(&reader) != 0; ++i) {
      arrived = hocket_fifo_get_record(&reader, &got, sizeof got) == sizeof got && got == number;
    }
    arrived = arrived && taken;
  }
  EXPECT_TRUE(arrived) << "out of the loops";
  for (int attempt = 0; attempt < 4; ++attempt) {
    hocket_fifo_put(&writer, &number, sizeof number);
    got = loops.drain();
  }
  EXPECT_EQ(got, number) << "to the loops";
}

void run(uint64_t seed, unsigned calls) {
  Linux neighbour(seed);
  Loops loops(neighbour);
  for (unsigned i = 0; i < calls && !testing::Test::HasFailure(); ++i) {
    for (uint32_t changes = neighbour.draw(3); changes > 0; --changes) {
      neighbour.scribble(loops.writer(), loops.reader());
    }
    loops.any_call();
  }
  EXPECT_GT(loops.writer().counts.corrupted, calls / 100);
  EXPECT_GT(loops.reader().counts.corrupted, calls / 100);
  EXPECT_GT(loops.writer().counts.done, 0u);
  EXPECT_GT(loops.reader().counts.done, calls / 100);
  expect_to_heal(neighbour, loops, 0x12345678);
}

TEST(HostileLinux, NothingOutsideIsTouchedAndAllHeals) {
  const bool is_long = std::getenv("HOCKET_LONG") != nullptr;
  constexpr unsigned kCalls = 2'000;
  const unsigned runs = is_long ? 5'000 : 50;
  for (unsigned seed = 1; seed <= runs && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    run(seed, kCalls);
  }
}

}  // namespace
