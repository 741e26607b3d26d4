// The sketch's protection domain: its memory, what it may do with it, and the way into it.
//
//   kBase    text, rodata    the kernel image's own pages, read-only for everybody
//            data, bss, heap fresh pages; data copied from the image
//   kStacks  stacks          fresh pages, a guard between any two
//
// The kernel reads a sketch's memory at the sketch's addresses, always after asking memory()
// whether it is the sketch's; what is mapped there stays mapped, so such an access cannot fault.
#pragma once

#include "arduino/cores/aarch64/kernel/user_memory.h"
#include "board_kernel.h"

namespace hocket::domain {

/// Checks and maps the sketch that this image carries; core 0, with the final map in use. Null, or
/// what is wrong.
const char* load();

/// Which one it is: its threads are made in it. After load().
aarch64::Domain domain();

/// The calling core's first context goes on in it.
void enter();

namespace detail {
inline uint64_t data_begin, data_end;  // variables and heap
}
/// An aligned word of `size` bytes, a power of two, that the sketch may write: mostly a variable.
inline bool owns_word(uint64_t address, uint64_t size);

const sketch::Header& header();
const aarch64::UserMemory& memory();
const aarch64::UserStacks& stacks();

inline bool owns_word(uint64_t address, uint64_t size) {
  if ((address & (size - 1)) != 0) return false;
  // The parts begin and end at pages' borders: an aligned word is in one as a whole.
  if (address - detail::data_begin < detail::data_end - detail::data_begin) [[likely]]
    return true;
  return memory().writable(address, size);
}

/// Bytes of a stack that were ever used: its pages were zero.
size_t stack_used(const port::Stack& stack);

/// The calling thread goes on in the sketch, at `entry` with `argument`, on its sketch stack.
[[noreturn]] void run(uint64_t entry, uint64_t argument, const port::Stack& stack);

}  // namespace hocket::domain
