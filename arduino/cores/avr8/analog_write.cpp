// analogWrite() where the pin is one of timer 1's, 9 and 10, or known when the sketch runs only.
// Timer 1 is the clock; in sketches without loops, for which this file is compiled a second time
// (HOCKET_WITHOUT_LOOPS), its compare units make PWM on these pins (clock_pwm.cpp).
#include "arduino/api/Common.h"
#include "arduino/cores/avr8/clock_pwm.h"

extern "C" {
void hocket_pin_mode(pin_size_t pin, int mode);
void hocket_analog_write(pin_size_t pin, int value);  // by the other timers
int hocket_duty(int value) __attribute__((weak));     // analog_resolution.cpp
}
asm(".weak hocket_duty");  // as in core.cpp

extern "C" void hocket_analog_write_any(pin_size_t pin, int value) {
#ifdef HOCKET_WITHOUT_LOOPS
  if (pin == 9 || pin == 10) {
    const int duty = &hocket_duty != nullptr ? hocket_duty(value) : value;
    if (duty > 0 && duty < 255) {
      hocket_pin_mode(pin, OUTPUT);
      return hocket::uno::clock_pwm(pin, static_cast<uint8_t>(duty));
    }
  }
#endif
  hocket_analog_write(pin, value);
}

// For who takes its address (pins_arduino.h has it in line).
extern "C" void analogWrite(pin_size_t pin, int value) {
  hocket_analog_write_any(pin, value);
}
