// The rest of arduino/runtime/system.h on the Uno.
#include "arduino/runtime/system.h"

#include <avr/io.h>

#include "arduino/cores/avr8/kernel_costs.h"
#include "arduino/cores/avr8/machine.h"

/// See machine.h.
extern "C" [[noreturn, gnu::noinline]] void hocket_stop() {
  asm volatile("cli" ::: "memory");
  for (;;) asm volatile("sleep" ::: "memory");
}

extern "C" void hocket_stack_overflow() {
  hocket_stop();
}

/// A separate symbol, so that the simulator can recognise it (simulation/avr/watcher.h).
extern "C" [[noreturn, gnu::noinline]] void hocket_held_too_long() {
  hocket_stop();
}

// Defined in kernel.cpp; a sketch without declared loops has no such variable.
extern "C" bool hocket_loops_run __attribute__((weak));
asm(".weak hocket_loops_run");

namespace hocket::sys {
namespace {

#ifdef HOCKET_WITHOUT_LOOPS  // this file is compiled a second time for them, and timer 1 belongs to
                             // the sketch
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
  return CLOCK_COUNT;
}
#endif

}  // namespace

// One core: a lock is a masked section. No handler can come between, so handlers may take locks
// too. Nothing can end a section that lasts too long, so a holder that exceeds what admission
// allows is stopped when it unlocks. The word stores the earlier SREG (for the I flag), the index
// of the lock among those held, and the time:
//
//   [ SREG ][ which of those held: 1 … ][ low half of the clock: 2 bytes ]
//
// (A hold that is longer by 32.8 ms, one turn of that half, is not detected; to within 300 us.)

struct Word {
  uint8_t state;
  uint8_t taken;
  uint16_t since;
};
static_assert(sizeof(Word) == sizeof(uint32_t));
// The number of locks held. `taken` is a lock's index among them. Unlocking a lock before a later
// one would enable interrupts within the later one, which would then mask them for good.
uint8_t held_locks;

void spin_lock(uint32_t* lock) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  auto& word = *reinterpret_cast<Word*>(lock);
  if (word.taken != 0) hocket_stop();  // locked by the same loop: no other can run
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
  // If interrupts were already masked, an enclosing section continues after this one.
  const bool own = (state & 1 << SREG_I) != 0;
  if (own && held > uno::kLongestSpin && loops_run()) hocket_held_too_long();
  asm volatile("" ::: "memory");
  SREG = state;
}

unsigned core_id() {
  return 0;
}

/// The Uno has no source of randomness: sequences repeat after each reset, as on every Uno.
uint32_t entropy() {
  return 1;
}

void fault(const char*, const void*) {
  hocket_stop();
}

}  // namespace hocket::sys
