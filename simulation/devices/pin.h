// One pin's output stage: its mode, its latch, and the timer that makes PWM, tones and servo
// pulses.
//
// The timer's wave is a train of cycles, each high first; every edge has its exact instant,
// computed from the call that started the train (never by adding rounded periods). A new duty or
// pulse width begins with the next cycle, as with a timer's buffered compare register.
#pragma once

#include "simulation/devices/pins.h"

namespace hocket::sim {

class Pins::Pin : public EventTarget {
 public:
  Pin(Pins& pins, unsigned number) : pins_(pins), driver_(pins.add_driver(number)) {}

  void set_mode(Nanos now, sys::PinMode mode);
  void write(Nanos now, bool high);
  void pwm(Nanos now, Nanos period, uint32_t value, uint32_t maximum);
  void tone(Nanos now, uint32_t hertz, uint32_t duration_ms);
  void stop_tone(Nanos now);
  void servo(Nanos now, Nanos pulse);

  void due(Nanos now, uint64_t token) override;

  /// One word for how the sketch uses the pin.
  const char* use() const;

 private:
  enum class Train : uint8_t { None, Pwm, Tone, Servo };

  void start(Nanos now, Train train);
  void stop(Nanos now, bool high);
  void schedule_edge();
  void output(Nanos now, bool high);
  void apply(Nanos now);
  bool is_output() const {
    return mode_ == sys::PinMode::Output || mode_ == sys::PinMode::OutputOpenDrain;
  }

  Pins& pins_;
  Driver driver_;
  sys::PinMode mode_ = sys::PinMode::Input;
  bool latch_ = false;

  Train train_ = Train::None;
  uint64_t version_ = 0;  // events of an older train are ignored
  Nanos begin_ = 0;       // first rising edge
  Nanos end_ = kNever;    // a tone's end
  uint64_t edge_ = 0;     // index of the next edge; even ones rise
  uint32_t hertz_ = 0;    // Tone
  Nanos period_ = 0;      // Pwm, Servo
  Nanos high_ = 0;        // of the current cycle
  Nanos next_high_ = 0;   // of later cycles
};

}  // namespace hocket::sim
