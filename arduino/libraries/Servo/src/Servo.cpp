// Servo on the board's servo timer. See Servo.h.
#include "Servo.h"

#ifdef __AVR__
#include <Arduino.h>
#endif
#include "arduino/runtime/system.h"

namespace {

constexpr int kHalfTurn = 180;

int within(int value, int low, int high) {
  return value < low ? low : (value > high ? high : value);
}

}  // namespace

uint8_t Servo::attach(int pin, int min, int max) {
  const unsigned number = static_cast<unsigned>(pin);
#ifdef __AVR__
  pinMode(number, OUTPUT);  // servo_write() refuses a pin that there is not
#else
  if (!hocket::sys::pin_mode(number, hocket::sys::PinMode::Output)) return INVALID_SERVO;
#endif
  if (attached() && pin != pin_) detach();
  min_ = min < max ? min : max;
  max_ = min < max ? max : min;
  pulse_ = within(pulse_, min_, max_);
  if (!hocket::sys::servo_write(number, static_cast<uint32_t>(pulse_))) return INVALID_SERVO;
  pin_ = pin;
  return static_cast<uint8_t>(pin);
}

void Servo::detach() {
  if (!attached()) return;
  hocket::sys::servo_write(static_cast<unsigned>(pin_), 0);
  pin_ = kNone;
}

void Servo::write(int value) {
  if (value >= MIN_PULSE_WIDTH) {
    writeMicroseconds(value);
  } else {
    const int degrees = within(value, 0, kHalfTurn);
    writeMicroseconds(min_ + static_cast<int>(int32_t{degrees} * (max_ - min_) / kHalfTurn));
  }
}

void Servo::writeMicroseconds(int us) {
  pulse_ = within(us, min_, max_);
  if (attached())
    hocket::sys::servo_write(static_cast<unsigned>(pin_), static_cast<uint32_t>(pulse_));
}

int Servo::read() const {
  if (min_ == max_) return 0;
  // Rounded to the nearest degree, so that read() returns what was written.
  const int32_t range = max_ - min_;
  return static_cast<int>((int32_t{pulse_ - min_} * kHalfTurn + range / 2) / range);
}
