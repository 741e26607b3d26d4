// The processor's serial peripheral interface (data sheet, chapter 19) as controller of the
// devices' SPI bus: the library makes the interface's states, and tells each byte that has gone
// out; what the devices answer goes back. How long a byte takes is made here: the library's takes
// 100 us at any rate.
#pragma once

#include <simavr/sim_avr.h>

#include <functional>

#include "simulation/devices/devices.h"

namespace hocket::avr {

class Spi {
 public:
  /// `told`: is called after the devices have been told something. All must live as long as this,
  /// which must not move.
  Spi(avr_t* avr, sim::Devices& devices, std::function<void()> told);
  Spi(const Spi&) = delete;
  Spi& operator=(const Spi&) = delete;

 private:
  void sent(uint8_t byte);

  avr_t* avr_;
  sim::Devices& devices_;
  std::function<void()> told_;
};

}  // namespace hocket::avr
