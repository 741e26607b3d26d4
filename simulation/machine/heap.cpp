// Calls for memory that the host refuses, for the report. Not instrumented.
//
// The linker redirects all calls of malloc(), calloc() and realloc() in the program with --wrap.
// (Those within the host's libraries stay: `new` is one of them, and ends the loop.)
#include <cstdint>
#include <cstdlib>

#include "arduino/runtime/no_room.h"
#include "simulation/machine/stacks.h"

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
extern const char __executable_start, etext;  // of the program's code, by the linker
}

namespace {

using hocket::runtime::NoRoom;

/// Whether an instruction before this address is a call, so that it can be a return address.
bool follows_a_call(std::uintptr_t address) {
  constexpr std::uintptr_t kLongest = 8;
  const auto begin = reinterpret_cast<std::uintptr_t>(&__executable_start) + kLongest;
  if (address < begin || address >= reinterpret_cast<std::uintptr_t>(&etext)) return false;
#if defined(__x86_64__)
  // CALL rel32; CALL r/m64 with a register, 8 and 32 bits of displacement (Intel's manual, volume
  // 2).
  const auto* const at = reinterpret_cast<const unsigned char*>(address);
  const auto indirect = [&](int length) {
    return at[-length] == 0xff && (at[1 - length] & 0x38) == 0x10;
  };
  return at[-5] == 0xe8 || indirect(2) || indirect(3) || indirect(6) || indirect(7);
#elif defined(__aarch64__)
  // BL; BLR (DDI 0487, C6.2).
  const auto word = *reinterpret_cast<const std::uint32_t*>(address - 4);
  return address % 4 == 0 && (word >> 26 == 0x25 || (word & 0xfffffc1f) == 0xd63f0000);
#endif
}

/// The calls from which the thread has not returned, innermost first. Sketches have no chain of
/// frames, so this is each word on the stack that could be a return address.
[[gnu::noinline, gnu::cold]] void note(std::size_t bytes) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t end = hocket::sim::end_of_stack(here);
  if (end == 0) return;  // the simulator's own call
  std::uint64_t codes[NoRoom::kMostCodes];
  unsigned count = 0;
  for (std::uintptr_t at = here; at + sizeof at <= end && count < NoRoom::kMostCodes;
       at += sizeof at) {
    const std::uintptr_t word = *reinterpret_cast<const std::uintptr_t*>(at);
    if (follows_a_call(word)) codes[count++] = word - 1;
  }
  hocket::runtime::note_no_room(bytes, codes, count);
}

void* noted(void* memory, std::size_t bytes) {
  if (memory == nullptr && bytes != 0) note(bytes);
  return memory;
}

}  // namespace

extern "C" {

void* __wrap_malloc(std::size_t size) {
  return noted(__real_malloc(size), size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return noted(__real_calloc(count, size), count * size);
}
void* __wrap_realloc(void* memory, std::size_t size) {
  return noted(__real_realloc(memory, size), size);
}
}
