// The C library functions that a freestanding compiler calls by itself, and two more that the
// kernel needs.
//
// The C standard (7.24) defines them. Compiled with -fno-builtin, so that the compiler does not
// turn a copy loop into a call of the function that contains it. They access eight bytes at a time
// if both sides are aligned, and single bytes otherwise. No access is unaligned, so they work with
// the MMU off, when all memory is Device memory and an unaligned access faults (DDI 0487, B2.7.2).
// They use general registers only.
#include <stddef.h>
#include <stdint.h>

namespace {

constexpr size_t kWord = sizeof(uint64_t);

/// SAFETY: memory of any type may be accessed through this type, if it is aligned.
using Word [[gnu::may_alias]] = uint64_t;

bool aligned(const void* a, const void* b) {
  return ((reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) % kWord) == 0;
}

/// Whether both addresses can be aligned together.
bool alike(const void* a, const void* b) {
  return (reinterpret_cast<uintptr_t>(a) - reinterpret_cast<uintptr_t>(b)) % kWord == 0;
}

void copy_up(unsigned char* to, const unsigned char* from, size_t size) {
  if (alike(to, from)) {
    for (; size > 0 && !aligned(to, from); --size) *to++ = *from++;
    for (; size >= kWord; size -= kWord, to += kWord, from += kWord) {
      *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(from);
    }
  }
  for (; size > 0; --size) *to++ = *from++;
}

void copy_down(unsigned char* to, const unsigned char* from, size_t size) {
  to += size;
  from += size;
  if (alike(to, from)) {
    for (; size > 0 && !aligned(to, from); --size) *--to = *--from;
    for (; size >= kWord; size -= kWord) {
      to -= kWord;
      from -= kWord;
      *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(from);
    }
  }
  for (; size > 0; --size) *--to = *--from;
}

}  // namespace

#ifdef HOCKET_MEMORY_TEST  // beside the host's own functions
#define HOCKET_NAME(name) hocket_##name
#else
#define HOCKET_NAME(name) name
#endif

extern "C" {

void* HOCKET_NAME(memcpy)(void* to, const void* from, size_t size) {
  copy_up(static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), size);
  return to;
}

void* HOCKET_NAME(memmove)(void* to, const void* from, size_t size) {
  // Upwards, unless that would overwrite bytes that are not yet read.
  const bool up = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from) >= size;
  (up ? copy_up : copy_down)(static_cast<unsigned char*>(to),
                             static_cast<const unsigned char*>(from), size);
  return to;
}

void* HOCKET_NAME(memset)(void* to, int value, size_t size) {
  auto* next = static_cast<unsigned char*>(to);
  const auto byte = static_cast<unsigned char>(value);
  for (; size > 0 && !aligned(next, nullptr); --size) *next++ = byte;
  const uint64_t word = uint64_t{byte} * 0x0101'0101'0101'0101;
  for (; size >= kWord; size -= kWord, next += kWord) *reinterpret_cast<Word*>(next) = word;
  for (; size > 0; --size) *next++ = byte;
  return to;
}

int HOCKET_NAME(memcmp)(const void* a, const void* b, size_t size) {
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  if (aligned(left, right)) {
    // Skips equal words. The bytes of the first different word decide.
    for (; size >= kWord; size -= kWord, left += kWord, right += kWord) {
      if (*reinterpret_cast<const Word*>(left) != *reinterpret_cast<const Word*>(right)) break;
    }
  }
  for (; size > 0; --size, ++left, ++right) {
    if (*left != *right) return *left < *right ? -1 : 1;
  }
  return 0;
}

size_t HOCKET_NAME(strlen)(const char* text) {
  const char* end = text;
  while (*end != '\0') ++end;
  return static_cast<size_t>(end - text);
}

int HOCKET_NAME(strcmp)(const char* a, const char* b) {
  for (; *a != '\0' && *a == *b; ++a, ++b) {
  }
  const auto left = static_cast<unsigned char>(*a);
  const auto right = static_cast<unsigned char>(*b);
  return left < right ? -1 : (left > right ? 1 : 0);
}

}  // extern "C"
