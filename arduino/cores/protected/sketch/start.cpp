// The entry points of threads into the sketch: setup() and the loops, at user level.
//
// The kernel enters with the stack pointer set (aligned to 16) and the thread pointer at its block
// of Header::tls_size bytes, all zero. Code here must not use thread-local variables before
// initialise_thread() has initialised them. Only a system call returns to the kernel.
#include <string.h>

#include "arduino/cores/protected/sketch/system.h"
#include "arduino/runtime/system.h"

extern "C" {
void setup() __attribute__((weak));

// sketch.ld
extern const char hocket_plain_loop[];  // loop(), or null
extern const char hocket_tdata_begin[];
extern const char hocket_tdata_end[];
extern const char hocket_tls_offset[];  // its address is the value
using Constructor = void (*)();
extern const Constructor hocket_constructors_begin[];
extern const Constructor hocket_constructors_end[];

[[noreturn]] void hocket_enter_setup();
[[noreturn]] void hocket_enter_loop(void (*body)());
}
/// Calls serialEvent() if the sketch defines it: part of what Arduino promises of loop().
void serialEventRun() __attribute__((weak));

namespace {

/// Initialises the thread-local variables; those without an initial value are zero already. ELF for
/// the Arm 64-bit Architecture, "Thread Local Storage", variant 1.
void initialise_thread() {
  char* const block = static_cast<char*>(__builtin_thread_pointer());
  memcpy(block + reinterpret_cast<size_t>(hocket_tls_offset), hocket_tdata_begin,
         static_cast<size_t>(hocket_tdata_end - hocket_tdata_begin));
}

}  // namespace

void hocket_enter_setup() {
  initialise_thread();
  for (const Constructor* next = hocket_constructors_begin; next != hocket_constructors_end;
       ++next) {
    (*next)();
  }
  if (&setup != nullptr) setup();
  hocket::sys::end_setup();
}

void hocket_enter_loop(void (*body)()) {
  initialise_thread();
  const bool plain =
      reinterpret_cast<const char*>(body) == hocket_plain_loop && &serialEventRun != nullptr;
  for (;;) {
    body();
    if (plain) serialEventRun();
    if (void (*const handler)() = hocket::sys::end_iteration()) handler();
  }
}
