// SPDX-License-Identifier: MIT OR GPL-2.0
// The memory that loops and Linux share: its layout, and the accesses to its words.
//
//   0x0000  header          of the loops' side: what this is, and how often a sketch began
//   0x0040  Linux's word    of Linux's side: how often its module began
//   0x0400  ends            two lines of 64 bytes for each FIFO: its writer's, its reader's
//   0x1000  rings           4 KiB for each FIFO
//
// FIFO 0, 2, 4, 6 go from loops to Linux; 1, 3, 5, 7 from Linux to loops (fifo.h). The loops' side
// makes the window; Linux can write all of it.
#ifndef HOCKET_HYBRID_PROTOCOL_WINDOW_H
#define HOCKET_HYBRID_PROTOCOL_WINDOW_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
#endif

/// Reads once a word that the other side may change at any time. Tests replace it by a version that
/// changes the word afterwards.
#ifndef HOCKET_FIFO_LOAD
#define HOCKET_FIFO_LOAD(word, order) __atomic_load_n(word, order)
#endif

#define HOCKET_FIFO_MAGIC 0x46464b48u  // "HKFF"
#define HOCKET_FIFO_VERSION 1u         // of everything in this header
#define HOCKET_FIFO_WINDOW 0x10000u    // bytes
#define HOCKET_FIFO_COUNT 8u
#define HOCKET_FIFO_RING 4096u  // bytes, a power of two
#define HOCKET_FIFO_RINGS 0x1000u
#define HOCKET_FIFO_ENDS 0x400u
#define HOCKET_FIFO_LINUX 0x40u
#define HOCKET_FIFO_PREFIX 8u
/// The longest record.
#define HOCKET_FIFO_MOST (HOCKET_FIFO_RING - HOCKET_FIFO_PREFIX)

/// Written by the loops' side when it makes the window; `starts` again with each sketch.
struct hocket_fifo_header {
  uint32_t magic, version, count, ring;
  uint32_t starts;
};

/// Written by Linux's side.
struct hocket_fifo_linux {
  uint32_t starts;  // of its module
};

/// What one side of a FIFO tells the other; a cache line of its own.
struct hocket_fifo_line {
  uint32_t index;       // index of the next byte to write, or to read
  uint32_t wanted;      // not 0: this side wants to be told when the other's index moves
  uint32_t open;        // not 0: this end is open
  uint32_t done;        // records put, or got
  uint32_t lost;        // records refused, or discarded
  uint32_t lost_bytes;  // in them
  uint32_t corrupted;   // how often the other side wrote impossible values
  uint32_t unused[9];
};

struct hocket_fifo_ends {
  struct hocket_fifo_line writer, reader;
};

// --- Words of the window ---

static inline uint32_t hocket_fifo_look(const uint32_t* word) {
  return HOCKET_FIFO_LOAD(word, __ATOMIC_RELAXED);
}
static inline uint32_t hocket_fifo_index(const struct hocket_fifo_line* line) {
  return HOCKET_FIFO_LOAD(&line->index, __ATOMIC_ACQUIRE);
}
static inline void hocket_fifo_say(uint32_t* word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline struct hocket_fifo_ends* hocket_fifo_ends_of(void* window, unsigned fifo) {
  return (struct hocket_fifo_ends*)((char*)window + HOCKET_FIFO_ENDS) + fifo % HOCKET_FIFO_COUNT;
}
static inline unsigned char* hocket_fifo_ring_of(void* window, unsigned fifo) {
  return (unsigned char*)window + HOCKET_FIFO_RINGS + fifo % HOCKET_FIFO_COUNT * HOCKET_FIFO_RING;
}
static inline struct hocket_fifo_linux* hocket_fifo_linux_of(void* window) {
  return (struct hocket_fifo_linux*)((char*)window + HOCKET_FIFO_LINUX);
}
/// The direction of a FIFO.
static inline bool hocket_fifo_to_linux(unsigned fifo) {
  return fifo % 2 == 0;
}

/// Writes the header. By the loops' side; again before another Linux starts, because the former one
/// may have overwritten it.
static inline void hocket_fifo_title(void* window, uint32_t starts) {
  struct hocket_fifo_header* header = (struct hocket_fifo_header*)window;
  hocket_fifo_say(&header->version, HOCKET_FIFO_VERSION);
  hocket_fifo_say(&header->count, HOCKET_FIFO_COUNT);
  hocket_fifo_say(&header->ring, HOCKET_FIFO_RING);
  hocket_fifo_say(&header->starts, starts);
  __atomic_store_n(&header->magic, HOCKET_FIFO_MAGIC, __ATOMIC_RELEASE);
}

/// Creates an empty window in memory aligned to 64 bytes. By the loops' side, before Linux reads
/// it. O(window).
static inline void hocket_fifo_format(void* window) {
  __builtin_memset(window, 0, HOCKET_FIFO_WINDOW);
  hocket_fifo_title(window, 1);
}

enum hocket_fifo_window_state {
  HOCKET_FIFO_WINDOW_READY,
  HOCKET_FIFO_WINDOW_EMPTY,   // not created (yet)
  HOCKET_FIFO_WINDOW_FOREIGN  // created by a kernel with another version
};

/// Linux's side: whether the window is one that this header describes.
static inline enum hocket_fifo_window_state hocket_fifo_examine(const void* window) {
  const struct hocket_fifo_header* header = (const struct hocket_fifo_header*)window;
  if (HOCKET_FIFO_LOAD(&header->magic, __ATOMIC_ACQUIRE) != HOCKET_FIFO_MAGIC)
    return HOCKET_FIFO_WINDOW_EMPTY;
  if (hocket_fifo_look(&header->version) != HOCKET_FIFO_VERSION ||
      hocket_fifo_look(&header->count) != HOCKET_FIFO_COUNT ||
      hocket_fifo_look(&header->ring) != HOCKET_FIFO_RING)
    return HOCKET_FIFO_WINDOW_FOREIGN;
  return HOCKET_FIFO_WINDOW_READY;
}

#endif
