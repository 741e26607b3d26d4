// Stress of the FIFOs between loops and Linux on host threads: one thread each side.
//
// As in comms_stress.cpp: the checks are of order and content, every loop is bounded, each side
// gives the processor away while it waits, and the runs are made with and without ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "hybrid/protocol/fifo.h"

namespace {

constexpr uint32_t kRecords = 300'000;

/// A record of 8 … 8 + 63 bytes that all follow from its number.
struct Record {
  uint32_t number, inverse;
  unsigned char filling[63];

  static uint32_t length(uint32_t number) { return 8 + number * 2'654'435'761u % 64; }
  static Record of(uint32_t number) {
    Record record{.number = number, .inverse = ~number, .filling = {}};
    std::memset(record.filling, static_cast<int>(number & 0xff), sizeof record.filling);
    return record;
  }
  bool whole(uint32_t bytes) const {
    if (inverse != ~number || bytes != length(number)) return false;
    for (uint32_t i = 0; i < bytes - 8; ++i) {
      if (filling[i] != (number & 0xff)) return false;
    }
    return true;
  }
};

struct Window {
  alignas(4096) unsigned char bytes[HOCKET_FIFO_WINDOW];
};

TEST(FifoStress, RecordsAreWholeAndInOrderAndWhatIsRefusedIsCounted) {
  static Window window;
  hocket_fifo_format(window.bytes);
  uint32_t refused = 0, wrong = 0, miscounted = 0, got = 0;
  std::atomic<bool> done{false};  // relaxed: orders nothing
  std::thread reader([&] {
    hocket_fifo_reader end;
    hocket_fifo_reader_resume(&end, window.bytes, 0);
    uint32_t expected = 0;
    while (expected < kRecords && wrong < 100) {
      Record record{};
      const uint32_t bytes = hocket_fifo_get_record(&end, &record, sizeof record);
      if (bytes == 0) {
        std::this_thread::yield();
        continue;
      }
      wrong += record.number != expected || !record.whole(bytes) ? 1 : 0;
      expected = record.number + 1;
      ++got;
    }
    wrong += end.counts.corrupted + end.counts.lost;
    done.store(true, std::memory_order_relaxed);
  });
  std::thread writer([&] {
    hocket_fifo_writer end;
    hocket_fifo_writer_start(&end, window.bytes, 0);
    for (uint32_t number = 0; number < kRecords && !done.load(std::memory_order_relaxed);) {
      const Record record = Record::of(number);
      if (hocket_fifo_put(&end, &record, Record::length(number))) {
        ++number;
      } else {
        ++refused;
        std::this_thread::yield();
      }
    }
    miscounted += end.counts.lost != refused || end.counts.corrupted != 0 ? 1 : 0;
  });
  writer.join();
  reader.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(miscounted, 0u);
  EXPECT_EQ(got, kRecords);
}

/// A reader that sleeps until it is told is told of the last record, too. The interrupt is a count
/// that the writer raises and the reader waits for.
TEST(FifoStress, WhoWantsToBeToldIsTold) {
  static Window window;
  hocket_fifo_format(window.bytes);
  std::atomic<uint32_t> told{0};
  uint32_t got = 0, sleeps = 0;
  std::thread reader([&] {
    hocket_fifo_reader end;
    hocket_fifo_reader_resume(&end, window.bytes, 0);
    uint32_t number = 0;
    while (got < kRecords) {
      if (hocket_fifo_get_record(&end, &number, sizeof number) != 0) {
        ++got;
        continue;
      }
      const uint32_t before = told.load();
      hocket_fifo_want(end.own, true);
      if (hocket_fifo_next(&end) == 0) {
        told.wait(before);
        ++sleeps;
      }
      hocket_fifo_want(end.own, false);
    }
  });
  std::thread writer([&] {
    hocket_fifo_writer end;
    hocket_fifo_writer_start(&end, window.bytes, 0);
    for (uint32_t number = 0; number < kRecords;) {
      if (!hocket_fifo_put(&end, &number, sizeof number)) {
        std::this_thread::yield();
        continue;
      }
      ++number;
      if (hocket_fifo_must_tell(end.other)) {
        told.fetch_add(1);
        told.notify_one();
      }
    }
  });
  writer.join();
  reader.join();
  EXPECT_EQ(got, kRecords);
  RecordProperty("sleeps", std::to_string(sleeps));
}

}  // namespace
