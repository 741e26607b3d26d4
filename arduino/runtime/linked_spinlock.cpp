// The spinlock calls of a sketch that is linked with the kernel. Linked only into sketches that use
// spinlocks, which is how the runtime detects the use (linked_program.cpp).
#include "arduino/runtime/sketch.h"
#include "arduino/runtime/system.h"

namespace hocket::sys {

void spin_lock(uint32_t* lock) {
  if (const char* error = runtime::take_spinlock(lock)) fault(error, __builtin_return_address(0));
}

void spin_unlock(uint32_t* lock) {
  if (const char* error = runtime::give_spinlock(lock)) fault(error, __builtin_return_address(0));
}

}  // namespace hocket::sys
