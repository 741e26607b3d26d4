// ATOMIC_BLOCK() as in avr-libc: no pin handler begins while the block runs. On AVR this is the
// chip's own header.
//
// Other loops are scheduled as usual. So a block protects data that handlers share with a loop, but
// not data that two loops share (docs/reference/sharing.md). Blocks may be nested: the end of the
// outermost one ends the section. Inside noInterrupts() … interrupts() no block is needed, and
// ATOMIC_RESTORESTATE would end the section that noInterrupts() has begun.
#pragma once

#ifdef __AVR__
#include_next <util/atomic.h>
#else

#include "../../api/Interrupts.h"

#ifdef __cplusplus

namespace hocket::atomic {

/// How many blocks of the calling loop are open. Thread-local, so one counter for each loop.
inline thread_local unsigned depth = 0;

class Block {
 public:
  Block() {
    if (depth++ == 0) noInterrupts();
  }
  ~Block() {
    if (--depth == 0) interrupts();
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  explicit operator bool() const { return once_; }
  void done() { once_ = false; }

 private:
  bool once_ = true;
};

}  // namespace hocket::atomic

#define ATOMIC_RESTORESTATE
#define ATOMIC_FORCEON
#define ATOMIC_BLOCK(type) \
  for (::hocket::atomic::Block hocket_block_; hocket_block_; hocket_block_.done())

#endif

#endif
