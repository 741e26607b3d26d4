// Servo: moves hobby servos with pulses of 544 to 2400 us, which the board's timer sends every 20
// ms.
//
// Every pin can drive a servo, and moving one takes no processor time. A position survives
// detach().
#pragma once

#include <stdint.h>

#define Servo_VERSION 2

#define MIN_PULSE_WIDTH 544       // us at 0 degrees, if attach() names none
#define MAX_PULSE_WIDTH 2400      // us at 180 degrees
#define DEFAULT_PULSE_WIDTH 1500  // us before the first write
#define REFRESH_INTERVAL 20000    // us from pulse to pulse
#define INVALID_SERVO 255
// How many servos may be attached at once. Sketches have arrays of that size; Firmata uses it.
#ifdef __AVR__
#define MAX_SERVOS 12
#else
#define MAX_SERVOS NUM_DIGITAL_PINS
#endif

class Servo {
 public:
  /// Sends pulses on `pin`, at first of 1500 us or of what was written last. `min` and `max` are
  /// the pulses (us) for 0 and 180 degrees. Returns the pin, or INVALID_SERVO if the board lacks
  /// it.
  uint8_t attach(int pin, int min = MIN_PULSE_WIDTH, int max = MAX_PULSE_WIDTH);
  void detach();
  /// Degrees from 0 to 180. A value of 544 or more is a pulse in microseconds.
  void write(int value);
  /// A pulse in microseconds, clamped to the limits of attach().
  void writeMicroseconds(int us);
  /// Degrees, as last written.
  int read() const;
  /// Microseconds, as last written.
  int readMicroseconds() const { return pulse_; }
  bool attached() const { return pin_ != kNone; }

 private:
  static constexpr int kNone = -1;

  int pin_ = kNone;
  int min_ = MIN_PULSE_WIDTH;
  int max_ = MAX_PULSE_WIDTH;
  int pulse_ = DEFAULT_PULSE_WIDTH;
};
