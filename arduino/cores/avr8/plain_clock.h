// The clock of sketches without loops, for C++ (plain_clock.S). Its unit is the half microsecond,
// as of timer 1 in sketches with loops, but it advances by eight at a time.
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

extern "C" {
extern volatile uint32_t timer0_overflow_count;  // the stock core's name
extern volatile uint16_t hocket_clock_rounds;    // plain_long_clock.S
}

namespace hocket::uno {

class PlainClock {
 public:
  /// A raw reading, which takes 30 cycles. It is converted later.
  struct Reading {
    uint32_t turns;
    uint8_t counter;

    uint32_t ticks() const {
      return turns << (kCounterBits + kTicksBits) | static_cast<uint16_t>(counter << kTicksBits);
    }
  };

  /// Any context.
  [[gnu::always_inline]] static Reading read() {
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    Reading result;
    result.turns = timer0_overflow_count + overflow(result.counter);
    SREG = state;
    return result;
  }
  [[gnu::noinline]] static uint32_t now() { return read().ticks(); }

  /// All bits. Any context.
  static uint64_t long_now() {
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    uint8_t counter;
    const uint64_t turns =
        (uint64_t{hocket_clock_rounds} << 32 | timer0_overflow_count) + overflow(counter);
    SREG = state;
    return (turns << kCounterBits | counter) << kTicksBits;
  }

 private:
  static constexpr unsigned kCounterBits = 8, kTicksBits = 3;

  /// Masked. Reads the counter; returns whether it has overflowed without having been counted.
  [[gnu::always_inline]] static bool overflow(uint8_t& counter) {
    counter = TCNT0;
    if ((TIFR0 & (1 << TOV0)) == 0) return false;
    counter = TCNT0;  // the first reading may have been before the overflow
    return true;
  }
};

}  // namespace hocket::uno
