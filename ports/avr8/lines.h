// Interrupt lines on AVR (port/lines.h): pins 2 and 3 of their own, and the changing pins of a
// port.
//
//   Int0, Int1             an edge is a rising one, a level is low (which edge: EICRA, while masked)
//   PinsB, PinsC, PinsD    an edge is any change of a pin that PCMSK0 … PCMSK2 let through
//
// One level, one core. The mask is the vector's enable bit; the flag behind it keeps one edge. An
// image that attaches handlers at run time says so with HOCKET_AVR8_LINES, which defines the
// vectors; in all others there is nothing of it. (ATmega328P data sheet, chapter 13.)
#pragma once

#include <avr/io.h>

#include "port/lines.h"

extern "C" {
struct hocket_avr8_line {
  hocket::port::LineHandler handler;
  void* argument;
};
/// By Line. Defined where the vectors are (HOCKET_AVR8_LINES): who attaches without them does not
/// link.
extern hocket_avr8_line hocket_avr8_lines[5];
}

namespace hocket::avr8 {

struct Lines {
  enum class Line : uint8_t { Int0, Int1, PinsB, PinsC, PinsD };
  static constexpr unsigned kLineLevels = 1;
  static constexpr bool kShowsMaskedLines = true;

  [[nodiscard]] static bool line_attach(Line line, port::LineHandler handler, void* argument,
                                        port::LineUse use) {
    line_mask(line);
    if (use.core != 0) return false;
    if (is_external(line)) {
      const auto shift = static_cast<uint8_t>(2 * number(line));
      const uint8_t sense = use.trigger == port::Trigger::Edge ? 3 : 0;
      EICRA = static_cast<uint8_t>((EICRA & ~(3 << shift)) | (sense << shift));
    } else if (use.trigger != port::Trigger::Edge) {
      return false;
    }
    hocket_avr8_lines[static_cast<uint8_t>(line)] = {handler, argument};
    line_acknowledge(line);
    return true;
  }

  // In a handler, which is masked, as in a thread.

  [[gnu::always_inline]] static void line_mask(Line line) {
    if (is_external(line)) {
      change(EIMSK, static_cast<uint8_t>(~flag(line)), 0);
    } else {
      change(PCICR, static_cast<uint8_t>(~flag(line)), 0);
    }
  }
  [[gnu::always_inline]] static void line_unmask(Line line) {
    if (is_external(line)) {
      change(EIMSK, 0xff, flag(line));
    } else {
      change(PCICR, 0xff, flag(line));
    }
  }
  [[gnu::always_inline]] static void line_acknowledge(Line line) {
    (is_external(line) ? EIFR : PCIFR) = flag(line);
  }
  [[nodiscard]] static bool line_pending(Line line) {
    if (!is_external(line)) return (PCIFR & flag(line)) != 0;
    if ((EIFR & flag(line)) != 0) return true;
    // A level sets no flag: it is pending while the pin (PD2, PD3) is low.
    const auto sense = static_cast<uint8_t>(EICRA >> 2 * number(line) & 3);
    return sense == 0 && (PIND & flag(line) << PD2) == 0;
  }
  [[nodiscard]] static bool line_route(Line, port::Level, CoreId core) { return core == 0; }

 private:
  static constexpr bool is_external(Line line) { return line <= Line::Int1; }
  static constexpr uint8_t number(Line line) {
    return static_cast<uint8_t>(static_cast<uint8_t>(line) - (is_external(line) ? 0 : 2));
  }
  static constexpr uint8_t flag(Line line) { return static_cast<uint8_t>(1 << number(line)); }

  /// Masked meanwhile: handlers change the same registers.
  [[gnu::always_inline]] static void change(volatile uint8_t& mask, uint8_t keep, uint8_t add) {
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    mask = static_cast<uint8_t>((mask & keep) | add);
    SREG = state;
  }
};

}  // namespace hocket::avr8

/// The vectors of all five lines, once in an image.
#define HOCKET_AVR8_LINES                             \
  extern "C" hocket_avr8_line hocket_avr8_lines[5]{}; \
  HOCKET_AVR8_LINE_(INT0_vect, 0)                     \
  HOCKET_AVR8_LINE_(INT1_vect, 1)                     \
  HOCKET_AVR8_LINE_(PCINT0_vect, 2)                   \
  HOCKET_AVR8_LINE_(PCINT1_vect, 3)                   \
  HOCKET_AVR8_LINE_(PCINT2_vect, 4)
#define HOCKET_AVR8_LINE_(vector, number)                     \
  HOCKET_AVR8_KERNEL_HANDLER(vector) {                        \
    const hocket_avr8_line& line = hocket_avr8_lines[number]; \
    line.handler(line.argument);                              \
  }
