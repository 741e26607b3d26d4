// attachInterrupt() for pins with interrupts of their own: 2 and 3; of a Mega 21 to 18, too. The
// handler runs in the interrupt itself, masked, as on every Uno, even while the kernel is working.
// It must not wait: no delay(), and no Serial when its buffer is full. A loop that it wakes runs as
// soon as the handler ends, if it comes first (switch.S).
#include "arduino/api/Interrupts.h"

#include <avr/io.h>

#include "arduino/cores/avr8/chip.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/let_in.h"
#include "pins_arduino.h"
#include "ports/avr8/port.h"

extern "C" {

[[gnu::used]] voidFuncPtr hocket_handlers[hocket::uno::kExternalLines];

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
#ifdef __AVR_ATmega2560__
// Arduino's numbers are not the processor's: 0 and 1 are INT4 and INT5 (pins 2 and 3), 2 to 5 are
// INT0 to INT3 (pins 21 to 18).
HOCKET_ATTACHED_HANDLER(INT4_vect, 0);
HOCKET_ATTACHED_HANDLER(INT5_vect, 2);
HOCKET_ATTACHED_HANDLER(INT0_vect, 4);
HOCKET_ATTACHED_HANDLER(INT1_vect, 6);
HOCKET_ATTACHED_HANDLER(INT2_vect, 8);
HOCKET_ATTACHED_HANDLER(INT3_vect, 10);
#else
HOCKET_ATTACHED_HANDLER(INT0_vect, 0);
HOCKET_ATTACHED_HANDLER(INT1_vect, 2);
#endif

namespace {

#ifdef __AVR_ATmega2560__
/// The line's bit in EIMSK.
uint8_t line_of(uint8_t interrupt) {
  uint8_t line = 0x10;
  if (interrupt >= 2) {
    interrupt -= 2;
    line = 1;
  }
  for (; interrupt != 0; --interrupt) line = static_cast<uint8_t>(line << 1);
  return line;
}
/// Sets what the line reacts to. INT0 to INT3 have two bits each in EICRA, the others in EICRB.
void set_sense(uint8_t interrupt, uint8_t sense) {
  uint8_t others = 0xfc;
  for (uint8_t place = interrupt < 2 ? interrupt : interrupt - 2; place != 0; --place) {
    sense = static_cast<uint8_t>(sense << 2);
    others = static_cast<uint8_t>(others << 2 | 3);
  }
  if (interrupt < 2) {
    EICRB = static_cast<uint8_t>((EICRB & others) | sense);
  } else {
    EICRA = static_cast<uint8_t>((EICRA & others) | sense);
  }
}
#else
/// Bit 0 or 1 of EIMSK, for interrupt 0 or 1.
uint8_t line_of(uint8_t interrupt) {
  return static_cast<uint8_t>(interrupt + 1);
}
#endif

}  // namespace

static_assert(LOW == 0 && CHANGE == 1 && FALLING == 2 && RISING == 3,
              "the modes are the values of EICRA");

/// An invalid mode counts as RISING. (Data sheet, 13.2.1.) Both functions are written for a
/// processor that shifts one bit at a time.
void hocket_attach_external(uint8_t interrupt, voidFuncPtr handler, int mode) {
  if (interrupt >= hocket::uno::kExternalLines || handler == nullptr) return;
  auto sense = static_cast<uint8_t>(mode >= LOW && mode <= RISING ? mode : RISING);
#ifndef __AVR_ATmega2560__
  uint8_t others = 0xfc;
  if (interrupt != 0) {
    sense = static_cast<uint8_t>(sense << 2);
    others = 0xf3;
  }
#endif
  const uint8_t line = line_of(interrupt);
  const hocket::uno::Masked masked;
  hocket_detach_external(interrupt);
  hocket_handlers[interrupt] = handler;
#ifdef __AVR_ATmega2560__
  set_sense(interrupt, sense);
#else
  EICRA = static_cast<uint8_t>((EICRA & others) | sense);
#endif
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
  if (interrupt >= hocket::uno::kExternalLines) return;
  const auto others = static_cast<hocket::uno::LineSet>(~line_of(interrupt));
  const hocket::uno::Masked masked;
  EIMSK = static_cast<uint8_t>(EIMSK & others);
#ifndef HOCKET_WITHOUT_LOOPS
  hocket::uno::hocket_storm.held &= others;
#endif
  hocket::uno::hocket_storm.attached &= others;
  // The end of an SPI transaction must not enable it again.
  if (&hocket_spi_opens != nullptr) hocket_spi_opens &= static_cast<uint8_t>(others);
}

}  // extern "C"
