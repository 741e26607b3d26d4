// An SPI bus with the board as its only controller: each byte sent also receives one.
//
// The bus does not select devices: each device has its own select pin and reads it. The line to the
// controller has a pull-up resistor: it reads 0xff if no device is selected, and the AND of both
// bytes if two are.
// let be high.
#pragma once

#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

class SpiTarget {
 public:
  virtual ~SpiTarget() = default;
  /// Exchanges one byte with the device; a device that is not selected returns 0xff. `mode` is the
  /// bus's, 0 to 3. A bus that sends the lowest bit first has reversed both bytes.
  virtual uint8_t exchange(Nanos now, uint8_t byte, uint8_t mode) = 0;
};

class SpiBus {
 public:
  void connect(SpiTarget& target) { targets_.push_back(&target); }

  /// One byte, the highest bit first.
  uint8_t exchange(Nanos now, uint8_t byte, uint8_t mode);
  /// A whole transfer; `out` or `in` may be null. Returns how long the bus is busy with it.
  Nanos transfer(Nanos now, const sys::SpiTransfer& asked, const uint8_t* out, uint8_t* in);

 private:
  std::vector<SpiTarget*> targets_;
};

}  // namespace hocket::sim
