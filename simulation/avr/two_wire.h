// The processor's two-wire interface (data sheet, chapter 21) as controller of the devices' I²C
// bus.
//
// The library makes the interface's states and their time, and tells each start, byte and stop;
// here they become steps on the bus, and what the devices answer goes back. (As its own example
// parts/i2c_eeprom.c answers: an acknowledgement, or a byte, within the call.)
//
// The library gives every byte the same 9 us. Each state is set when its clocks have passed at the
// rate that is set, and later where a device stretches the clock or holds a line.
#pragma once

#include <simavr/avr_twi.h>
#include <simavr/sim_avr.h>

#include "simulation/devices/devices.h"

namespace hocket::avr {

class TwoWire {
 public:
  /// Both must outlive this object, which must not move.
  TwoWire(avr_t* avr, sim::Devices& devices);
  TwoWire(const TwoWire&) = delete;
  TwoWire& operator=(const TwoWire&) = delete;

 private:
  static void told(avr_irq_t* irq, uint32_t value, void* self);
  static void written(avr_t* avr, avr_io_addr_t address, uint8_t value, void* self);
  void step(uint8_t what, uint8_t address, uint8_t data);
  void time_the_state();
  sim::Nanos of_clocks(unsigned clocks) const;
  void answer(uint8_t what, uint8_t data);

  avr_t* avr_;
  sim::Devices& devices_;
  avr_twi_t* library_;   // the library's own part
  uint8_t address_ = 0;  // with the direction in bit 0
};

}  // namespace hocket::avr
