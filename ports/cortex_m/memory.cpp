// The C library functions that a compiler for Arm calls by itself, under both of their names.
//
// The C standard (7.24) defines them; the run-time ABI for the Arm architecture (IHI 0043, 5.3.4)
// defines the second names. Compiled with -fno-builtin, so that the compiler does not turn a copy
// loop into a call of the function that contains it. Whole words are used only if both sides are
// aligned, since Armv6-M faults on unaligned ones.
#include <stddef.h>
#include <stdint.h>

namespace {

/// SAFETY: memory of any type may be accessed through this type, if it is aligned.
using Word [[gnu::may_alias]] = uint32_t;

bool aligned(const void* a, const void* b) {
  return ((reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) & 3) == 0;
}

}  // namespace

extern "C" {

void* memcpy(void* to, const void* from, size_t size) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  if (aligned(out, in)) {
    for (; size >= 4; size -= 4, out += 4, in += 4) {
      *reinterpret_cast<Word*>(out) = *reinterpret_cast<const Word*>(in);
    }
  }
  for (; size > 0; --size) *out++ = *in++;
  return to;
}

void* memmove(void* to, const void* from, size_t size) {
  // Upwards, unless that would overwrite bytes that are not yet read.
  if (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from) >= size) {
    return memcpy(to, from, size);
  }
  auto* out = static_cast<unsigned char*>(to) + size;
  const auto* in = static_cast<const unsigned char*>(from) + size;
  for (; size > 0; --size) *--out = *--in;
  return to;
}

void* memset(void* to, int value, size_t size) {
  auto* out = static_cast<unsigned char*>(to);
  const auto byte = static_cast<unsigned char>(value);
  if (aligned(out, nullptr)) {
    for (; size >= 4; size -= 4, out += 4) *reinterpret_cast<Word*>(out) = byte * 0x0101'0101u;
  }
  for (; size > 0; --size) *out++ = byte;
  return to;
}

// These return nothing. memset's value is the last argument, and memclr has none.
void __aeabi_memcpy(void* to, const void* from, size_t size) {
  memcpy(to, from, size);
}
void __aeabi_memmove(void* to, const void* from, size_t size) {
  memmove(to, from, size);
}
void __aeabi_memset(void* to, size_t size, int value) {
  memset(to, value, size);
}
void __aeabi_memclr(void* to, size_t size) {
  memset(to, 0, size);
}
// The same functions for aligned memory.
[[gnu::alias("__aeabi_memcpy")]] void __aeabi_memcpy4(void*, const void*, size_t);
[[gnu::alias("__aeabi_memcpy")]] void __aeabi_memcpy8(void*, const void*, size_t);
[[gnu::alias("__aeabi_memmove")]] void __aeabi_memmove4(void*, const void*, size_t);
[[gnu::alias("__aeabi_memmove")]] void __aeabi_memmove8(void*, const void*, size_t);
[[gnu::alias("__aeabi_memset")]] void __aeabi_memset4(void*, size_t, int);
[[gnu::alias("__aeabi_memset")]] void __aeabi_memset8(void*, size_t, int);
[[gnu::alias("__aeabi_memclr")]] void __aeabi_memclr4(void*, size_t);
[[gnu::alias("__aeabi_memclr")]] void __aeabi_memclr8(void*, size_t);

}  // extern "C"
