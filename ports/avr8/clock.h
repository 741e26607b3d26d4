// Timer 1 as the kernel's clock: free-running, extended by the count of its overflows.
//
//   hocket_clock_turns           TCNT1
//   [ 4 bytes               ][ 2 bytes ]      48 bits never wrap (4.4 years at 2 MHz are 2^48
//   ticks) [     ][ the kernel's 32 bits      ]      wrap, see kernel/base/time.h
//
// Compare A is the alarm, compare B the kick: what a core without a software interrupt has. The
// counter is never written: that would restart its prescaler and lose time. (ATmega328P data sheet,
// chapter 16.)
//
// An alarm farther away than the counter's 16 bits waits for an overflow near enough (kFarAlarm).
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

// How often the counter has overflowed, lower half first. Written by the overflow interrupt
// (clock.S) only.
extern "C" volatile uint16_t hocket_clock_turns[2];

namespace hocket::avr8 {

// Flags of the port in GPIOR0, where setting and testing a bit is one instruction.
inline constexpr uint8_t kInIrq = 0;  // a handler runs
inline constexpr uint8_t kFarAlarm =
    1;  // the alarm waits for the counter to come round (clock.S knows)

/// `kPrescaler`: processor cycles in a tick, 8 or 64.
template <unsigned kPrescaler>
class Clock {
  static_assert(kPrescaler == 8 || kPrescaler == 64);

 public:
  /// Masked, once, before anything else.
  static void start() {
    TCCR1A = 0;
    TIMSK1 = 1 << TOIE1;
    TCCR1B = kPrescaler == 8 ? 1 << CS11 : (1 << CS11) | (1 << CS10);
  }

  // Reading: the turns, the counter, the turns again, until no overflow came between. So interrupts
  // are masked for the two halves of the counter only (they go through a register that handlers
  // use, too: data sheet, 16.3): 5 cycles, and no edge waits longer for its handler because of the
  // clock.

  /// Any context.
  [[gnu::noinline]] static uint32_t now() {
    for (;;) {
      const uint16_t high = hocket_clock_turns[0];
      const uint16_t low = counter();
      const bool pending = overflow_pending(low);
      if (high == hocket_clock_turns[0]) {
        return joined(static_cast<uint16_t>(high + pending), low);
      }
    }
  }

  /// All 48 bits. Any context.
  static uint64_t long_now() {
    for (;;) {
      const uint32_t high = joined(hocket_clock_turns[1], hocket_clock_turns[0]);
      const uint16_t low = counter();
      const bool pending = overflow_pending(low);
      if (static_cast<uint16_t>(high) == hocket_clock_turns[0]) {
        return uint64_t{high + pending} << 16 | low;
      }
    }
  }

  // --- Masked ---

  /// now(), shorter.
  static uint32_t now_masked() {
    const uint16_t low = TCNT1;
    return joined(static_cast<uint16_t>(hocket_clock_turns[0] + overflow_pending(low)), low);
  }

  static void alarm_set(uint32_t instant) {
    alarm_ = instant;
    GPIOR0 &= static_cast<uint8_t>(~(1 << kFarAlarm));
    // The compare register first, then the clock: what is later than this reading will match.
    OCR1A = static_cast<uint16_t>(instant);
    TIFR1 = 1 << OCF1A;
    const uint32_t left = instant - now_masked();
    if (static_cast<int32_t>(left) > INT32_C(0xffff)) {
      GPIOR0 |= 1 << kFarAlarm;
      TIMSK1 &= static_cast<uint8_t>(~(1 << OCIE1A));
      return;
    }
    if (static_cast<int32_t>(left) <= 0) OCR1A = TCNT1 + kSoon;
    TIMSK1 |= 1 << OCIE1A;
  }
  static void alarm_off() {
    TIMSK1 &= static_cast<uint8_t>(~(1 << OCIE1A));
    GPIOR0 &= static_cast<uint8_t>(~(1 << kFarAlarm));
  }
  /// The counter has come round, and a far alarm waits.
  static void alarm_nearer() { alarm_set(alarm_); }

  static void kick() {
    OCR1B = TCNT1 + kSoon;
    TIFR1 = 1 << OCF1B;
    TIMSK1 |= 1 << OCIE1B;
  }

 private:
  // A compare value so near that it means «at once», and so far that the counter cannot pass it
  // while it is written (12 cycles).
  static constexpr uint16_t kSoon = 2 + 12 / kPrescaler;

  static uint16_t counter() {
    const uint8_t state = SREG;
    mask();
    const uint16_t value = TCNT1;
    SREG = state;
    return value;
  }
  /// An overflow that has not been counted, because interrupts are masked, counts too: it is older
  /// than a low counter, and younger than a high one.
  static bool overflow_pending(uint16_t low) {
    return (TIFR1 & (1 << TOV1)) != 0 && (low & 0x8000) == 0;
  }
  // Not cli(): sketches have a function of that name.
  static void mask() { asm volatile("cli" ::: "memory"); }
  static uint32_t joined(uint16_t high, uint16_t low) { return uint32_t{high} << 16 | low; }

  inline static uint32_t alarm_ = 0;
};

}  // namespace hocket::avr8
