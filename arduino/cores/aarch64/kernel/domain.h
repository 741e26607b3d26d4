// A sketch's protection domain: its memory, what it may do with it, and the way into it.
//
//   kBase    text, rodata    the kernel image's own pages, read-only for everybody
//            data, bss, heap fresh pages; data copied from the image
//   kStacks  stacks          fresh pages, a guard between any two
//
// The kernel reads a sketch's memory at the sketch's addresses, always after asking memory()
// whether it is the sketch's; what is mapped there stays mapped, so such an access cannot fault.
#pragma once

#include "arduino/cores/aarch64/kernel/check.h"
#include "arduino/cores/aarch64/kernel/user_memory.h"
#include "arduino/runtime/sketch.h"
#include "ports/aarch64/page_table.h"

namespace hocket {

class Domain : public runtime::Program {
 public:
  Domain();  // at run time, as a sketch

  /// Checks and maps the sketch of an image; core 0, with the final map in use. Null, or what is
  /// wrong.
  const char* load(const char* begin, const char* end);

  /// What its threads are made in. After load().
  aarch64::Domain own() const;

  /// The sketch becomes visible to the calling core.
  void enter() const;

  /// That of the running thread.
  static Domain& current() { return static_cast<Domain&>(runtime::current_sketch().program()); }

  /// An aligned word of `size` bytes, a power of two, that the sketch may write: mostly a variable.
  bool owns_word(uint64_t address, uint64_t size) const {
    if ((address & (size - 1)) != 0) return false;
    // The parts begin and end at pages' borders: an aligned word is in one as a whole.
    if (address - data_begin_ < data_end_ - data_begin_) [[likely]]
      return true;
    return memory().writable(address, size);
  }

  const sketch::Header& header() const { return *header_; }
  const aarch64::UserMemory& memory() const {
    return *reinterpret_cast<const aarch64::UserMemory*>(memory_room_);  // SAFETY: since load()
  }
  const aarch64::UserStacks& stacks() const { return stacks_; }

  /// Memory for a stack of the sketch, mapped for it with guards around. Null when there is none.
  port::Stack allocate_stack(size_t bytes);

  /// The calling thread goes on in the sketch, at `entry` with `argument`, on its sketch stack.
  [[noreturn]] void run(uint64_t entry, uint64_t argument, const port::Stack& stack) const;

  /// Where the variables of who runs on this stack lie, above it; below them the record of its
  /// locks (lock_record.h), and then the stack.
  uint64_t storage_of(const port::Stack& stack) const {
    return sketch::page_up(reinterpret_cast<uint64_t>(stack.base) + stack.size) -
           ((header_->tls_size + 15) & ~uint64_t{15});
  }

  /// Bytes of a stack that were ever used: its pages were zero.
  static size_t stack_used(const port::Stack& stack);

 private:
  bool map(uint64_t address, uint64_t physical, uint64_t size, aarch64::Access access);
  bool map_part(const char* image, uint64_t begin, uint64_t end, aarch64::Access access);
  bool make_data(const char* image, const sketch::Header& h);

  uint64_t data_begin_ = 0, data_end_ = 0;  // variables and heap
  const sketch::Header* header_ = nullptr;
  alignas(aarch64::UserMemory) unsigned char memory_room_[sizeof(aarch64::UserMemory)] = {};
  aarch64::PageTable table_{aarch64::Half::Low};
  aarch64::UserStacks stacks_;
};

}  // namespace hocket
