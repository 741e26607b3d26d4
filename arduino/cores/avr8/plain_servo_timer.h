// Wakes the servo handler in a sketch without loops (servo.cpp): the timer that
// is the clock in sketches with loops, as on the stock core: timer 1 of an Uno, 5 of a Mega. So
// tone() works beside servos, and the pins of that timer have no PWM meanwhile. The timer runs
// freely, and its counter measures the pulses. (Data sheet, chapter 16.)
#pragma once

#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/pwm_timers.h"
#include "ports/avr8/clock_timer.h"

#define HOCKET_SERVO_VECT CLOCK_COMPARE_A_VECTOR

/// analogWrite() does not use the timer while this is not 0.
extern "C" volatile uint8_t hocket_clock_timer_taken;
volatile uint8_t hocket_clock_timer_taken = 0;

namespace hocket::uno {

class ServoTimer {
 public:
  static constexpr uint16_t kEarly = 20;  // ticks by which the handler is woken early

  static bool taken() { return hocket_clock_timer_taken != 0; }
  static void take() {
    hocket_clock_timer_taken = 1;
    CLOCK_CONTROL_A = 0;
    CLOCK_CONTROL_B = 1 << CS11;  // 8 cycles for each tick
  }
  /// Starts the timer, after the first time has been set.
  static void begin() {
    CLOCK_FLAGS = 1 << OCF1A;
    CLOCK_MASKS = static_cast<uint8_t>(CLOCK_MASKS | (1 << OCIE1A));
  }
  static void give_back() {
    CLOCK_MASKS = static_cast<uint8_t>(CLOCK_MASKS & ~(1 << OCIE1A));
    give_clock_timer_to_pwm();
    hocket_clock_timer_taken = 0;
  }

  /// Wakes the handler after this time or a little earlier.
  [[gnu::noinline]] static void wake_after(uint16_t ticks) {
    constexpr uint16_t kAtOnce = 6;  // the counter cannot reach a nearer value before it is set
    CLOCK_COMPARE_A = CLOCK_COUNT + (ticks > kEarly + kAtOnce ? ticks - kEarly : kAtOnce);
  }
};

}  // namespace hocket::uno
