// Wakes the servo handler in a sketch without loops (servo.cpp): timer 1, as on the stock core. So
// tone() works beside servos, and pins 9 and 10 have no PWM meanwhile. The timer runs freely, and
// its counter measures the pulses. (Data sheet, chapter 16.)
#pragma once

#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/pwm_timers.h"

#define HOCKET_SERVO_VECT TIMER1_COMPA_vect

/// analogWrite() does not use the timer while this is not 0.
extern "C" volatile uint8_t hocket_timer1_taken;
volatile uint8_t hocket_timer1_taken = 0;

namespace hocket::uno {

class ServoTimer {
 public:
  static constexpr uint16_t kEarly = 20;  // ticks by which the handler is woken early

  static bool taken() { return hocket_timer1_taken != 0; }
  static void take() {
    hocket_timer1_taken = 1;
    TCCR1A = 0;
    TCCR1B = 1 << CS11;  // 8 cycles for each tick
  }
  /// Starts the timer, after the first time has been set.
  static void begin() {
    TIFR1 = 1 << OCF1A;
    TIMSK1 = static_cast<uint8_t>(TIMSK1 | (1 << OCIE1A));
  }
  static void give_back() {
    TIMSK1 = static_cast<uint8_t>(TIMSK1 & ~(1 << OCIE1A));
    give_timer1_to_pwm();
    hocket_timer1_taken = 0;
  }

  /// Wakes the handler after this time or a little earlier.
  [[gnu::noinline]] static void wake_after(uint16_t ticks) {
    constexpr uint16_t kAtOnce = 6;  // the counter cannot reach a nearer value before it is set
    OCR1A = TCNT1 + (ticks > kEarly + kAtOnce ? ticks - kEarly : kAtOnce);
  }
};

}  // namespace hocket::uno
