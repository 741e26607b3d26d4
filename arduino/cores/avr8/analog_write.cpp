// analogWrite(). The timers run as init() has left them (plain_init.S, core.cpp), so a pin needs
// only its compare value and its mode bit. 977 Hz on the pins of timer 0, 490 Hz on the others, as
// on the stock core. In sketches with loops one timer is the clock (ports/avr8/clock_timer.h), so
// its pins have no PWM: 9 and 10 of an Uno, 44 to 46 of a Mega. Without loops, for which this file
// is compiled a second time, they have. If tone() or servos use a pin's
// timer, the pin gets the nearer of the two levels.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/pin_places.h"
#include "pins_arduino.h"

// Weak defaults. Servos, tone() and analogWriteResolution() bring definitions that override them.
extern "C" {
/// Not 0 while servos or tone() use the timer.
extern volatile uint8_t hocket_clock_timer_taken, hocket_timer2_taken;
__attribute__((weak)) volatile uint8_t hocket_clock_timer_taken = 0;
__attribute__((weak)) volatile uint8_t hocket_timer2_taken = 0;
/// The duty for a value of analogWrite() (analog_resolution.cpp).
int hocket_duty(int value);
__attribute__((weak)) int hocket_duty(int value) {
  return value;
}
}

namespace {

#ifdef HOCKET_WITHOUT_LOOPS
constexpr bool kClockTimerIsFree = true;
#else
constexpr bool kClockTimerIsFree = false;
#endif

void set_bits(volatile uint8_t& place, uint8_t bits) {
  place = static_cast<uint8_t>(place | bits);
}

/// Starts PWM on the pin if it is an output and its timer is free; otherwise returns false. In one
/// masked section, because a handler may change other bits of the same registers or begin a tone.
bool begin_pulse(pin_size_t pin, uint8_t duty) {
  using namespace hocket::uno;
  if (pin >= kPins) return false;
  const Place place = place_of(pin);
  const uint8_t timer = place.timer, turns = place.turns;
  if (turns == 0) return false;
  // In each timer the bit of unit B is the same, and the compare registers follow the control
  // register: three bytes later in timers 0 and 2, eight in those of 16 bits (data sheet).
  const bool is_unit_b = (turns & (1 << COM0B1)) != 0;
  const Masked masked;
  const bool of_clock = timer == kTccrOfClock;
  if (of_clock && (!kClockTimerIsFree || hocket_clock_timer_taken != 0)) return false;
  if (timer == kTccr2a && hocket_timer2_taken != 0) return false;
  set_bits(at(place.input)[1], place.bit);  // the direction register
  set_bits(*timer_at(timer), turns);
#ifdef COM1C1
  if (is_wide(timer)) {
    const bool is_unit_c = (turns & (1 << COM1C1)) != 0;
    const PinRegister compare = timer_at(timer) + (is_unit_c ? 12 : is_unit_b ? 10 : 8);
    compare[1] = 0;  // the upper byte first: it is kept until the lower one is written
    compare[0] = duty;
  } else {
#else
  if (is_wide(timer)) {
    (is_unit_b ? OCR1B : OCR1A) = duty;
  } else {
#endif
    at(timer)[is_unit_b ? 4 : 3] = duty;
  }
  return true;
}

}  // namespace

extern "C" void hocket_analog_write(pin_size_t pin, int value) {
  value = hocket_duty(value);
  if (value > 0 && value < 255 && begin_pulse(pin, static_cast<uint8_t>(value))) return;
  hocket_pin_mode(pin, OUTPUT);
  hocket_digital_write(pin, value > 127);
}

// For callers that take the address (pins_arduino.h has an inline version).
asm(".global analogWrite\n.set analogWrite, hocket_analog_write");
