// The clock of a sketch on the Uno, with or without a kernel.
#pragma once

#include "ports/avr8/clock.h"
#ifdef HOCKET_WITHOUT_LOOPS
#include "arduino/cores/avr8/plain_clock.h"
#endif

namespace hocket::uno {

#ifdef HOCKET_WITHOUT_LOOPS
using Clock = PlainClock;
#else
using Clock = avr8::Clock<8>;
#endif
inline constexpr uint32_t kTicksPerMicrosecond = F_CPU / 8 / 1'000'000;
inline constexpr uint32_t kTicksPerMillisecond = 1000 * kTicksPerMicrosecond;

/// Blocks the calling loop until this instant, at most half a turn of the clock away. Without a
/// kernel, and in setup(), the processor spins.
void wait_until(uint32_t instant);
/// Called by a loop that polls a device: lets other loops run for half a millisecond (six bytes at
/// 115200 baud). Without a kernel, and in setup(), does nothing.
void pause();

/// Masks interrupts while it exists.
class Masked {
 public:
  Masked() : before_(SREG) { asm volatile("cli" ::: "memory"); }
  ~Masked() { restore(); }
  Masked(const Masked&) = delete;
  Masked& operator=(const Masked&) = delete;

  /// The status register from before: tells whether interrupts were already masked.
  uint8_t before() const { return before_; }
  void restore() {
    asm volatile("" ::: "memory");
    SREG = before_;
  }

 private:
  uint8_t before_;
};

/// The calling loop's thread; null without a kernel, and in setup().
void* this_thread();
/// A waiting loop's record for wake(). Must exist until the wait has ended.
struct Waiting {
  Waiting* next;  // next record whose wake-up is pending
  void* thread;
};
/// Blocks the calling loop until wake(), unless `begins` returns false. A wake() of a handler in
/// between is recorded and acted upon later. Call unmasked.
void wait(bool (*begins)(Waiting&), Waiting& waiting);
/// Wakes that loop. It runs on at the end of the present handler or section, or once interrupts are
/// no longer masked; for a caller that has not masked them, at once. Call masked; `before`: the
/// status register from before.
void wake(Waiting& waiting, uint8_t before);
extern Waiting* woken;  // pending wake-ups
/// Acts upon pending wake-ups at once. Call masked; returns with interrupts enabled.
void wake_now();

/// A device's handler, or code that has masked interrupts, has recorded something. Call masked. If
/// the kernel is running, it looks when it is left. At the end of a handler that began in
/// hocket_interrupt (switch.S), that looks. Otherwise the reschedule interrupt does, once
/// interrupts are enabled.
#ifndef HOCKET_WITHOUT_LOOPS
inline void recorded() {
  avr8::set_flag<avr8::kRecorded>();
  if (!avr8::flag<avr8::kKernel>()) Clock::send_reschedule();
}
#endif

/// Parking without a kernel, and in setup(): the processor waits, and there is one permit for the
/// whole program (sys::park_until_ns, sys::unpark). The instant is in ticks.
bool park_alone(uint64_t instant);
bool unpark_alone(unsigned loop);

/// An instant of now_ns() in ticks, rounded up. UINT64_MAX (never) stays never.
constexpr uint64_t ticks_up(uint64_t instant_ns) {
  constexpr uint64_t kNsPerTick = 1000 / kTicksPerMicrosecond;
  if (instant_ns == UINT64_MAX) return instant_ns;
  return instant_ns / kNsPerTick + (instant_ns % kNsPerTick != 0 ? 1 : 0);
}

/// The next instant to wait for, if `until` may be too far away for the kernel's 32 bits.
inline uint32_t next_piece(uint64_t now, uint64_t until) {
  constexpr uint64_t kFar = 0x40000000;
  return static_cast<uint32_t>(until - now > kFar ? now + kFar : until);
}

#ifndef HOCKET_WITHOUT_LOOPS
inline void wake(Waiting& waiting, uint8_t before) {
  waiting.next = woken;
  woken = &waiting;
  if ((before & 1 << SREG_I) != 0) return wake_now();
  recorded();
}
#endif

}  // namespace hocket::uno
