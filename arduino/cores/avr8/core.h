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

/// The calling loop waits until this instant, at most half a turn away; without a kernel, and in
/// setup(), the processor does.
void wait_until(uint32_t instant);
/// What a loop does that waits for a device: it lets others run for half a millisecond, six bytes
/// at 115200 baud. Without a kernel, and in setup(), nothing.
void pause();

/// Interrupts are masked.
class Masked {
 public:
  Masked() : before_(SREG) { asm volatile("cli" ::: "memory"); }
  ~Masked() { restore(); }
  Masked(const Masked&) = delete;
  Masked& operator=(const Masked&) = delete;

  /// What the status register was: whether they were masked before.
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
/// What waits for wake(): at a place that lasts until then.
struct Waiting {
  Waiting* next;  // of those whose wake-up is recorded
  void* thread;
};
/// The calling loop waits until wake(), unless `begins` says no. In between no handler's wake() is
/// acted upon; it is called unmasked.
void wait(bool (*begins)(Waiting&), Waiting& waiting);
/// That loop goes on: at the end of the present handler or section, or when interrupts are no
/// longer masked; for a caller that has not masked them, now. Masked; `before`: what the status
/// register was.
void wake(Waiting& waiting, uint8_t before);
extern Waiting* woken;  // recorded
/// Acts upon what is recorded: now. Masked; they are unmasked behind it.
void wake_now();

/// A device's handler has recorded something, or who has masked interrupts. Masked. Who has the
/// kernel looks when he leaves it, and so does the end of a handler that began in hocket_interrupt
/// (switch.S); else the reschedule interrupt does, when interrupts come again.
#ifndef HOCKET_WITHOUT_LOOPS
inline void recorded() {
  avr8::set_flag<avr8::kRecorded>();
  if (!avr8::flag<avr8::kKernel>()) Clock::send_reschedule();
}
#endif

/// Parking without a kernel, and in setup(): the processor waits, and one permit is for all there
/// is (sys::park_until_ns, sys::unpark). The instant is in ticks.
bool park_alone(uint64_t instant);
bool unpark_alone(unsigned loop);

/// An instant of now_ns() in ticks, not before it. UINT64_MAX never comes in either.
constexpr uint64_t ticks_up(uint64_t instant_ns) {
  constexpr uint64_t kNsPerTick = 1000 / kTicksPerMicrosecond;
  if (instant_ns == UINT64_MAX) return instant_ns;
  return instant_ns / kNsPerTick + (instant_ns % kNsPerTick != 0 ? 1 : 0);
}

/// Where to wait next for an instant that may be too far away for the kernel's 32 bits.
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
