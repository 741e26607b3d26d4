// digitalWrite() and its kin for pins that are known at compile time: the functions of pins.cpp,
// visible to the compiler. The chip's pins.h has defined the registers of its pins, and
// is_in_reach(): whether a pin is in a port that one instruction changes.
#pragma once

#ifdef __cplusplus
namespace hocket {
namespace uno {

/// One instruction for a pin in reach, so no interrupt handler can come between.
HOCKET_INLINE_ void change(Register& port, uint8_t bits, bool set) {
  if (set) {
    port = static_cast<uint8_t>(port | bits);
  } else {
    port = static_cast<uint8_t>(port & ~bits);
  }
}

}  // namespace uno
}  // namespace hocket

extern "C" {
extern inline __attribute__((always_inline, gnu_inline)) void digitalWrite(pin_size_t pin,
                                                                           int value)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(pin) && hocket::uno::exists(pin) && hocket::uno::is_in_reach(pin)) {
    // analogWrite() may have connected the pin to a timer. The check costs two instructions.
    const bool has_pwm = digitalPinHasPWM(pin) && hocket::uno::has_pwm_now(pin);
    if (!has_pwm) {  // the common path comes first, so that gcc falls through
      hocket::uno::change(hocket::uno::output_of(pin), hocket::uno::bit_of(pin), value != LOW);
      return;
    }
    hocket_digital_write(static_cast<uint8_t>(pin), value);
  } else {
    hocket_digital_write(static_cast<uint8_t>(pin), value);
  }
}
extern inline __attribute__((always_inline, gnu_inline)) int digitalRead(pin_size_t pin)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(pin) && hocket::uno::exists(pin)) {
    return (hocket::uno::input_of(pin) & hocket::uno::bit_of(pin)) != 0 ? HIGH : LOW;
  }
  return hocket_digital_read(static_cast<uint8_t>(pin));
}
extern inline __attribute__((always_inline, gnu_inline)) void pinMode(pin_size_t pin, int mode)
    HOCKET_REFUSE_PIN_(pin) {
  if (__builtin_constant_p(pin) && __builtin_constant_p(mode) && hocket::uno::exists(pin) &&
      hocket::uno::is_in_reach(pin) && (mode == OUTPUT || mode == INPUT || mode == INPUT_PULLUP)) {
    if (mode != OUTPUT) {
      hocket::uno::change(hocket::uno::output_of(pin), hocket::uno::bit_of(pin),
                          mode == INPUT_PULLUP);
    }
    hocket::uno::change(hocket::uno::direction_of(pin), hocket::uno::bit_of(pin), mode == OUTPUT);
  } else {
    hocket_pin_mode(static_cast<uint8_t>(pin), mode);
  }
}
extern inline __attribute__((always_inline, gnu_inline)) void analogWrite(pin_size_t pin, int value)
    HOCKET_REFUSE_PIN_(pin) {
  hocket_analog_write(pin, value);
}
}  // extern "C"

#include "pin_interrupts.h"
#include "tones.h"
#undef HOCKET_INLINE_
#endif
