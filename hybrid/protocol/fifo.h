// SPDX-License-Identifier: MIT OR GPL-2.0
// A FIFO between loops and programs of Linux: its writer and its reader, in a window (window.h).
// One header for both: the kernel of the loops (C++) and Linux's module (C).
//
// What is put is a record:
//
//   ring    … | length, 0 (8 bytes) | bytes | up to 7 of filling | length, 0 | …
//               ▲ reader's index                                   ▲ writer's index
//
// Records begin at multiples of 8, and so do their bytes: they are copied by words.
//
// Invariants
// - One writer and one reader. Each keeps its index to itself and publishes a copy on its own line;
//   indices run freely modulo 2^32. Neither waits: a full FIFO refuses, an empty one has nothing.
// - A record is there whole or not at all: the writer's index moves behind it only when it is
//   complete (release), the reader's only when it has been read (acquire).
// - The other side is not believed. A word that it can write is read once into a variable and
//   checked before use; what the own side has published is never read back (but by …_resume). An
//   index or a length that cannot be is counted (`corrupted`): the writer goes on with what it knew,
//   the reader drops what there is. Both publish their own again, so that all goes on once the other
//   side keeps to the protocol. Nothing outside the ring is read or written, and a call takes
//   O(bytes moved) whatever the other side does.
// - What does not get through is counted: `lost` records, `lost_bytes`.
//
// Who sleeps until the other side moves sets `wanted` on its line, then looks once more; who has
// moved looks at `wanted` and tells the other (hocket_fifo_must_tell). Between the store and the
// load of each stands a full fence, so one of them sees the other (tests/spin/fifo.pml).
//
// Context: any; nothing blocks. One caller at a time for each end.
#ifndef HOCKET_HYBRID_PROTOCOL_FIFO_H
#define HOCKET_HYBRID_PROTOCOL_FIFO_H

#include "window.h"

/// What one side knows by itself.
struct hocket_fifo_counts {
  uint32_t done, lost, lost_bytes, corrupted;
};

struct hocket_fifo_writer {
  struct hocket_fifo_line* own;
  const struct hocket_fifo_line* other;
  unsigned char* ring;
  uint32_t index;
  uint32_t seen;  // the reader's index when it was believed last: at most a ring behind `index`
  struct hocket_fifo_counts counts;
};

struct hocket_fifo_reader {
  struct hocket_fifo_line* own;
  const struct hocket_fifo_line* other;
  const unsigned char* ring;
  uint32_t index;   // of the first record that is not read to its end
  uint32_t end;     // the writer's index when it was believed last: at most a ring ahead
  uint32_t length;  // of the record at `index` that was begun, or 0
  uint32_t taken;   // bytes of it
  struct hocket_fifo_counts counts;
};

/// After a put or a get: whether the other side is to be told. A full fence.
static inline bool hocket_fifo_must_tell(const struct hocket_fifo_line* other) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return hocket_fifo_look(&other->wanted) != 0;
}
/// Before sleeping, with `wanted`; look for what is awaited afterwards, then sleep. A full fence.
static inline void hocket_fifo_want(struct hocket_fifo_line* own, bool wanted) {
  hocket_fifo_say(&own->wanted, wanted ? 1 : 0);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// --- Helpers ---

/// What a record of this length takes of the ring.
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

/// Bytes from and to the ring; at most a ring of them, so at most two pieces.
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

/// The writer of a FIFO in a window that was just made.
static inline void hocket_fifo_writer_start(struct hocket_fifo_writer* writer, void* window,
                                            unsigned fifo) {
  struct hocket_fifo_ends* ends = hocket_fifo_ends_of(window, fifo);
  __builtin_memset(writer, 0, sizeof *writer);
  writer->own = &ends->writer;
  writer->other = &ends->reader;
  writer->ring = hocket_fifo_ring_of(window, fifo);
}

/// The writer of a FIFO that had another before: it goes on where that one stopped, so that nothing
/// is lost when a module is loaded again.
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

/// The bytes of the ring that are free for certain, prefixes and filling included.
static inline uint32_t hocket_fifo_free(struct hocket_fifo_writer* writer) {
  const uint32_t head = hocket_fifo_index(writer->other);
  // It goes forward, and not beyond what was written.
  if (head - writer->seen <= writer->index - writer->seen && head % 8 == 0)
    writer->seen = head;
  else
    hocket_fifo_count_corrupted(writer->own, &writer->counts);
  // Who overwrote it learns it again.
  __atomic_store_n(&writer->own->index, writer->index, __ATOMIC_RELEASE);
  return HOCKET_FIFO_RING - (writer->index - writer->seen);
}

/// The longest record that a put takes for certain; 0: none.
static inline uint32_t hocket_fifo_room(struct hocket_fifo_writer* writer) {
  const uint32_t free = hocket_fifo_free(writer);
  return free <= HOCKET_FIFO_PREFIX ? 0 : free - HOCKET_FIFO_PREFIX;
}

/// Puts a record of 1 … HOCKET_FIFO_MOST bytes. False: it has no room, or no such length; nothing
/// of it is there, and it is counted as lost.
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

/// The reader of a FIFO in a window that was just made; and as with writers, of one that had
/// another.
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

/// Goes to `index`, which gives back all before it.
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
      __atomic_store_n(&reader->own->index, reader->index, __ATOMIC_RELEASE);  // as for writers
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

/// Throws away what is left of the next record, which is there.
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

/// Takes up to `size` bytes, out of as many records as it takes.
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

/// Takes the next record whole; its length. 0: there is none, or it is longer than `size` and was
/// thrown away, which is counted. What hocket_fifo_get has left of another is thrown away first.
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

/// Throws away what is there; it is not counted.
static inline void hocket_fifo_clear(struct hocket_fifo_reader* reader) {
  const uint32_t tail = hocket_fifo_index(reader->other) & ~7u;
  reader->end = tail;
  hocket_fifo_reader_move(reader, tail);
}

#endif
