// Functions that the compiler calls implicitly in C++: static objects, constructed once and never
// destroyed.
//
// Itanium C++ ABI, sections 3.3.3 (one-time construction) and 3.3.6 (destruction).
#include <stdint.h>

#include "arduino/runtime/system.h"

extern "C" {

void* __dso_handle = nullptr;

/// A sketch never ends, so nothing is ever destroyed.
int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}
int __cxa_thread_atexit(void (*)(void*), void*, void*) {
  return 0;
}
int atexit(void (*)()) {
  return 0;
}

// A guard: byte 0 is 1 once the object is constructed (compiled code tests it directly). The upper
// half names the thread that is constructing it.
struct Guard {
  uint8_t made;
  uint8_t unused[3];
  uint32_t maker;
};
static_assert(sizeof(Guard) == 8);

/// Returns 1 if the caller must construct the object. Blocks while another thread does.
int __cxa_guard_acquire(Guard* guard) {
  // Thread storage lies below 4 GiB, so half of the pointer identifies it.
  const auto self = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(__builtin_thread_pointer()));
  for (;;) {
    if (__atomic_load_n(&guard->made, __ATOMIC_ACQUIRE) != 0) return 0;
    uint32_t maker = 0;
    if (__atomic_compare_exchange_n(&guard->maker, &maker, self, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE)) {
      if (__atomic_load_n(&guard->made, __ATOMIC_ACQUIRE) == 0) return 1;
      __atomic_store_n(&guard->maker, 0, __ATOMIC_RELEASE);
      return 0;
    }
    if (maker == self) {
      hocket::sys::fault("a static variable's first value needs the variable itself",
                         __builtin_return_address(0));
    }
    // Rare and short. Spinning could keep the constructing thread from its core for ever.
    constexpr uint64_t kLookAgain = 1'000'000;
    hocket::sys::sleep_until_ns(hocket::sys::now_ns() + kLookAgain);
  }
}
void __cxa_guard_release(Guard* guard) {
  __atomic_store_n(&guard->made, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&guard->maker, 0, __ATOMIC_RELEASE);
}
void __cxa_guard_abort(Guard* guard) {
  __atomic_store_n(&guard->maker, 0, __ATOMIC_RELEASE);
}
}
