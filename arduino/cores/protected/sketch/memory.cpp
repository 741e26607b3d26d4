// The heap: the memory of malloc(), the lock that protects it, and C++'s new on top.
//
// A call of malloc() that finds no memory is noted for the report; the linker redirects all calls
// with --wrap, those of realloc() and calloc() among them.
//
// The C library takes one recursive lock around each use of shared data. It is one of the system's
// spinlocks: its holder is not preempted by other loops of its core, and admission counts the time
// for every sketch that links it.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <new>

#include "arduino/cores/protected/sketch/system.h"
#include "arduino/runtime/system.h"

extern "C" {

extern char hocket_heap_begin[];  // sketch.ld
extern char hocket_heap_end[];

struct __lock {
  uint32_t word;
  uint32_t depth;
  void* owner;
};
__lock __lock___libc_recursive_mutex;

/// Called only by malloc(), under the lock.
void* sbrk(ptrdiff_t bytes) {
  static char* end = hocket_heap_begin;
  const bool possible =
      bytes < 0 ? -bytes <= end - hocket_heap_begin : bytes <= hocket_heap_end - end;
  if (!possible) {
    errno = ENOMEM;
    return reinterpret_cast<void*>(intptr_t{-1});
  }
  char* const former = end;
  end += bytes;
  return former;
}

// Only the holder of the word writes the owner, so a thread finds its own mark there exactly when
// it is the holder. If a loop is stopped meanwhile, the word is released and the mark remains. It
// has no effect, because the next holder writes its own.
void __retarget_lock_acquire_recursive(__lock* lock) {
  void* const self = __builtin_thread_pointer();
  if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == self) {
    ++lock->depth;
    return;
  }
  hocket::sys::spin_lock(&lock->word);
  __atomic_store_n(&lock->owner, self, __ATOMIC_RELAXED);
  lock->depth = 1;
}
void __retarget_lock_release_recursive(__lock* lock) {
  if (--lock->depth > 0) return;
  __atomic_store_n(&lock->owner, nullptr, __ATOMIC_RELAXED);
  hocket::sys::spin_unlock(&lock->word);
}

void* __real_malloc(size_t size);

// Its frame is the first of those that the kernel reads, so the note is written here.
void* __wrap_malloc(size_t size) {
  void* const memory = __real_malloc(size);
  if (memory == nullptr && size != 0) [[unlikely]]
    hocket::sys::note_no_room(size, reinterpret_cast<uint64_t>(__builtin_frame_address(0)));
  return memory;
}
}

namespace {

/// Its caller reports a failure.
void* allocate(size_t size, size_t alignment, const void* where) {
  if (size == 0) size = 1;
  void* const memory =
      alignment <= alignof(max_align_t) ? __real_malloc(size) : aligned_alloc(alignment, size);
  if (memory == nullptr) hocket::sys::fault("out of memory", where);
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  return allocate(size, 1, __builtin_return_address(0));
}
void* operator new[](size_t size) {
  return allocate(size, 1, __builtin_return_address(0));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment), __builtin_return_address(0));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment), __builtin_return_address(0));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return malloc(size == 0 ? 1 : size);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept {
  free(memory);
}
void operator delete[](void* memory) noexcept {
  free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  free(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  free(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  free(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  free(memory);
}

namespace std {
const nothrow_t nothrow{};
}
