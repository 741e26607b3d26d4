// The rest of arduino/runtime/system.h on the Uno.
#include "arduino/runtime/system.h"

#include <avr/io.h>

#include "boards/uno/sketch/machine.h"

/// See machine.h.
extern "C" [[noreturn]] void hocket_stop() {
  asm volatile("cli" ::: "memory");
  for (;;) asm volatile("sleep" ::: "memory");
}

extern "C" void hocket_stack_overflow() {
  hocket_stop();
}

namespace hocket::sys {

/// One core: a section that nothing comes between. The word keeps what was before: the I flag, and
/// that it is taken.
void spin_lock(uint32_t* lock) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  if (*lock != 0) hocket_stop();  // by the same loop: no other can run
  *lock = 0x100u | state;
}
void spin_unlock(uint32_t* lock) {
  if (*lock == 0) hocket_stop();
  const auto state = static_cast<uint8_t>(*lock);
  *lock = 0;
  asm volatile("" ::: "memory");
  SREG = state;
}

unsigned core_id() {
  return 0;
}

/// The Uno has no source of chance: sequences are the same after each reset, as on every Uno.
uint32_t entropy() {
  return 1;
}

void fault(const char*, const void*) {
  hocket_stop();
}

}  // namespace hocket::sys
