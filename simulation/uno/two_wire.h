// The processor's two-wire interface (data sheet, chapter 21) as controller of the devices' I²C
// bus.
//
// The library makes the interface's states and their time, and tells each start, byte and stop;
// here they become steps on the bus, and what the devices answer goes back. (As its own example
// parts/i2c_eeprom.c answers: an acknowledgement, or a byte, within the call.)
#pragma once

#include <simavr/sim_avr.h>

#include "simulation/devices/devices.h"

namespace hocket::uno {

class TwoWire {
 public:
  /// Both must live as long as this, which must not move.
  TwoWire(avr_t* avr, sim::Devices& devices);
  TwoWire(const TwoWire&) = delete;
  TwoWire& operator=(const TwoWire&) = delete;

 private:
  static void told(avr_irq_t* irq, uint32_t value, void* self);
  void step(uint8_t what, uint8_t address, uint8_t data);
  void answer(uint8_t what, uint8_t data);

  avr_t* avr_;
  sim::Devices& devices_;
  uint8_t address_ = 0;  // with the direction in bit 0
};

}  // namespace hocket::uno
