// Timer 1 as the kernel's clock: free-running, extended by the count of its overflows.
//
//   hocket_clock_turns   TCNT1
//   [     4 bytes     ][2 bytes]   48 bits never wrap: 2^48 ticks are 4.4 years at 2 MHz
//          [2 bytes   ][2 bytes]   the kernel's 32 bits wrap: kernel/base/time.h
//
// Compare A is the alarm. Compare B is the reschedule interrupt, for a core without a software
// interrupt. The counter is never written, because that would restart its prescaler and lose time.
// (ATmega328P data sheet, chapter 16.)
//
// An alarm that is farther away than the counter's 16 bits waits for a near enough overflow
// (kFarAlarm).
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

#include "ports/avr8/circular_order.h"
#include "ports/avr8/clock_timer.h"
#include "ports/avr8/flags.h"
#include "ports/avr8/io_bit.h"

// The number of overflows of the counter, lower half first. Only the overflow interrupt writes it
// (clock.S).
extern "C" volatile uint16_t hocket_clock_turns[2];

extern "C" {
/// Ticks that pin handlers have taken in a section of the kernel, since the section's last reading
/// of the clock (switch.S; arduino/cores/avr8/storm.h). kRecorded is set with them.
extern volatile uint16_t hocket_taken_in_section;
/// Clock::now_masked() after such handlers: their time does not belong to the running thread
/// (switch.S).
uint32_t hocket_now_behind_handlers(uint8_t state);
}

namespace hocket::avr8 {

// One instruction each, so no interrupt that changes another flag can come in between.
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

/// Timer 1's clock select bits for this many processor cycles per tick (data sheet, table 16-5); 0:
/// there is no such prescaler.
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

/// `kPrescaler`: processor cycles per tick. With 1, the kernel's instants are 32 bits of cycles and
/// wrap after 4.5 minutes at 16 MHz.
template <unsigned kPrescaler>
class Clock {
  static_assert(clock_select(kPrescaler) != 0, "timer 1 divides by 1, 8, 64, 256 or 1024");

 public:
  /// Masked, once, before anything else.
  static void start() {
    CLOCK_CONTROL_A = 0;
    CLOCK_MASKS = 1 << TOIE1;
    CLOCK_CONTROL_B = clock_select(kPrescaler);
  }

