// A sketch's protection domain: its memory, its rights, and the way into it.
//
//   kBase    text, rodata    the kernel image's own pages, read-only at every level
//            data, bss, heap fresh pages; data copied from the image
//   kStacks  stacks          fresh pages, a guard page between any two
//
// The kernel reads a sketch's memory at the sketch's addresses, always after memory() has confirmed
// that it belongs to the sketch. What is mapped there stays mapped, so such an access cannot fault.
#pragma once

#include "arduino/cores/protected/kernel/check.h"
#include "arduino/cores/protected/kernel/user_memory.h"
#include "arduino/runtime/sketch.h"
#include "processor.h"

namespace hocket {

class Domain : public runtime::Program {
 public:
  Domain();  // Out of line: constructed at run time, like a Sketch.

  /// Checks and maps the sketch of an image. On core 0, with the final map in use. Returns null, or
  /// a sentence that says what is wrong.
  const char* load(const char* begin, const char* end);

  /// The domain in which its threads are created. After load().
  Processor::Port<machine::Board>::Domain own() const { return space_.domain(); }

  /// Makes the sketch visible to the calling core.
  void enter() const;

  /// The domain of the running thread.
  static Domain& current() { return static_cast<Domain&>(runtime::current_sketch().program()); }

  /// Whether this is an aligned word of `size` bytes (a power of two) that the sketch may write.
  /// Fast for variables.
  bool owns_word(uint64_t address, uint64_t size) const {
    if ((address & (size - 1)) != 0) return false;
    // The parts begin and end at page borders, so an aligned word lies in one part as a whole.
    if (address - data_begin_ < data_end_ - data_begin_) [[likely]]
      return true;
    return memory().writable(address, size);
  }

  const sketch::Header& header() const { return *header_; }
  const sketch::UserMemory& memory() const {
    return *reinterpret_cast<const sketch::UserMemory*>(memory_room_);  // SAFETY: since load()
  }
  const sketch::UserStacks& stacks() const { return stacks_; }

  /// Allocates a stack of the sketch, mapped with guard pages. Null when memory is exhausted.
  port::Stack allocate_stack(size_t bytes);

  /// Continues the calling thread in the sketch, at `entry` with `argument`, on its sketch stack.
  [[noreturn]] void run(uint64_t entry, uint64_t argument, const port::Stack& stack) const;

  /// The address of the thread-local variables for this stack, which lie above it. Below them is
  /// the record of locks (lock_record.h), and then the stack.
  uint64_t storage_of(const port::Stack& stack) const {
    return sketch::page_up(reinterpret_cast<uint64_t>(stack.base) + stack.size) -
           ((header_->tls_size + 15) & ~uint64_t{15});
  }

  /// Bytes of a stack that were ever used. Its pages were zero at first.
  static size_t stack_used(const port::Stack& stack);

 private:
  bool share_part(const char* image, uint64_t begin, uint64_t end, bool execute);
  bool make_data(const char* image, const sketch::Header& h);

  uint64_t data_begin_ = 0, data_end_ = 0;  // variables and heap
  const sketch::Header* header_ = nullptr;
  alignas(sketch::UserMemory) unsigned char memory_room_[sizeof(sketch::UserMemory)] = {};
  Processor::UserSpace space_;
  sketch::UserStacks stacks_;
};

}  // namespace hocket
