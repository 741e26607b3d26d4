// The loops' side of all FIFOs: what system calls do, over the protocol's ends.
//
// Invariants
// - No call waits, neither for Linux nor for another loop. One call at a time uses an end: another
//   one is refused and counted as lost (one loop on each end).
// - Without a window there is no Linux beside: puts are refused and counted, and nothing arrives.
// - A Linux program that asked for a notification gets one per call, after the call.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "hybrid/protocol/fifo.h"
#include "kernel/base/atomic.h"

namespace hocket::hybrid {

/// What a get takes.
enum class Take : uint8_t {
  Bytes,   // as many bytes as fit, from as many records as needed
  Record,  // the next record, whole; discarded if it does not fit
  Exactly  // the next record if it has that length; otherwise discarded
};

struct FifoFacts {
  bool is_open;        // Linux says that a program has opened the other end
  uint32_t available;  // bytes of the next record that are not read yet
  uint32_t room;       // the longest record that is certain to fit
  hocket_fifo_counts counts;
};

class Fifos {
 public:
  /// Raises Linux's interrupt. Context: that of the call that moved something.
  using Tell = void (*)();

  constexpr Fifos() = default;
  Fifos(const Fifos&) = delete;
  Fifos& operator=(const Fifos&) = delete;

  /// Creates the window, before Linux or a loop runs. O(window).
  void open(void* window, Tell tell) {
    hocket_fifo_format(window);
    attach(window, tell);
  }
  /// The same with an existing window into which the loops have put nothing.
  void attach(void* window, Tell tell) {
    for (unsigned fifo = 0; fifo < HOCKET_FIFO_COUNT; ++fifo) {
      if (hocket_fifo_to_linux(fifo)) {
        hocket_fifo_writer_start(&ends_[fifo].writer, window, fifo);
      } else {
        hocket_fifo_reader_start(&ends_[fifo].reader, window, fifo);
      }
    }
    starts_ = 1;
    tell_ = tell;
    window_ = window;
  }
  bool has_neighbour() const { return window_ != nullptr; }

  /// The sketch was restarted: drops what Linux has sent to the former one, whose calls may have
  /// been cut off. Before a loop runs.
  void sketch_begins() {
    for (End& end : ends_) end.busy.store(false, order::relaxed);
    if (!has_neighbour()) return;
    auto& header = *static_cast<hocket_fifo_header*>(window_);
    hocket_fifo_say(&header.starts, ++starts_);
    for (unsigned fifo = 1; fifo < HOCKET_FIFO_COUNT; fifo += 2) {
      hocket_fifo_clear(&ends_[fifo].reader);
    }
  }

  /// Another Linux starts after the former has ended: no FIFO is open at its end. Records stay.
  void linux_begins() {
    if (!has_neighbour()) return;
    hocket_fifo_title(window_, starts_);
    for (unsigned fifo = 0; fifo < HOCKET_FIFO_COUNT; ++fifo) {
      hocket_fifo_ends& ends = *hocket_fifo_ends_of(window_, fifo);
      hocket_fifo_line& theirs = hocket_fifo_to_linux(fifo) ? ends.reader : ends.writer;
      hocket_fifo_say(&theirs.open, 0);
      hocket_fifo_say(&theirs.wanted, 0);
    }
  }

  /// Puts a record into FIFO 0, 2, 4 or 6. Returns false if it was refused, which is counted.
  /// Context: threads and interrupts; never blocks; O(size), at most 4 KiB.
  bool put(unsigned fifo, const void* data, size_t size) {
    End& end = ends_[fifo];
    const uint32_t bytes = size < UINT32_MAX ? static_cast<uint32_t>(size) : UINT32_MAX;
    if (!has_neighbour() || end.busy.exchange(true, order::acquire)) {
      end.collided.fetch_add(1, order::relaxed);
      end.collided_bytes.fetch_add(bytes, order::relaxed);
      return false;
    }
    const bool taken = hocket_fifo_put(&end.writer, data, bytes);
    const bool wanted = taken && hocket_fifo_must_tell(end.writer.other);
    end.busy.store(false, order::release);
    if (wanted) tell_();
    return taken;
  }

  /// Takes up to `size` bytes from FIFO 1, 3, 5 or 7 and returns how many. Context and bound as
  /// put().
  size_t get(unsigned fifo, void* buffer, size_t size, Take take) {
    End& end = ends_[fifo];
    if (!has_neighbour() || end.busy.exchange(true, order::acquire)) return 0;
    const uint32_t most = size < HOCKET_FIFO_RING ? static_cast<uint32_t>(size) : HOCKET_FIFO_RING;
    const uint32_t before = end.reader.index;
    const uint32_t got = get_some(end.reader, buffer, most, take);
    const bool wanted = end.reader.index != before && hocket_fifo_must_tell(end.reader.other);
    end.busy.store(false, order::release);
    if (wanted) tell_();
    return got;
  }

  /// Context as put(); O(1). During another call: the state from before it.
  FifoFacts facts(unsigned fifo) {
    End& end = ends_[fifo];
    FifoFacts found{};
    const bool out = hocket_fifo_to_linux(fifo);
    if (has_neighbour() && !end.busy.exchange(true, order::acquire)) {
      if (out) {
        found.room = hocket_fifo_room(&end.writer);
      } else {
        found.available = hocket_fifo_next(&end.reader);
      }
      found.is_open = hocket_fifo_look(&(out ? end.writer.other : end.reader.other)->open) != 0;
      end.busy.store(false, order::release);
    }
    found.counts = out ? end.writer.counts : end.reader.counts;
    found.counts.lost += end.collided.load(order::relaxed);
    found.counts.lost_bytes += end.collided_bytes.load(order::relaxed);
    return found;
  }

 private:
  struct End {
    Atomic<bool> busy;
    Atomic<uint32_t> collided, collided_bytes;  // refused because another call was in progress
    union {
      hocket_fifo_writer writer = {};
      hocket_fifo_reader reader;
    };
  };

  static uint32_t get_some(hocket_fifo_reader& reader, void* buffer, uint32_t size, Take take) {
    if (take == Take::Bytes) return hocket_fifo_get(&reader, buffer, size);
    if (take == Take::Exactly && reader.taken == 0) {
      const uint32_t length = hocket_fifo_next(&reader);
      if (length != 0 && length != size) {
        hocket_fifo_drop(&reader);
        return 0;
      }
    }
    return hocket_fifo_get_record(&reader, buffer, size);
  }

  void* window_ = nullptr;
  Tell tell_ = nullptr;
  uint32_t starts_ = 0;
  End ends_[HOCKET_FIFO_COUNT];
};

}  // namespace hocket::hybrid
