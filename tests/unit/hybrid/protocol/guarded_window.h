// A window of FIFOs between two pages that nobody may touch: what reads or writes outside it ends
// the test.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "hybrid/protocol/fifo.h"

namespace fifo_test {

/// `size` bytes of memory that end where a forbidden page begins, and begin behind one if they fill
/// their pages.
class Guarded {
 public:
  explicit Guarded(size_t size) : pages_((size + kPage - 1) / kPage * kPage), size_(size) {
    map_ = static_cast<unsigned char*>(
        mmap(nullptr, pages_ + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (map_ == MAP_FAILED || mprotect(map_ + kPage, pages_, PROT_READ | PROT_WRITE) != 0) abort();
  }
  ~Guarded() { munmap(map_, pages_ + 2 * kPage); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  unsigned char* data() { return map_ + kPage + pages_ - size_; }
  /// Its last `bytes` bytes: what writes one more ends the test.
  unsigned char* last(size_t bytes) { return data() + size_ - bytes; }

 private:
  static constexpr size_t kPage = 4096;
  size_t pages_, size_;
  unsigned char* map_;
};

struct Window : Guarded {
  Window() : Guarded(HOCKET_FIFO_WINDOW) { hocket_fifo_format(data()); }
  hocket_fifo_ends& ends(unsigned fifo) { return *hocket_fifo_ends_of(data(), fifo); }
};

/// Both ends of one FIFO of a fresh window.
struct Pair {
  explicit Pair(unsigned number = 0) : fifo(number) {
    hocket_fifo_writer_start(&writer, window.data(), fifo);
    hocket_fifo_reader_start(&reader, window.data(), fifo);
  }
  hocket_fifo_ends& ends() { return window.ends(fifo); }

  unsigned fifo;
  Window window;
  hocket_fifo_writer writer;
  hocket_fifo_reader reader;
};

}  // namespace fifo_test
