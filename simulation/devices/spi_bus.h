// An SPI bus with the board as its only controller: for each byte out one comes in.
//
// Which device answers is no matter of the bus: each has its own select pin, and knows by it. The
// bus line back has a pull-up resistor: 0xff when nobody is selected, and where two are, what both
// let be high.
#pragma once

#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

class SpiTarget {
 public:
  virtual ~SpiTarget() = default;
  /// A byte of the controller's, and what it gets meanwhile; 0xff from one that is not selected.
  /// `mode` is the bus's, 0 to 3; a bus that sends the lowest bit first has turned both bytes.
  virtual uint8_t exchange(Nanos now, uint8_t byte, uint8_t mode) = 0;
};

class SpiBus {
 public:
  void connect(SpiTarget& target) { targets_.push_back(&target); }

  /// One byte, the highest bit first.
  uint8_t exchange(Nanos now, uint8_t byte, uint8_t mode);
  /// A whole transfer; `out` or `in` may be null. How long the bus is busy with it.
  Nanos transfer(Nanos now, const sys::SpiTransfer& asked, const uint8_t* out, uint8_t* in);

 private:
  std::vector<SpiTarget*> targets_;
};

}  // namespace hocket::sim
