// Wakes the servo handler in sketches with loops (servo.cpp): timer 2, in counts of 8 us, and for
// the last part in counts of a tick. tone() uses the same timer, so a sketch can have only one of
// the two. (Data sheet, chapter 18.)
#pragma once

#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/pwm_timers.h"

#define HOCKET_SERVO_VECT TIMER2_COMPA_vect

/// analogWrite() does not use the timer while this is not 0.
extern "C" volatile uint8_t hocket_timer2_taken;
volatile uint8_t hocket_timer2_taken = 0;

namespace hocket::uno {

class ServoTimer {
 public:
  static constexpr uint16_t kEarly = 20;  // ticks by which the handler is woken early

  static bool taken() { return hocket_timer2_taken != 0; }
  static void take() {
    hocket_timer2_taken = 1;
    TCCR2A = 1 << WGM21;
  }
  /// Starts the timer, after the first time has been set.
  static void begin() {
    TIFR2 = 1 << OCF2A;
    TIMSK2 = 1 << OCIE2A;
  }
  static void give_back() {
    TIMSK2 = 0;
    give_timer2_to_pwm();
    hocket_timer2_taken = 0;
  }

  /// Wakes the handler after this time or earlier.
  static void wake_after(uint16_t ticks) {
    const bool far = ticks > 4 * kTicksPerLongCount + kEarly;
    const uint16_t counts = far              ? (ticks - kEarly) / kTicksPerLongCount - kLateCounts
                            : ticks > kEarly ? ticks - kEarly
                                             : 1;
    TCCR2B = far ? kLongCounts : kEveryTick;
    TCNT2 = 0;
    OCR2A = static_cast<uint8_t>(counts > 255 ? 255 : counts);
  }

 private:
  static constexpr uint16_t kTicksPerLongCount = 16;
  /// The flag is set one count after the match. The prescaler is never reset and may be anywhere
  /// within a count.
  static constexpr uint16_t kLateCounts = 2;
  static constexpr uint8_t kEveryTick = 1 << CS21;                   // 8 cycles
  static constexpr uint8_t kLongCounts = (1 << CS22) | (1 << CS20);  // 128 cycles
};

}  // namespace hocket::uno
