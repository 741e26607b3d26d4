// The board's own pins (see devices.h).
#include "arduino/cores/protected/kernel/devices.h"

#include "arduino/surroundings/native/native.h"

namespace hocket::devices {

using native::Pins;

unsigned pin_count() {
  return Pins::kCount;
}
unsigned analog_base() {
  return Pins::kCount;
}
unsigned analog_count() {
  return 0;
}

bool pin_mode(unsigned pin, sys::PinMode mode) {
  return Pins::mode(pin, mode);
}
bool pin_write(unsigned pin, bool high) {
  return Pins::write(pin, high);
}
int pin_read(unsigned pin) {
  return Pins::read(pin);
}

int64_t analog_read(unsigned, unsigned) {
  return 0;
}
int64_t pwm_write(unsigned, unsigned, unsigned) {
  return 0;
}
int64_t tone_start(unsigned, unsigned, unsigned) {
  return 0;
}
int64_t tone_stop(unsigned) {
  return 0;
}
int64_t servo_write(unsigned, unsigned) {
  return 0;
}

}  // namespace hocket::devices
