// Checks of addresses in a sketch's memory (see user_memory.h).
#include "arduino/cores/protected/kernel/user_memory.h"

namespace hocket::sketch {

uint64_t UserMemory::writable_from(uint64_t address) const {
  if (address >= header_.data_begin && address < header_.heap_end) {
    return header_.heap_end - address;
  }
  const unsigned stack = stacks_.find(address);
  return stack == UserStacks::kNone ? 0 : stacks_[stack].end() - address;
}

uint64_t UserMemory::readable_from(uint64_t address) const {
  if (address < sketch::kBase || address >= header_.rodata_end) return writable_from(address);
  // If the constants fill their last page, the data follows them without a gap.
  const bool joined = header_.rodata_end == header_.data_begin;
  return (joined ? header_.heap_end : header_.rodata_end) - address;
}

bool UserMemory::executable(uint64_t address) const {
  return address >= sketch::kBase + sizeof(sketch::Header) && address < header_.text_end &&
         address % kInstruction == 0;
}

[[gnu::cold]] uint64_t UserMemory::text(uint64_t address, uint64_t most) const {
  const uint64_t room = readable_from(address);
  for (uint64_t length = 0; length < room && length <= most; ++length) {
    // SAFETY: the sketch may read this byte, so it is mapped. Volatile, because other loops may
    // write it meanwhile.
    const auto at = static_cast<uintptr_t>(address + length + window_);
    if (*reinterpret_cast<const volatile char*>(at) == '\0') return length;
  }
  return kNoText;
}

}  // namespace hocket::sketch
