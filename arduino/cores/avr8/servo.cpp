// Servos on the Uno: one pulse after the other, all of them every 20 ms.
//
//   pin 9   ┌──┐                                  ┌──┐
//   pin 10  │  └┐───┐                             │  └┐───┐
//           │ one after the other │ rest of 20 ms │
//
// The clock (timer 1) says how long a pulse has lasted, timer 2 only wakes the handler: in long
// steps of 8 us a count, the last one in steps of a tick, a little early; the rest is waited for.
// So a pulse is exact to a microsecond, and lasts longer by as long as interrupts are masked at its
// end. tone() has the same timer: a sketch has one of the two. (Data sheet, chapter 18.)
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"
#include "pins_arduino.h"
#include "ports/avr8/port.h"

/// analogWrite() leaves the timer alone while this is not 0.
extern "C" volatile uint8_t hocket_timer2_taken;
volatile uint8_t hocket_timer2_taken = 0;

namespace hocket::uno {
namespace {

constexpr uint8_t kServos = 12;
constexpr uint16_t kFrame = 20 * kTicksPerMillisecond;
constexpr uint16_t kLeastRest = kTicksPerMillisecond / 8;  // where the pulses fill the frame
constexpr uint16_t kEarly = 20;                            // ticks: until the handler looks
constexpr uint16_t kTicksPerLongCount = 16;
/// The flag comes a count behind the match, and the divider, which nobody sets back, may be
/// anywhere in one.
constexpr uint16_t kLateCounts = 2;
constexpr uint8_t kEveryTick = 1 << CS21;                   // 8 cycles
constexpr uint8_t kLongCounts = (1 << CS22) | (1 << CS20);  // 128 cycles

struct Pulse {
  uint8_t pin;
  uint16_t ticks;  // 0: a place that is free
};
Pulse pulses[kServos];
constexpr uint8_t kRest = kServos;  // of the frame
uint8_t under_way = kRest;
uint8_t raised;  // the pin whose pulse is under way
uint16_t frame_begun;
uint16_t begun;   // of this pulse, or of the rest
uint16_t length;  // of it

void write(uint8_t pin, bool high) {
  volatile uint8_t& port = output_of(pin);
  port = static_cast<uint8_t>(high ? port | bit_of(pin) : port & ~bit_of(pin));
}

/// Wakes the handler after this time or earlier.
void wake_after(uint16_t ticks) {
  const bool far = ticks > 4 * kTicksPerLongCount + kEarly;
  const uint16_t counts = far              ? (ticks - kEarly) / kTicksPerLongCount - kLateCounts
                          : ticks > kEarly ? ticks - kEarly
                                           : 1;
  TCCR2B = far ? kLongCounts : kEveryTick;
  TCNT2 = 0;
  OCR2A = static_cast<uint8_t>(counts > 255 ? 255 : counts);
}

/// Pulses from this place on are looked for: the next one begins, else the rest of the frame.
void begin_from(uint8_t place) {
  while (place < kServos && pulses[place].ticks == 0) ++place;
  under_way = place;
  begun = TCNT1;
  if (place != kRest) {
    length = pulses[place].ticks;
    raised = pulses[place].pin;
    write(raised, true);
  } else {
    const uint16_t used = begun - frame_begun;
    length = used + kLeastRest < kFrame ? kFrame - used : kLeastRest;
  }
}

/// What was under way has ended. Without any servo the timer is free again.
void go_on() {
  if (under_way != kRest) {
    write(raised, false);
    begin_from(under_way + 1);
    return;
  }
  frame_begun = TCNT1;
  begin_from(0);
  if (under_way != kRest) return;
  TIMSK2 = 0;
  TCCR2A = 0;
  hocket_timer2_taken = 0;
}

void take_timer() {
  hocket_timer2_taken = 1;
  under_way = kRest;
  begun = frame_begun = static_cast<uint16_t>(Clock::now());
  length = kLeastRest;
  TCCR2A = 1 << WGM21;
  wake_after(length);
  TIFR2 = 1 << OCF2A;
  TIMSK2 = 1 << OCIE2A;
}

/// Where this pin's pulse is or can be; null: there is no room.
Pulse* place_of(unsigned pin) {
  Pulse* free = nullptr;
  for (Pulse& pulse : pulses) {
    if (pulse.ticks != 0 && pulse.pin == pin) return &pulse;
    if (pulse.ticks == 0 && free == nullptr) free = &pulse;
  }
  return free;
}

}  // namespace
}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(TIMER2_COMPA_vect) {
  using namespace hocket::uno;
  uint16_t gone = TCNT1 - begun;
  if (gone + kEarly + kEarly / 2 >= length) {
    while (gone < length) gone = TCNT1 - begun;
    go_on();
    gone = 0;
  }
  wake_after(length - gone);
}

namespace hocket::sys {

using namespace uno;

/// Any loop, and setup(). False: no such pin, or 12 have servos already. A pulse that is under way
/// keeps its length.
bool servo_write(unsigned pin, uint32_t pulse_us) {
  constexpr uint32_t kLongestPulse = 10'000;
  if (pin >= NUM_DIGITAL_PINS || pulse_us > kLongestPulse) return false;
  const Masked masked;
  Pulse* place = place_of(pin);
  if (place != nullptr) {
    if (place->ticks == 0) hocket_digital_write(pin, LOW);  // takes it from PWM
    place->pin = static_cast<uint8_t>(pin);
    place->ticks = static_cast<uint16_t>(pulse_us * kTicksPerMicrosecond);
    if (hocket_timer2_taken == 0 && pulse_us != 0) take_timer();
  }
  return place != nullptr;
}

}  // namespace hocket::sys
