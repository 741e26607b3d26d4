// ATOMIC_BLOCK() as in avr-libc: no handler of a pin begins while the block runs; the chip's own
// header on AVR.
//
// Other loops go on being scheduled, so it protects what handlers share with a loop, and nothing
// that two loops share (docs/reference/sharing.md). Blocks may be nested: the outermost one ends
// it. Inside noInterrupts() … interrupts() there is no need for one, and ATOMIC_RESTORESTATE ends
// what those have begun.
#pragma once

#ifdef __AVR__
#include_next <util/atomic.h>
#else

#include "../../api/Interrupts.h"

#ifdef __cplusplus

namespace hocket::atomic {

/// How many blocks of this loop are open. One for each loop: thread-local.
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
