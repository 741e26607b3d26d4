// The wires between the simulated processor and the parts around it: pins, converter, serial port.
//
// The processor's registers are looked at after each instruction; what has changed is told to the
// devices with the instant, and what the devices change is told to the processor as soon as it is
// due.
#pragma once

#include <array>

#include "simulation/devices/devices.h"
#include "simulation/uno/mcu.h"
#include "simulation/uno/spi.h"
#include "simulation/uno/two_wire.h"

namespace hocket::uno {

using sim::Nanos;

class Wiring {
 public:
  Wiring(Mcu& mcu, sim::Devices& devices);

  /// After each step: both sides see what the other did. Whether a pin was moved from outside.
  bool update();
  /// The devices have been told something by somebody else.
  void look_again() { told_ = true; }
  /// No later than this the processor must be looked at again.
  Cycles next_event() const { return next_event_; }

 private:
  static constexpr unsigned kPins = 20;
  void outputs();
  void output(unsigned pin, bool driven, bool latch);
  void converter();
  void serial();
  bool inputs();
  void schedule();
  void pwm_changed(unsigned pin, bool high);

  Mcu& mcu_;
  sim::Devices& devices_;
  TwoWire two_wire_;
  Spi spi_;
  std::array<uint8_t, 6> ports_{};  // direction and output registers as last seen
  std::array<uint8_t, kPins> seen_{};
  Cycles next_event_ = 0;
  bool told_ = true;  // the devices have been told something: ask them again
  bool converting_ = false;
  bool transmitter_ = false;
  unsigned bit_cycles_ = 0;  // of the transmitter; 0: it is off
};

}  // namespace hocket::uno
