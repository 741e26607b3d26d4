// Whether the sketch may access an address. Checked for every address that a system call receives.
//
//   kBase … rodata_end         read          (and executed up to text_end)
//   data_begin … heap_end      read, write
//   each stack                 read, write
//   everything else            nothing: between the parts, guards, the kernel, trusted registers
//
// Invariant: what is allowed here is mapped so. It was mapped before the sketch started and stays
// mapped, so an answer holds as long as the sketch runs. Other loops may change the bytes at any
// time, even between two reads of them.
#pragma once

#include "arduino/cores/protected/kernel/user_stacks.h"
#include "arduino/cores/protected/sketch/image.h"

namespace hocket::sketch {

/// Context: any. Never blocks. O(log number of stacks); text() also O(length).
class UserMemory {
 public:
  /// No text: no end within readable memory, or too long.
  static constexpr uint64_t kNoText = UINT64_MAX;

  /// `header` must have been checked (check.h). The sketch's address `a` is reached at `a + window`
  /// (modulo 2^64); `window` is 0 in the kernel. Both arguments must outlive this object.
  UserMemory(const sketch::Header& header, const UserStacks& stacks, uint64_t window = 0)
      : header_(header), stacks_(stacks), window_(window) {}

  /// Whether all of [address, address + size) may be read; written. For size 0 always true.
  bool readable(uint64_t address, uint64_t size) const {
    return size == 0 || size <= readable_from(address);
  }
  bool writable(uint64_t address, uint64_t size) const {
    return size == 0 || size <= writable_from(address);
  }
  /// Whether an instruction may be fetched there.
  bool executable(uint64_t address) const;

  /// The length of the text at `address` that ends with a 0 and may be read wholly, of at most
  /// `most` characters without the 0; kNoText when there is none. The text can change right
  /// afterwards: never read past this length.
  uint64_t text(uint64_t address, uint64_t most) const;

 private:
  /// How many consecutive bytes from an address on may be read, or written.
  uint64_t readable_from(uint64_t address) const;
  uint64_t writable_from(uint64_t address) const;

  const sketch::Header& header_;
  const UserStacks& stacks_;
  uint64_t window_;
};

}  // namespace hocket::sketch
