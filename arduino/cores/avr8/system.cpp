// The rest of arduino/runtime/system.h on the Uno.
#include "arduino/runtime/system.h"

#include <avr/io.h>

#include "arduino/cores/avr8/machine.h"
#include "boards/uno/costs.h"

/// See machine.h.
extern "C" [[noreturn, gnu::noinline]] void hocket_stop() {
  asm volatile("cli" ::: "memory");
  for (;;) asm volatile("sleep" ::: "memory");
}

extern "C" void hocket_stack_overflow() {
  hocket_stop();
}

/// A name of its own, for who looks from outside (simulation/uno/watcher.h).
extern "C" [[noreturn, gnu::noinline]] void hocket_held_too_long() {
  hocket_stop();
}

// kernel.cpp; there is no such variable in a sketch without declared loops.
extern "C" bool hocket_loops_run __attribute__((weak));
asm(".weak hocket_loops_run");

namespace hocket::sys {
namespace {

#ifdef HOCKET_WITHOUT_LOOPS  // there this file is compiled a second time, and timer 1 is the
                             // sketch's
constexpr bool loops_run() {
  return false;
}
constexpr uint16_t since() {
  return 0;
}
#else
bool loops_run() {
  return &hocket_loops_run != nullptr && hocket_loops_run;
}
uint16_t since() {
  return TCNT1;
}
#endif

}  // namespace

// One core: a section that nothing comes between, handlers neither, which may take locks as well.
// So nothing could end it that comes too late: who holds a lock for longer than admission reckons
// with is stopped when it gives it back. The word keeps what was before (the I flag), that the lock
// is taken, and since when:
//
//   [ SREG ][ which of those held: 1 … ][ low half of the clock: 2 bytes ]
//
// (A time that is longer by a turn of that half, 32.8 ms, to within 300 us, is not seen here.)

struct Word {
  uint8_t state;
  uint8_t taken;
  uint16_t since;
};
static_assert(sizeof(Word) == sizeof(uint32_t));
// How many are held. Each one's `taken` is which it is: one that is given back before a later one
// would unmask interrupts within that one, and have that one mask them for good.
uint8_t held_locks;

void spin_lock(uint32_t* lock) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  auto& word = *reinterpret_cast<Word*>(lock);
  if (word.taken != 0) hocket_stop();  // by the same loop: no other can run
  word = {state, ++held_locks, since()};
  asm volatile("" ::: "memory");
}
void spin_unlock(uint32_t* lock) {
  asm volatile("" ::: "memory");
  auto& word = *reinterpret_cast<Word*>(lock);
  if (word.taken == 0 || word.taken != held_locks) hocket_stop();
  --held_locks;
  word.taken = 0;
  const uint8_t state = word.state;
  const uint16_t held = since() - word.since;
  // Where interrupts were masked before, that is somebody else's section.
  const bool own = (state & 1 << SREG_I) != 0;
  if (own && held > uno::kLongestSpin && loops_run()) hocket_held_too_long();
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
