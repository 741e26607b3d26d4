// Stands in for the file of this name in the library FastLED, which has these functions for each
// processor that it knows (tools/hocket/stand_ins.py).
#pragma once

#include "fl/system/arduino.h"

namespace fl {
namespace platforms {

inline void pinMode(int pin, PinMode mode) {
  const auto own = static_cast<uint8_t>(pin);
  switch (mode) {
    case PinMode::Output:
      ::pinMode(own, OUTPUT);
      break;
    case PinMode::InputPullup:
      ::pinMode(own, INPUT_PULLUP);
      break;
    case PinMode::InputPulldown:
      ::pinMode(own, INPUT_PULLDOWN);
      break;
    default:
      ::pinMode(own, INPUT);
      break;
  }
}
inline void digitalWrite(int pin, PinValue value) {
  ::digitalWrite(static_cast<uint8_t>(pin), value == PinValue::Low ? LOW : HIGH);
}
inline PinValue digitalRead(int pin) {
  return ::digitalRead(static_cast<uint8_t>(pin)) == LOW ? PinValue::Low : PinValue::High;
}
inline u16 analogRead(int pin) {
  return static_cast<u16>(::analogRead(static_cast<uint8_t>(pin)));
}
inline void analogWrite(int pin, u16 value) {
  ::analogWrite(static_cast<uint8_t>(pin), value);
}
inline void setPwm16(int pin, u16 value) {
  ::analogWrite(static_cast<uint8_t>(pin), value >> 8);
}
/// The boards have one range.
inline void setAdcRange(AdcRange) {}

/// The board's PWM has one frequency: FastLED makes another by its own interrupt, or says that it
/// cannot.
inline bool needsPwmIsrFallback(int, u32) {
  return true;
}
inline int setPwmFrequencyNative(int, u32) {
  return -1;
}
inline u32 getPwmFrequencyNative(int) {
  return 0;
}

}  // namespace platforms
}  // namespace fl
