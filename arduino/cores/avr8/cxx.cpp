// What the compiler calls by itself in C++ on the Uno: local statics that are made when they are
// first reached, and virtual functions that nobody has defined (Itanium C++ ABI, sections 3.2.6
// and 3.3.3).
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/machine.h"

namespace {

/// Of one local static; the compiler's own code asks for `made`.
struct Guard {
  uint8_t made;
  bool being_made;
  void* maker;
  uint8_t unused[4];
};
static_assert(sizeof(Guard) == 8);

}  // namespace

extern "C" {

/// Names of their own, for who looks from outside (simulation/uno/watcher.h).
[[noreturn, gnu::noinline]] void __cxa_pure_virtual() {
  hocket_stop();
}
[[noreturn, gnu::noinline]] void __cxa_deleted_virtual() {
  __cxa_pure_virtual();
}
[[noreturn, gnu::noinline]] void hocket_needs_itself() {
  hocket_stop();
}

/// 1: the caller makes the object. Waits while another loop makes it. Legal in loops and in
/// setup(); in a handler that interrupts the maker, nothing could end the waiting.
int __cxa_guard_acquire(Guard* guard) {
  void* const self = hocket::uno::this_thread();
  for (;;) {
    {
      const hocket::uno::Masked masked;
      if (guard->made != 0) return 0;
      if (!guard->being_made) {
        guard->being_made = true;
        guard->maker = self;
        return 1;
      }
    }
    if (guard->maker == self) hocket_needs_itself();
    hocket::uno::pause();
  }
}

void __cxa_guard_release(Guard* guard) {
  const hocket::uno::Masked masked;
  guard->made = 1;
  guard->being_made = false;
}

}  // extern "C"
