// attachInterrupt() for pins 2 and 3. The handler runs in the interrupt itself, masked, as on every
// Uno, even while the kernel is working. It must not wait: no delay(), and no Serial when its
// buffer is full. A loop that it wakes runs as soon as the handler ends, if it comes first
// (switch.S).
#include "arduino/api/Interrupts.h"

#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/let_in.h"
#include "pins_arduino.h"
#include "ports/avr8/port.h"

extern "C" {

[[gnu::used]] voidFuncPtr hocket_handlers[2];

// Like the beginning of HOCKET_AVR8_WAKING_HANDLER, with the attached function.
#define HOCKET_ATTACHED_HANDLER_(vector, place) \
  asm(".section .text." #vector                 \
      ",\"ax\",@progbits\n"                     \
      ".global " #vector "\n" #vector           \
      ":\n"                                     \
      " push r30\n"                             \
      " push r31\n"                             \
      " lds r30, hocket_handlers+" #place       \
      "\n"                                      \
      " lds r31, hocket_handlers+" #place       \
      "+1\n"                                    \
      " jmp hocket_pin_interrupt\n"             \
      " .text\n")
#define HOCKET_ATTACHED_HANDLER(vector, place) HOCKET_ATTACHED_HANDLER_(vector, place)

// Without a kernel only the registers are saved. (With one, switch.S is linked and its strong
// symbol wins.)
asm(".section .text.hocket_pin_interrupt,\"ax\",@progbits\n"
    ".weak hocket_pin_interrupt\n"
    "hocket_pin_interrupt:\n"
    " push r0\n in r0, 0x3f\n push r0\n push r1\n clr r1\n"
    " .irp register, 18,19,20,21,22,23,24,25,26,27\n push r\\register\n .endr\n"
    " icall\n"
    " .irp register, 27,26,25,24,23,22,21,20,19,18\n pop r\\register\n .endr\n"
    " pop r1\n pop r0\n out 0x3f, r0\n pop r0\n pop r31\n pop r30\n reti\n"
    " .text\n");

HOCKET_REFILL_VECTOR
HOCKET_ATTACHED_HANDLER(INT0_vect, 0);
HOCKET_ATTACHED_HANDLER(INT1_vect, 2);

namespace {
/// Bit 0 or 1 of EIMSK, for interrupt 0 or 1.
uint8_t line_of(uint8_t interrupt) {
  return static_cast<uint8_t>(interrupt + 1);
}
}  // namespace

static_assert(LOW == 0 && CHANGE == 1 && FALLING == 2 && RISING == 3,
              "the modes are the values of EICRA");

/// An invalid mode counts as RISING. (Data sheet, 13.2.1.) Both functions are written for a
/// processor that shifts one bit at a time.
void hocket_attach_external(uint8_t interrupt, voidFuncPtr handler, int mode) {
  if (interrupt > 1 || handler == nullptr) return;
  auto sense = static_cast<uint8_t>(mode >= LOW && mode <= RISING ? mode : RISING);
  uint8_t others = 0xfc;
  if (interrupt != 0) {
    sense = static_cast<uint8_t>(sense << 2);
    others = 0xf3;
  }
  const uint8_t line = line_of(interrupt);
  const hocket::uno::Masked masked;
  hocket_detach_external(interrupt);
  hocket_handlers[interrupt] = handler;
  EICRA = static_cast<uint8_t>((EICRA & others) | sense);
  EIFR = line;  // discards edges from before
  hocket::uno::hocket_storm.attached |= line;
  if (hocket::uno::waits_for_spi(line)) return;
#ifdef HOCKET_WITHOUT_LOOPS
  EIMSK = static_cast<uint8_t>(EIMSK | line);
#else
  hocket::uno::let_in(line);
#endif
}

void hocket_detach_external(uint8_t interrupt) {
  if (interrupt > 1) return;
  const auto others = static_cast<uint8_t>(~line_of(interrupt));
  const hocket::uno::Masked masked;
  EIMSK = static_cast<uint8_t>(EIMSK & others);
#ifndef HOCKET_WITHOUT_LOOPS
  hocket::uno::hocket_storm.held &= others;
#endif
  hocket::uno::hocket_storm.attached &= others;
  // The end of an SPI transaction must not enable it again.
  if (&hocket_spi_opens != nullptr) hocket_spi_opens &= others;
}

}  // extern "C"