  // Reading: the turns, the counter, and the turns again, until no overflow came in between.
  // Interrupts are therefore masked only while the two halves of the counter are read, for 5 cycles
  // (they go through a register that handlers use too: data sheet, 16.3). No edge waits longer for
  // its handler because of the clock.

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
      // The lower half is read before the upper one, and again at the end. An overflow that carries
      // into the upper half also changes the lower one, so it is detected wherever it comes.
      const uint16_t turns = hocket_clock_turns[0];
      const uint32_t high = joined(hocket_clock_turns[1], turns);
      const uint16_t low = counter();
      const bool pending = overflow_pending(low);
      if (turns == hocket_clock_turns[0]) return uint64_t{high + pending} << 16 | low;
    }
  }

  /// A shorter now() for the kernel, which masks interrupts for all of its 20 cycles. The time that
  /// pin handlers have taken in this section does not belong to the thread that stops here.
  static uint32_t now_masked() {
    const uint8_t state = SREG;
    mask();
    if (hocket_taken_in_section != 0) [[unlikely]]
      return hocket_now_behind_handlers(state);
    return now_masked(state);
  }
  /// Masked. `state` is the former status register, and is restored.
  static uint32_t now_masked(uint8_t state) {
    const uint32_t time = read();
    SREG = state;
    return time;
  }

  // --- In a section of the kernel (port.h). The clock's own handlers use these registers too, so
  // interrupts are masked for some 70 cycles. ---

  /// The flag is set when the counter leaves the compare register's value (data sheet, figure
  /// 16-11). With the value of the tick before, the interrupt comes at the first cycle of
  /// `instant`.
  static void alarm_set(uint32_t instant) {
    const uint8_t state = SREG;
    mask();
    clear_flag<kTimerDue>();  // from an earlier request
    const uint32_t left = instant - read();
    if (static_cast<int16_t>(left >> 16) > 0) {
      alarm_ = instant;
      CLOCK_MASKS = 1 << TOIE1 | (CLOCK_MASKS & 1 << OCIE1B);
      set_flag<kFarAlarm>();
    } else {
      clear_flag<kFarAlarm>();
      CLOCK_COMPARE_A = static_cast<uint16_t>(instant - 1);
      CLOCK_FLAGS = 1 << OCF1A;
      CLOCK_MASKS |= 1 << OCIE1A;
      // An instant this near may have passed before the register was written.
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
  /// The counter has wrapped while a far alarm waits. Called in a handler.
  static void alarm_nearer() { alarm_set(alarm_); }
  /// The interrupt of the alarm, or of reschedule, has come.
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
    CLOCK_MASKS |= 1 << OCIE1B;
    CLOCK_FLAGS = 1 << OCF1B;
    match_soon(CLOCK_COMPARE_B);
  }

 protected:
  // alarm_set() takes less time, but a tick may begin within it.
  static constexpr uint16_t kNear = 2 + 64 / kPrescaler;
  inline static uint32_t alarm_ = 0;  // instant of a far alarm

  /// To be compared by itself: clang for AVR compares 32 bits in three times as many cycles.
  [[gnu::always_inline]] static uint16_t upper_half(uint32_t ticks) {
    auto half = static_cast<uint16_t>(ticks >> 16);
    asm("" : "+r"(half));
    return half;
  }
  /// alarm_set() for a far alarm, in the overflow's handler: calls nothing and does less, because
  /// an interrupt's entry may have to wait for it (movable_alarm.h adds to it).
  [[gnu::always_inline]] static void nearer(uint32_t instant) {
    const uint32_t left = instant - joined(hocket_clock_turns[0], CLOCK_COUNT);
    auto ticks = static_cast<uint16_t>(left);
    if (const uint16_t turns = upper_half(left); turns != 0) {
      if ((turns & 0x8000) == 0) return;
      ticks = 0;  // it has passed
    }
    clear_flag<kFarAlarm>();
    CLOCK_FLAGS = 1 << OCF1A;
    CLOCK_MASKS |= 1 << OCIE1A;
    if (ticks < kNear) {
      match_soon(CLOCK_COMPARE_A);
    } else {
      CLOCK_COMPARE_A = static_cast<uint16_t>(instant - 1);
      CLOCK_FLAGS = 1 << OCF1A;
    }
  }

 private:
  /// Makes the counter match this register as soon as is safe. For a slow clock, that is the next
  /// tick. For a fast clock, it is a value that the counter cannot pass while the register is
  /// written (12 cycles).
  static void match_soon(volatile uint16_t& compare) {
    if constexpr (kPrescaler >= 64) {
      const uint16_t count = CLOCK_COUNT;
      compare = count;
      // A tick that began in between has just begun, and does not end before this is done.
      if (CLOCK_COUNT != count) compare = CLOCK_COUNT;
    } else {
      compare = CLOCK_COUNT + 1 + 12 / kPrescaler;
    }
  }

  /// For a near instant the lower halves suffice. (The kernel's reading of the clock is for a
  /// thread that may be charged, and uses more stack.)
  [[gnu::noinline]] static void match_if_passed(int32_t left, uint16_t instant, uint8_t state) {
    if (left <= 0 || static_cast<int16_t>(instant - CLOCK_COUNT) <= 0) match_soon(CLOCK_COMPARE_A);
    SREG = state;
  }

  static uint16_t counter() {
    const uint8_t state = SREG;
    mask();
    const uint16_t value = CLOCK_COUNT;
    SREG = state;
    return value;
  }
  /// now(), masked.
  [[gnu::always_inline]] static uint32_t read() {
    const uint16_t low = CLOCK_COUNT;
    uint16_t high = hocket_clock_turns[0];
    if (overflow_pending(low)) [[unlikely]] {
      ++high;
    }
    return joined(high, low);
  }
  /// An overflow that is not counted yet, because interrupts are masked, counts too. It happened
  /// before a low counter value was read, and after a high one.
  static bool overflow_pending(uint16_t low) {
    if (!io_bit(_SFR_IO_ADDR(CLOCK_FLAGS), TOV1)) return false;
    return (low & 0x8000) == 0;
  }
  static void no_interrupt(uint8_t bit) { CLOCK_MASKS &= static_cast<uint8_t>(~(1 << bit)); }
  // Not cli(): sketches have a function of that name.
  static void mask() { asm volatile("cli" ::: "memory"); }
  static uint32_t joined(uint16_t high, uint16_t low) { return uint32_t{high} << 16 | low; }
};

}  // namespace hocket::avr8
