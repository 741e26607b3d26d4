// The interface of an I²C bus for sketches and libraries. `Wire` implements it (libraries/Wire).
#pragma once

#include "Stream.h"

class HardwareI2C : public Stream {
 public:
  virtual void begin() = 0;
  /// Makes the board a device that other controllers address.
  virtual void begin(uint8_t address) = 0;
  virtual void end() = 0;
  virtual void setClock(uint32_t hertz) = 0;

  virtual void beginTransmission(uint8_t address) = 0;
  /// Returns 0: done; 1: too long; 2: no device; 3: a byte was not acknowledged; 4: another error.
  virtual uint8_t endTransmission(bool stop) = 0;
  virtual uint8_t endTransmission() = 0;
  /// Returns the number of bytes received.
  virtual size_t requestFrom(uint8_t address, size_t size, bool stop) = 0;
  virtual size_t requestFrom(uint8_t address, size_t size) = 0;

  virtual void onReceive(void (*handler)(int)) = 0;
  virtual void onRequest(void (*handler)()) = 0;
};

namespace arduino {
using ::HardwareI2C;
}  // namespace arduino
