// SPDX-License-Identifier: MIT OR GPL-2.0
// A FIFO between loops and programs of Linux: its writer and its reader, in a window (window.h).
// One header for both: the kernel of the loops (C++) and Linux's module (C).
//
// The ring holds records:
//
//   ring    … | length, 0 (8 bytes) | bytes | up to 7 of filling | length, 0 | …
//               ▲ reader's index                                   ▲ writer's index
//
// Records begin at multiples of 8, and so do their bytes: they are copied by words.
//
// Invariants
// - One writer and one reader. Each keeps its index to itself and publishes a copy on its own line;
//   indices run freely modulo 2^32. Neither waits: a full FIFO refuses, an empty one has nothing.
// - A record is visible whole or not at all: the writer's index moves past it only when it is
//   complete (release), the reader's only when it has been read (acquire).
// - The other side is not trusted. A word that it can write is read once into a variable and
// checked
//   before use. A side never reads back what it has published itself (except in …_resume). An
//   impossible index or length is counted (`corrupted`): the writer continues with the last good
//   value, and the reader drops all records. Both publish their own index again, so that transfers
//   resume once the other side follows the protocol. Nothing outside the ring is read or written,
//   and a call takes O(bytes moved) whatever the other side does.
// - Records that do not get through are counted: `lost`, `lost_bytes`.
//
// A side that wants to sleep until the other side moves sets `wanted` on its line, then looks once
// more. A side that has moved reads `wanted` and tells the other (hocket_fifo_must_tell). Each has
// a full fence between its store and its load, so at least one sees the other
// (tests/spin/fifo.pml).
//
// Context: any; nothing blocks. One caller at a time for each end.
#ifndef HOCKET_HYBRID_PROTOCOL_FIFO_H
#define HOCKET_HYBRID_PROTOCOL_FIFO_H

#include "window.h"

/// One side's own counts.
struct hocket_fifo_counts {
  uint32_t done, lost, lost_bytes, corrupted;
};

struct hocket_fifo_writer {
  struct hocket_fifo_line* own;
  const struct hocket_fifo_line* other;
  unsigned char* ring;
  uint32_t index;
  uint32_t seen;  // the last good index of the reader: at most a ring behind `index`
  struct hocket_fifo_counts counts;
};

struct hocket_fifo_reader {
  struct hocket_fifo_line* own;
  const struct hocket_fifo_line* other;
  const unsigned char* ring;
  uint32_t index;   // of the first record that is not completely read
  uint32_t end;     // the last good index of the writer: at most a ring ahead
  uint32_t length;  // of the record at `index` if it is partly read, or 0
  uint32_t taken;   // bytes of it that were read
  struct hocket_fifo_counts counts;
};

