// Interrupt lines on AVR (ports/contract/lines.h): pins 2 and 3, which have lines of their own, and
// the pin changes of each I/O port.
//
//   Int0, Int1             an edge is a rising one, a level is low (which edge: EICRA, while masked)
//   PinsB, PinsC, PinsD    an edge is any change of a pin that PCMSK0 … PCMSK2 let through
//
// One level, one core. A handler may use the kernel, but vectors of devices do not enter the kernel
// (port.h). A vector therefore notes that its line is due, and clears the line's enable bit until
// the handler has run, at the end of the kernel section or of the interrupt (act_upon_lines). So a
// line interrupts once meanwhile, and the hardware flag keeps one edge. An image that attaches
// handlers at run time uses HOCKET_AVR8_LINES, which defines the vectors, and passes
// act_upon_lines() to HOCKET_AVR8_VECTORS. Other images contain nothing of this. (ATmega328P data
// sheet, chapter 13.)
#pragma once

#include <avr/io.h>

#include "ports/avr8/clock.h"
#include "ports/contract/lines.h"

extern "C" {
struct hocket_avr8_line {
  hocket::port::LineHandler handler;
  void* argument;
};
struct hocket_avr8_line_table {
  hocket_avr8_line lines[5];  // by Line
  volatile uint8_t unmasked;  // bits by Line
  volatile uint8_t due;       // lines whose handlers must run when they are unmasked
};
/// Defined with the vectors (HOCKET_AVR8_LINES): code that attaches without them does not link.
extern hocket_avr8_line_table hocket_avr8_lines;
/// HOCKET_AVR8_VECTORS. Masked.
void hocket_send_reschedule();
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
      const auto shift = static_cast<uint8_t>(2 * static_cast<uint8_t>(line));
      const uint8_t sense = use.trigger == port::Trigger::Edge ? 3 : 0;
      EICRA = static_cast<uint8_t>((EICRA & ~(3 << shift)) | (sense << shift));
    } else if (use.trigger != port::Trigger::Edge) {
      return false;
    }
    hocket_avr8_lines.lines[static_cast<uint8_t>(line)] = {handler, argument};
    line_acknowledge(line);
    return true;
  }

  // These are for handlers and threads.

  static void line_mask(Line line) {
    const Masked masked;
    hocket_avr8_lines.unmasked &= static_cast<uint8_t>(~mark(line));
    let_in(line, false);
  }
  static void line_unmask(Line line) {
    const Masked masked;
    hocket_avr8_lines.unmasked |= mark(line);
    if ((hocket_avr8_lines.due & mark(line)) == 0) return let_in(line, true);
    set_flag<kRecorded>();
    if (!flag<kKernel>()) hocket_send_reschedule();
  }
  static void line_acknowledge(Line line) {
    const Masked masked;
    (is_external(line) ? EIFR : PCIFR) = enable_of(line);
    hocket_avr8_lines.due &= static_cast<uint8_t>(~mark(line));
    if ((hocket_avr8_lines.unmasked & mark(line)) != 0) let_in(line, true);
  }
  [[nodiscard]] static bool line_pending(Line line) {
    if (has_level(line)) return holds(line);
    if ((hocket_avr8_lines.due & mark(line)) != 0) return true;
    return ((is_external(line) ? EIFR : PCIFR) & enable_of(line)) != 0;
  }
  [[nodiscard]] static bool line_route(Line, port::Level, CoreId core) { return core == 0; }

  /// In a vector, masked: notes that the line's handler must run.
  [[gnu::always_inline]] static void line_came(Line line) {
    let_in(line, false);
    hocket_avr8_lines.due |= mark(line);
    set_flag<kRecorded>();
  }
  /// Runs the handlers of due lines. In the kernel.
  static void act_upon_lines() {
    for (uint8_t number = 0; number < kLines; ++number) {
      const auto line = static_cast<Line>(number);
      if (!takes(line)) continue;
      // A level may be gone by now.
      const hocket_avr8_line& entry = hocket_avr8_lines.lines[number];
      if (!has_level(line) || holds(line)) entry.handler(entry.argument);
      // Only now, because a level that still stands interrupts again.
      const Masked masked;
      const uint8_t waits = hocket_avr8_lines.unmasked & ~hocket_avr8_lines.due;
      if ((waits & mark(line)) != 0) let_in(line, true);
    }
  }

 private:
  static constexpr uint8_t kLines = 5;

  struct Masked {
    const uint8_t state = SREG;
    Masked() { asm volatile("cli" ::: "memory"); }
    ~Masked() {
      asm volatile("" ::: "memory");
      SREG = state;
    }
  };

  static constexpr bool is_external(Line line) { return line <= Line::Int1; }
  static constexpr uint8_t mark(Line line) {
    return static_cast<uint8_t>(1 << static_cast<uint8_t>(line));
  }
  /// The line's bit in EIMSK and EIFR, or in PCICR and PCIFR.
  static constexpr uint8_t enable_of(Line line) {
    return static_cast<uint8_t>(is_external(line) ? mark(line) : mark(line) >> 2);
  }
  static bool has_level(Line line) {
    return is_external(line) && (EICRA >> 2 * static_cast<uint8_t>(line) & 3) == 0;
  }
  /// A level sets no flag: it is pending while the pin (PD2, PD3) is low.
  static bool holds(Line line) { return (PIND & mark(line) << PD2) == 0; }

  /// Masked, because handlers change the same registers.
  static void let_in(Line line, bool in) {
    volatile uint8_t& enabled = is_external(line) ? EIMSK : PCICR;
    const uint8_t others = enabled & static_cast<uint8_t>(~enable_of(line));
    enabled = static_cast<uint8_t>(in ? others | enable_of(line) : others);
  }
  /// Whether the line's handler must run now. Clears the mark until the next edge.
  static bool takes(Line line) {
    const Masked masked;
    if ((hocket_avr8_lines.unmasked & hocket_avr8_lines.due & mark(line)) == 0) return false;
    hocket_avr8_lines.due &= static_cast<uint8_t>(~mark(line));
    return true;
  }
};

}  // namespace hocket::avr8

/// The vectors of all five lines. Use this once per image.
#define HOCKET_AVR8_LINES                     \
  hocket_avr8_line_table hocket_avr8_lines{}; \
  HOCKET_AVR8_LINE_(INT0_vect, Int0)          \
  HOCKET_AVR8_LINE_(INT1_vect, Int1)          \
  HOCKET_AVR8_LINE_(PCINT0_vect, PinsB)       \
  HOCKET_AVR8_LINE_(PCINT1_vect, PinsC)       \
  HOCKET_AVR8_LINE_(PCINT2_vect, PinsD)
#define HOCKET_AVR8_LINE_(vector, line)                              \
  HOCKET_AVR8_WAKING_HANDLER(vector) {                               \
    hocket::avr8::Lines::line_came(hocket::avr8::Lines::Line::line); \
  }
