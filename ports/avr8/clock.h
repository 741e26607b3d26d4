// Timer 1 as the kernel's clock: free-running, extended by the count of its overflows.
//
//   hocket_clock_turns   TCNT1
//   [     4 bytes     ][2 bytes]   48 bits never wrap: 2^48 ticks are 4.4 years at 2 MHz
//          [2 bytes   ][2 bytes]   the kernel's 32 bits do: kernel/base/time.h
//
// Compare A is the alarm, compare B the reschedule interrupt: what a core without a software
// interrupt has. The counter is never written: that would restart its prescaler and lose time.
// (ATmega328P data sheet, chapter 16.)
//
// An alarm farther away than the counter's 16 bits waits for an overflow near enough (kFarAlarm).
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#include "ports/avr8/circular_order.h"
#include "ports/avr8/flags.h"
#include "ports/avr8/io_bit.h"

// How often the counter has overflowed, lower half first. Written by the overflow interrupt
// (clock.S) only.
extern "C" volatile uint16_t hocket_clock_turns[2];

extern "C" {
/// Ticks that handlers of pins have taken in a section of the kernel, since its last reading of the
/// clock (switch.S; arduino/cores/avr8/storm.h). With them kRecorded is set.
extern volatile uint16_t hocket_taken_in_section;
/// Clock::now_masked() behind them: they are not the time of the thread whose turn it is
/// (switch.S).
uint32_t hocket_now_behind_handlers(uint8_t state);
}

namespace hocket::avr8 {

// One instruction each: nothing comes in between that changes another flag.
template <uint8_t kFlag>
[[gnu::always_inline]] inline void set_flag() {
  asm volatile("sbi %0, %1" ::"I"(_SFR_IO_ADDR(GPIOR0)), "I"(kFlag) : "memory");
}
template <uint8_t kFlag>
[[gnu::always_inline]] inline void clear_flag() {
  asm volatile("cbi %0, %1" ::"I"(_SFR_IO_ADDR(GPIOR0)), "I"(kFlag) : "memory");
}
template <uint8_t kFlag>
[[gnu::always_inline]] inline bool flag() {
  return io_bit(_SFR_IO_ADDR(GPIOR0), kFlag);
}

/// Timer 1's clock select bits for so many processor cycles in a tick (data sheet, table 16-5); 0:
/// it has no such prescaler.
constexpr uint8_t clock_select(unsigned prescaler) {
  switch (prescaler) {
    case 1:
      return 1 << CS10;
    case 8:
      return 1 << CS11;
    case 64:
      return (1 << CS11) | (1 << CS10);
    case 256:
      return 1 << CS12;
    case 1024:
      return (1 << CS12) | (1 << CS10);
    default:
      return 0;
  }
}

/// `kPrescaler`: processor cycles in a tick. With 1 the kernel's instants are 32 bits of cycles: a
/// turn is 4.5 minutes at 16 MHz.
template <unsigned kPrescaler>
class Clock {
  static_assert(clock_select(kPrescaler) != 0, "timer 1 divides by 1, 8, 64, 256 or 1024");

 public:
  /// Masked, once, before anything else.
  static void start() {
    TCCR1A = 0;
    TIMSK1 = 1 << TOIE1;
    TCCR1B = clock_select(kPrescaler);
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
      // The lower half before the upper one, and again at the end: an overflow that carries into
      // the upper half changes the lower one, too, so it is seen wherever it comes.
      const uint16_t turns = hocket_clock_turns[0];
      const uint32_t high = joined(hocket_clock_turns[1], turns);
      const uint16_t low = counter();
      const bool pending = overflow_pending(low);
      if (turns == hocket_clock_turns[0]) return uint64_t{high + pending} << 16 | low;
    }
  }

  /// now(), shorter, for the kernel: interrupts are masked for all of it, 20 cycles. What handlers
  /// of pins have taken before in this section is not the time of the thread whose turn ends here.
  static uint32_t now_masked() {
    const uint8_t state = SREG;
    mask();
    if (hocket_taken_in_section != 0) [[unlikely]]
      return hocket_now_behind_handlers(state);
    return now_masked(state);
  }
  /// Masked; `state`: what the status register was, and is then.
  static uint32_t now_masked(uint8_t state) {
    const uint32_t time = read();
    SREG = state;
    return time;
  }

