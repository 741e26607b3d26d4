// What the functions of pins of all boards with an AVR share before the registers are known: the
// refusals of pins that are constants, and the functions that are not in line. The chip's pins.h
// has defined:
//
//   HOCKET_PINS_ARE_            text: all its pins
//   HOCKET_ANALOG_INPUTS_ARE_   text: all its analog inputs
//   HOCKET_NO_PIN_(n)           whether calls of digital pins refuse this number
//   HOCKET_NO_ANALOG_INPUT_(n)  whether analogRead() has no such pin and no such number
#pragma once

#include "api/Common.h"

#ifdef __cplusplus
#define HOCKET_INLINE_ inline __attribute__((always_inline))
/// Refuses a call whose arguments are constants that make `condition` true. CMakeLists.txt makes it
/// an error for sketches. Libraries are compiled with -w, because they are written for many boards.
#ifdef __clang__
#define HOCKET_REFUSE_(condition, message) \
  __attribute__((diagnose_if(condition, message, "warning")))
#else
#define HOCKET_REFUSE_(condition, message)  // clang has already checked the sketch (avr_gcc.py)
#endif
/// Libraries use -1 for a pin that is not connected.
#define HOCKET_REFUSE_PIN_(pin)                                    \
  HOCKET_REFUSE_(HOCKET_NO_PIN_(pin) && (pin) != (pin_size_t) - 1, \
                 HOCKET_BOARD_IS " has no such pin: its pins are " HOCKET_PINS_ARE_)

extern "C" {
int analogRead(pin_size_t pin)
    HOCKET_REFUSE_(HOCKET_NO_ANALOG_INPUT_(pin) && (pin) != (pin_size_t)-1, HOCKET_BOARD_IS
                   " has no such analog input: they are " HOCKET_ANALOG_INPUTS_ARE_);
unsigned long pulseIn(pin_size_t pin, int state, unsigned long timeout) HOCKET_REFUSE_PIN_(pin);
unsigned long pulseInLong(pin_size_t pin, int state, unsigned long timeout) HOCKET_REFUSE_PIN_(pin);
void shiftOut(pin_size_t data, pin_size_t clock, int order, uint8_t value) HOCKET_REFUSE_PIN_(data)
    HOCKET_REFUSE_PIN_(clock);
uint8_t shiftIn(pin_size_t data, pin_size_t clock, int order) HOCKET_REFUSE_PIN_(data)
    HOCKET_REFUSE_PIN_(clock);
}
void noTone(pin_size_t pin) HOCKET_REFUSE_PIN_(pin);

// --- Pins known at compile time ---
//
// These are the functions of pins.cpp, visible to the compiler. With a constant pin each becomes
// one instruction (sbi, cbi, sbis); otherwise it becomes a call.

extern "C" {
// The pin is a byte, as on the stock core: a second register would be loaded for each call.
void hocket_pin_mode(uint8_t pin, int mode);
void hocket_digital_write(uint8_t pin, int value);
int hocket_digital_read(uint8_t pin);
void hocket_analog_write(pin_size_t pin, int value);

// For sketches without loops: main() calls both first. A sketch may define the second, or a main()
// of its own that calls the first.
void init(void);
void initVariant(void);
}
#endif