/// After a put or a get: whether the other side must be told. A full fence.
static inline bool hocket_fifo_must_tell(const struct hocket_fifo_line* other) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return hocket_fifo_look(&other->wanted) != 0;
}
/// Call before sleeping, with `wanted` true; then check the condition again, then sleep. Full
/// fence.
static inline void hocket_fifo_want(struct hocket_fifo_line* own, bool wanted) {
  hocket_fifo_say(&own->wanted, wanted ? 1 : 0);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// --- Helpers ---

/// The bytes of the ring that a record of this length takes.
static inline uint32_t hocket_fifo_whole(uint32_t length) {
  return HOCKET_FIFO_PREFIX + ((length + 7u) & ~7u);
}
static inline void hocket_fifo_tell_counts(struct hocket_fifo_line* own,
                                           const struct hocket_fifo_counts* counts) {
  hocket_fifo_say(&own->done, counts->done);
  hocket_fifo_say(&own->lost, counts->lost);
  hocket_fifo_say(&own->lost_bytes, counts->lost_bytes);
  hocket_fifo_say(&own->corrupted, counts->corrupted);
}
static inline void hocket_fifo_count_lost(struct hocket_fifo_line* own,
                                          struct hocket_fifo_counts* counts, uint32_t bytes) {
  ++counts->lost;
  counts->lost_bytes += bytes;
  hocket_fifo_tell_counts(own, counts);
}
static inline void hocket_fifo_count_corrupted(struct hocket_fifo_line* own,
                                               struct hocket_fifo_counts* counts) {
  ++counts->corrupted;
  hocket_fifo_tell_counts(own, counts);
}

/// Copies bytes into and out of the ring; at most a ring of them, so at most two pieces.
static inline void hocket_fifo_copy_in(unsigned char* ring, uint32_t index, const void* data,
                                       uint32_t bytes) {
  const uint32_t at = index % HOCKET_FIFO_RING;
  const uint32_t first = bytes < HOCKET_FIFO_RING - at ? bytes : HOCKET_FIFO_RING - at;
  __builtin_memcpy(ring + at, data, first);
  if (first < bytes) __builtin_memcpy(ring, (const unsigned char*)data + first, bytes - first);
}
static inline void hocket_fifo_copy_out(const unsigned char* ring, uint32_t index, void* buffer,
                                        uint32_t bytes) {
  const uint32_t at = index % HOCKET_FIFO_RING;
  const uint32_t first = bytes < HOCKET_FIFO_RING - at ? bytes : HOCKET_FIFO_RING - at;
  __builtin_memcpy(buffer, ring + at, first);
  if (first < bytes) __builtin_memcpy((unsigned char*)buffer + first, ring, bytes - first);
}

// --- The writer ---

/// Starts the writer of a FIFO in a new window.
static inline void hocket_fifo_writer_start(struct hocket_fifo_writer* writer, void* window,
                                            unsigned fifo) {
  struct hocket_fifo_ends* ends = hocket_fifo_ends_of(window, fifo);
  __builtin_memset(writer, 0, sizeof *writer);
  writer->own = &ends->writer;
  writer->other = &ends->reader;
  writer->ring = hocket_fifo_ring_of(window, fifo);
}

/// Starts the writer of a FIFO that had another one: continues where that one stopped, so that
/// nothing is lost when a module is reloaded.
static inline void hocket_fifo_writer_resume(struct hocket_fifo_writer* writer, void* window,
                                             unsigned fifo) {
  hocket_fifo_writer_start(writer, window, fifo);
  writer->seen = hocket_fifo_index(writer->other) & ~7u;
  writer->index = hocket_fifo_look(&writer->own->index);
  if (writer->index - writer->seen > HOCKET_FIFO_RING || writer->index % 8 != 0)
    writer->index = writer->seen;
  hocket_fifo_say(&writer->own->wanted, 0);
  hocket_fifo_tell_counts(writer->own, &writer->counts);
  __atomic_store_n(&writer->own->index, writer->index, __ATOMIC_RELEASE);
}

/// The bytes of the ring that are certainly free, including prefixes and filling.
static inline uint32_t hocket_fifo_free(struct hocket_fifo_writer* writer) {
  const uint32_t head = hocket_fifo_index(writer->other);
  // The index must have moved forward, and not beyond what was written.
  if (head - writer->seen <= writer->index - writer->seen && head % 8 == 0)
    writer->seen = head;
  else
    hocket_fifo_count_corrupted(writer->own, &writer->counts);
  // If the other side has overwritten our index, publish it again.
  __atomic_store_n(&writer->own->index, writer->index, __ATOMIC_RELEASE);
  return HOCKET_FIFO_RING - (writer->index - writer->seen);
}

/// The longest record that a put is certain to take; 0: none.
static inline uint32_t hocket_fifo_room(struct hocket_fifo_writer* writer) {
  const uint32_t free = hocket_fifo_free(writer);
  return free <= HOCKET_FIFO_PREFIX ? 0 : free - HOCKET_FIFO_PREFIX;
}

/// Puts a record of 1 … HOCKET_FIFO_MOST bytes. Returns false if there is no room or the length is
/// illegal; then nothing is stored, and the record is counted as lost.
static inline bool hocket_fifo_put(struct hocket_fifo_writer* writer, const void* data,
                                   uint32_t bytes) {
  const uint32_t whole = hocket_fifo_whole(bytes);
  const uint32_t index = writer->index;
  if (bytes == 0 || bytes > HOCKET_FIFO_MOST ||
      (whole > HOCKET_FIFO_RING - (index - writer->seen) && whole > hocket_fifo_free(writer))) {
    hocket_fifo_count_lost(writer->own, &writer->counts, bytes);
    return false;
  }
  // Prefixes stand at multiples of 8, so none lies across the end.
  hocket_fifo_say((uint32_t*)(writer->ring + index % HOCKET_FIFO_RING), bytes);
  hocket_fifo_copy_in(writer->ring, index + HOCKET_FIFO_PREFIX, data, bytes);
  writer->index = index + whole;
  hocket_fifo_say(&writer->own->done, ++writer->counts.done);
  __atomic_store_n(&writer->own->index, writer->index, __ATOMIC_RELEASE);
  return true;
}

// --- The reader ---

/// Starts the reader of a FIFO in a new window; below, of one that had another reader.
static inline void hocket_fifo_reader_start(struct hocket_fifo_reader* reader, void* window,
                                            unsigned fifo) {
  struct hocket_fifo_ends* ends = hocket_fifo_ends_of(window, fifo);
  __builtin_memset(reader, 0, sizeof *reader);
  reader->own = &ends->reader;
  reader->other = &ends->writer;
  reader->ring = hocket_fifo_ring_of(window, fifo);
}
static inline void hocket_fifo_reader_resume(struct hocket_fifo_reader* reader, void* window,
                                             unsigned fifo) {
  uint32_t tail;
  hocket_fifo_reader_start(reader, window, fifo);
  tail = hocket_fifo_index(reader->other) & ~7u;
  reader->index = hocket_fifo_look(&reader->own->index);
  if (tail - reader->index > HOCKET_FIFO_RING || reader->index % 8 != 0) reader->index = tail;
  reader->end = tail;
  hocket_fifo_say(&reader->own->wanted, 0);
  hocket_fifo_tell_counts(reader->own, &reader->counts);
  __atomic_store_n(&reader->own->index, reader->index, __ATOMIC_RELEASE);
}

/// Moves to `index`, which frees all before it.
static inline void hocket_fifo_reader_move(struct hocket_fifo_reader* reader, uint32_t index) {
  reader->index = index;
  reader->length = reader->taken = 0;
  __atomic_store_n(&reader->own->index, index, __ATOMIC_RELEASE);
}

/// The bytes of the next record that have not been taken; 0: there is none.
static inline uint32_t hocket_fifo_next(struct hocket_fifo_reader* reader) {
  uint32_t length;
  if (reader->length != 0) return reader->length - reader->taken;
  if (reader->index == reader->end) {
    const uint32_t tail = hocket_fifo_index(reader->other);
    if ((tail & ~7u) == reader->index) {
      __atomic_store_n(&reader->own->index, reader->index, __ATOMIC_RELEASE);  // as in the writer
      return 0;
    }
    reader->end = tail & ~7u;
    if (tail - reader->index > HOCKET_FIFO_RING || tail % 8 != 0) {
      hocket_fifo_count_corrupted(reader->own, &reader->counts);
      hocket_fifo_reader_move(reader, reader->end);
      return 0;
    }
  }
  length = hocket_fifo_look((const uint32_t*)(reader->ring + reader->index % HOCKET_FIFO_RING));
  if (length == 0 || length > HOCKET_FIFO_MOST ||
      hocket_fifo_whole(length) > reader->end - reader->index) {
    hocket_fifo_count_corrupted(reader->own, &reader->counts);
    hocket_fifo_reader_move(reader, reader->end);
    return 0;
  }
  reader->length = length;
  return length;
}

/// Discards the rest of the next record, which must exist.
static inline void hocket_fifo_drop(struct hocket_fifo_reader* reader) {
  hocket_fifo_count_lost(reader->own, &reader->counts, reader->length - reader->taken);
  hocket_fifo_reader_move(reader, reader->index + hocket_fifo_whole(reader->length));
}

/// Takes up to `size` bytes of the next record, not beyond its end. 0: there is none.
static inline uint32_t hocket_fifo_get_piece(struct hocket_fifo_reader* reader, void* buffer,
                                             uint32_t size) {
  const uint32_t left = hocket_fifo_next(reader);
  const uint32_t bytes = left < size ? left : size;
  if (bytes == 0) return 0;
  hocket_fifo_copy_out(reader->ring, reader->index + HOCKET_FIFO_PREFIX + reader->taken, buffer,
                       bytes);
  reader->taken += bytes;
  if (bytes == left) {
    hocket_fifo_say(&reader->own->done, ++reader->counts.done);
    hocket_fifo_reader_move(reader, reader->index + hocket_fifo_whole(reader->length));
  }
  return bytes;
}

/// Takes up to `size` bytes, from as many records as needed.
static inline uint32_t hocket_fifo_get(struct hocket_fifo_reader* reader, void* buffer,
                                       uint32_t size) {
  uint32_t got = 0;
  while (got < size) {
    const uint32_t bytes = hocket_fifo_get_piece(reader, (unsigned char*)buffer + got, size - got);
    if (bytes == 0) break;
    got += bytes;
  }
  return got;
}

/// Takes the next record whole and returns its length. 0: there is none, or it was longer than
/// `size` and was discarded, which is counted. First discards what hocket_fifo_get has left of
/// another.
static inline uint32_t hocket_fifo_get_record(struct hocket_fifo_reader* reader, void* buffer,
                                              uint32_t size) {
  uint32_t length;
  if (reader->taken != 0) hocket_fifo_drop(reader);
  length = hocket_fifo_next(reader);
  if (length == 0) return 0;
  if (length > size) {
    hocket_fifo_drop(reader);
    return 0;
  }
  return hocket_fifo_get_piece(reader, buffer, length);
}

/// Discards all records without counting them.
static inline void hocket_fifo_clear(struct hocket_fifo_reader* reader) {
  const uint32_t tail = hocket_fifo_index(reader->other) & ~7u;
  reader->end = tail;
  hocket_fifo_reader_move(reader, tail);
}

#endif
