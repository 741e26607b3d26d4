// Functions that the compiler calls implicitly in C++ on the Uno: for local statics that are
// initialised on first use, and for pure virtual functions (Itanium C++ ABI, sections 3.2.6 and
// 3.3.3).
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/machine.h"

namespace {

/// The guard of one local static. Compiled code tests `made` directly.
struct Guard {
  uint8_t made;
  bool being_made;
  void* maker;
  uint8_t unused[4];
};
static_assert(sizeof(Guard) == 8);

}  // namespace

extern "C" {

/// A separate symbol, so that the simulator can recognise it (simulation/avr/watcher.h).
[[noreturn, gnu::noinline]] void __cxa_pure_virtual() {
  hocket_stop();
}
[[noreturn, gnu::noinline]] void __cxa_deleted_virtual() {
  __cxa_pure_virtual();
}
[[noreturn, gnu::noinline]] void hocket_needs_itself() {
  hocket_stop();
}

/// Returns 1 if the caller must initialise the object. Waits while another loop does. Legal in
/// loops and in setup(). In a handler that has interrupted the initialisation it would wait for
/// ever.
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
