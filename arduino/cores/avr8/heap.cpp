// The heap of a sketch on the Uno: avr-libc's, shared by all loops. It lies between the variables
// and the stack of main().
//
// For sketches without loops this file is compiled a second time. They call avr-libc's functions
// unchanged.
//
// avr-libc's functions are not thread-safe, so in a sketch with loops they run masked (the linker
// redirects calls with --wrap). They also take the stack pointer for the end of the heap, which is
// wrong while a loop runs on its own stack: hocket_limit_heap() sets the end.
#include <avr/io.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <new>

#include "arduino/cores/avr8/board_loops.h"
#include "arduino/cores/avr8/core.h"

#ifndef HOCKET_WITHOUT_LOOPS

extern "C" {
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void __real_free(void* memory);
void hocket_run_loops() __attribute__((weak));
void loop() __attribute__((weak));
extern char* __malloc_heap_end;
}
asm(".weak hocket_run_loops\n.weak loop");  // as in core.cpp

namespace {

/// The stack that main() still needs: the kernel's start with interrupts, and the plain loop's
/// memory.
constexpr uint16_t kMainStack = HOCKET_MAIN_STACK_BYTES;
constexpr uint16_t kPlainLoop = hocket::uno::kStateBytes + hocket::uno::kDefaultStack;

/// Masks interrupts while it exists, in sketches with loops.
class Alone {
 public:
  Alone() {
    if (&hocket_run_loops != nullptr) asm volatile("cli" ::: "memory");
  }
  ~Alone() {
    asm volatile("" ::: "memory");
    SREG = state_;
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  const uint8_t state_ = SREG;
};

}  // namespace

extern "C" {

void hocket_limit_heap() {
  const uint16_t kept = &loop != nullptr ? kMainStack + kPlainLoop : kMainStack;
  __malloc_heap_end = reinterpret_cast<char*>(SP) - kept;
}

void* __wrap_malloc(size_t size) {
  const Alone alone;
  return __real_malloc(size);
}
void* __wrap_calloc(size_t count, size_t size) {
  const Alone alone;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, size_t size) {
  const Alone alone;
  return __real_realloc(memory, size);
}
void __wrap_free(void* memory) {
  const Alone alone;
  __real_free(memory);
}

}  // extern "C"

#endif

extern "C" [[noreturn]] void hocket_stop();

/// A separate symbol, so that the simulator can recognise it (simulation/avr/watcher.h).
extern "C" [[noreturn, gnu::noinline]] void hocket_no_memory() {
  hocket_stop();
}

namespace {

/// On every board a sketch stops when `new` finds no memory, because sketches do not check its
/// result.
void* or_stop(void* memory) {
  if (memory == nullptr) hocket_no_memory();
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  return or_stop(malloc(size));
}
void* operator new[](size_t size) {
  return or_stop(malloc(size));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return malloc(size);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return malloc(size);
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