  // --- In a section of the kernel (port.h); the clock's own handlers look at these registers, too,
  // so interrupts are masked for some 70 cycles ---

  /// The flag is set when the counter leaves the compare register's value (data sheet, figure
  /// 16-11): with the tick before, the interrupt comes at `instant`'s first cycle.
  static void alarm_set(uint32_t instant) {
    const uint8_t state = SREG;
    mask();
    clear_flag<kTimerDue>();  // of an earlier request
    const uint32_t left = instant - read();
    if (static_cast<int16_t>(left >> 16) > 0) {
      alarm_ = instant;
      TIMSK1 = 1 << TOIE1 | (TIMSK1 & 1 << OCIE1B);
      set_flag<kFarAlarm>();
    } else {
      clear_flag<kFarAlarm>();
      OCR1A = static_cast<uint16_t>(instant - 1);
      TIFR1 = 1 << OCF1A;
      TIMSK1 |= 1 << OCIE1A;
      // What is so near may have passed before the register was written.
      if (detail::CircularOrder<int32_t>::before(static_cast<int32_t>(left), kNear))
        return match_if_passed(static_cast<int32_t>(left), static_cast<uint16_t>(instant), state);
    }
    SREG = state;
  }
  static void alarm_off() {
    const uint8_t state = SREG;
    mask();
    no_interrupt(OCIE1A);
    clear_flag<kFarAlarm>();
    clear_flag<kTimerDue>();
    SREG = state;
  }
  /// The counter has come round, and a far alarm waits. (A handler.)
  static void alarm_nearer() { alarm_set(alarm_); }
  /// The alarm's interrupt, or the reschedule one, has come.
  static void alarm_came() {
    const uint8_t state = SREG;
    mask();
    no_interrupt(OCIE1A);
    SREG = state;
  }
  static void reschedule_came() {
    const uint8_t state = SREG;
    mask();
    no_interrupt(OCIE1B);
    SREG = state;
  }

  /// Masked.
  static void send_reschedule() {
    TIMSK1 |= 1 << OCIE1B;
    TIFR1 = 1 << OCF1B;
    match_soon(OCR1B);
  }

 protected:
  // alarm_set() takes less, but a tick may begin within it.
  static constexpr uint16_t kNear = 2 + 64 / kPrescaler;
  inline static uint32_t alarm_ = 0;  // a far one

 private:
  /// The counter will leave this register's value as soon as it can be sure to: at the next tick of
  /// a slow clock, and before it can have passed while the value is written (12 cycles) of a fast
  /// one.
  static void match_soon(volatile uint16_t& compare) {
    if constexpr (kPrescaler >= 64) {
      const uint16_t count = TCNT1;
      compare = count;
      // A tick that began in between has just begun: it is not over before this is done.
      if (TCNT1 != count) compare = TCNT1;
    } else {
      compare = TCNT1 + 1 + 12 / kPrescaler;
    }
  }

  /// (The lower halves are enough for what is near. The kernel's reading of the clock is for
  /// a thread that may be charged, and deeper.)
  [[gnu::noinline]] static void match_if_passed(int32_t left, uint16_t instant, uint8_t state) {
    if (left <= 0 || static_cast<int16_t>(instant - TCNT1) <= 0) match_soon(OCR1A);
    SREG = state;
  }

  static uint16_t counter() {
    const uint8_t state = SREG;
    mask();
    const uint16_t value = TCNT1;
    SREG = state;
    return value;
  }
  /// now(), masked.
  [[gnu::always_inline]] static uint32_t read() {
    const uint16_t low = TCNT1;
    uint16_t high = hocket_clock_turns[0];
    if (overflow_pending(low)) [[unlikely]] {
      ++high;
    }
    return joined(high, low);
  }
  /// An overflow that has not been counted, because interrupts are masked, counts too: it is older
  /// than a low counter, and younger than a high one.
  static bool overflow_pending(uint16_t low) {
    if (!io_bit(_SFR_IO_ADDR(TIFR1), TOV1)) return false;
    return (low & 0x8000) == 0;
  }
  static void no_interrupt(uint8_t bit) { TIMSK1 &= static_cast<uint8_t>(~(1 << bit)); }
  // Not cli(): sketches have a function of that name.
  static void mask() { asm volatile("cli" ::: "memory"); }
  static uint32_t joined(uint16_t high, uint16_t low) { return uint32_t{high} << 16 | low; }
};

}  // namespace hocket::avr8
