// The wires between the simulated processor and the parts around it: pins, converter, serial port.
//
// The processor's registers are read after each instruction. Changes are passed to the devices with
// their instant, and changes by the devices are passed to the processor when they are due.
#pragma once

#include <array>

#include "simulation/avr/mcu.h"
#include "simulation/avr/spi.h"
#include "simulation/avr/two_wire.h"
#include "simulation/devices/devices.h"

namespace hocket::avr {

using sim::Nanos;

class Wiring {
 public:
  Wiring(Mcu& mcu, sim::Devices& devices);

  /// Call after each step: both sides see the other's changes. Returns whether a pin was moved from
  /// outside.
  bool update();
  /// The devices have been changed by another caller.
  void look_again() { told_ = true; }
  /// The processor must be examined again at this cycle at the latest.
  Cycles next_event() const { return next_event_; }

 private:
  static constexpr unsigned kMostPins = 70, kMostPorts = 11, kMostUarts = 4;
  struct Line {
    bool transmitter = false;
    unsigned bit_cycles = 0;  // of the transmitter; 0: off
  };
  uint8_t place_of(unsigned pin) const { return chip_.places[pin]; }
  void outputs();
  void output(unsigned pin, bool driven, bool latch);
  void converter();
  void serial(unsigned port);
  bool inputs();
  void schedule();
  void pwm_changed(unsigned pin, bool high);

  Mcu& mcu_;
  const ChipModel& chip_;
  sim::Devices& devices_;
  TwoWire two_wire_;
  Spi spi_;
  std::array<uint8_t, 2 * kMostPorts> ports_{};    // direction and output registers as last seen
  std::array<uint8_t, 16 * kMostPorts> pin_at_{};  // by place: the pin
  std::array<uint8_t, kMostPins> seen_{};
  std::array<Line, kMostUarts> lines_{};
  Cycles next_event_ = 0;
  bool told_ = true;  // the devices have changed: query them again
  bool converting_ = false;
};

}  // namespace hocket::avr
