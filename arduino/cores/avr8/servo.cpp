// Servos on the Uno: one pulse after another, all of them every 20 ms.
//
//   pin 9   ┌──┐                                  ┌──┐
//   pin 10  │  └┐───┐                             │  └┐───┐
//           │ one after the other │ rest of 20 ms │
//
// The counter of the clock's timer measures a pulse. The handler is woken a little early and spins
// for the rest, so a pulse is exact to a microsecond. It is longer by the time that interrupts are
// masked at its end. In sketches with loops that timer is the clock, and timer 2 wakes the handler.
// Without loops, for which this file is compiled a second time, the same timer does.
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/pin_places.h"
#include "arduino/runtime/system.h"
#include "pins_arduino.h"
#include "ports/avr8/port.h"
#ifdef HOCKET_WITHOUT_LOOPS
#include "arduino/cores/avr8/plain_servo_timer.h"
#else
#include "arduino/cores/avr8/servo_timer.h"
#endif

namespace hocket::uno {
namespace {

constexpr uint8_t kServos = 12;
constexpr uint16_t kFrame = 20 * kTicksPerMillisecond;
constexpr uint16_t kLeastRest = kTicksPerMillisecond / 8;  // if the pulses fill the frame
constexpr uint16_t kEarly = ServoTimer::kEarly;

struct Pulse {
  uint8_t pin;
  uint16_t ticks;  // 0: the place is free
};
Pulse pulses[kServos];
Pulse* const kRest = pulses + kServos;  // the rest of the frame
Pulse* under_way = kRest;
uint8_t raised;  // the pin whose pulse is in progress
uint16_t frame_begun;
uint16_t begun;   // begin of this pulse, or of the rest
uint16_t length;  // its length

/// Takes as long for each pin.
[[gnu::noinline]] void write(uint8_t pin, bool high) {
  const Place place = input_of_place(pin);
  PinRegister port = at(place.input) + 2;
  *port = static_cast<uint8_t>(high ? *port | place.bit : *port & ~place.bit);
}

/// Begins the next pulse from this place on, or else the rest of the frame.
void begin_from(Pulse* pulse) {
  while (pulse != kRest && pulse->ticks == 0) ++pulse;
  under_way = pulse;
  begun = CLOCK_COUNT;
  if (pulse != kRest) {
    length = pulse->ticks;
    raised = pulse->pin;
    write(raised, true);
  } else {
    const uint16_t used = begun - frame_begun;
    length = used + kLeastRest < kFrame ? kFrame - used : kLeastRest;
  }
}

/// The pulse or rest in progress has ended: continues. Without any servo it frees the timer.
void go_on() {
  if (under_way != kRest) {
    write(raised, false);
    begin_from(under_way + 1);
    return;
  }
  frame_begun = CLOCK_COUNT;
  begin_from(pulses);
  if (under_way != kRest) return;
  ServoTimer::give_back();
}

/// Masked.
void take_timer() {
  ServoTimer::take();
  under_way = kRest;
  begun = frame_begun = CLOCK_COUNT;
  length = kFrame;  // what the sketch writes next is in the first pulse, as with the stock library
  ServoTimer::wake_after(length);
  ServoTimer::begin();
}

/// The place of this pin's pulse, or the first free one; null: there is no room.
Pulse* pulse_of(uint8_t pin) {
  Pulse* free = nullptr;
  for (Pulse* pulse = pulses + kServos; pulse-- != pulses;) {
    if (pulse->ticks == 0) {
      free = pulse;
    } else if (pulse->pin == pin) {
      return pulse;
    }
  }
  return free;
}

}  // namespace
}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(HOCKET_SERVO_VECT) {
  using namespace hocket::uno;
  uint16_t gone = CLOCK_COUNT - begun;
  if (gone + kEarly + kEarly / 2 >= length) {
    while (gone < length) gone = CLOCK_COUNT - begun;
    go_on();
    gone = 0;
  }
  if (ServoTimer::taken()) ServoTimer::wake_after(length - gone);
}

namespace hocket::sys {

using namespace uno;

/// Any loop, setup(). Returns false if there is no such pin or 12 have servos already. A pulse in
/// progress keeps its length.
bool servo_write(unsigned pin, uint32_t pulse_us) {
  constexpr uint32_t kLongestPulse = 10'000;
  if (pin >= NUM_DIGITAL_PINS || pulse_us > kLongestPulse) return false;
  const auto number = static_cast<uint8_t>(pin);
  const auto ticks = static_cast<uint16_t>(static_cast<uint16_t>(pulse_us) * kTicksPerMicrosecond);
  const Masked masked;
  Pulse* pulse = pulse_of(number);
  if (pulse == nullptr) return false;
  if (pulse->ticks == 0) hocket_digital_write(number, LOW);  // disconnects it from PWM
  pulse->pin = number;
  pulse->ticks = ticks;
  if (!ServoTimer::taken() && ticks != 0) take_timer();
  return true;
}

}  // namespace hocket::sys
