// The interface of an SPI bus for sketches and libraries. `SPI` implements it (libraries/SPI).
#pragma once

#include <stddef.h>

#include "Common.h"

#define SPI_HAS_TRANSACTION 1
#define SPI_HAS_NOTUSINGINTERRUPT 1

/// Clock polarity in bit 1, phase in bit 0.
typedef enum { SPI_MODE0 = 0, SPI_MODE1 = 1, SPI_MODE2 = 2, SPI_MODE3 = 3 } SPIMode;

/// A device's requirements: the highest clock in hertz, the bit order, the mode.
class SPISettings {
 public:
  constexpr SPISettings(uint32_t clock, BitOrder order, int mode)
      : clock_(clock), order_(order), mode_(static_cast<SPIMode>(mode & 3)) {}
  constexpr SPISettings(uint32_t clock, int order, int mode)
      : SPISettings(clock, order == LSBFIRST ? LSBFIRST : MSBFIRST, mode) {}
  constexpr SPISettings() : SPISettings(4'000'000, MSBFIRST, SPI_MODE0) {}

  constexpr uint32_t getClockFreq() const { return clock_; }
  constexpr BitOrder getBitOrder() const { return order_; }
  constexpr SPIMode getDataMode() const { return mode_; }
  constexpr bool operator==(const SPISettings& other) const {
    return clock_ == other.clock_ && order_ == other.order_ && mode_ == other.mode_;
  }
  constexpr bool operator!=(const SPISettings& other) const { return !(*this == other); }

 private:
  uint32_t clock_;
  BitOrder order_;
  SPIMode mode_;
};

class HardwareSPI {
 public:
  virtual ~HardwareSPI() = default;

  /// Sends a byte or a word and returns what was received meanwhile. A buffer is overwritten with
  /// it.
  virtual uint8_t transfer(uint8_t byte) = 0;
  virtual uint16_t transfer16(uint16_t word) = 0;
  virtual void transfer(void* buffer, size_t size) = 0;

  virtual void usingInterrupt(int interrupt) = 0;
  virtual void notUsingInterrupt(int interrupt) = 0;
  virtual void beginTransaction(SPISettings settings) = 0;
  virtual void endTransaction() = 0;
  virtual void attachInterrupt() = 0;
  virtual void detachInterrupt() = 0;
  virtual void begin() = 0;
  virtual void end() = 0;
};

namespace arduino {
using ::HardwareSPI;
using ::SPI_MODE0;
using ::SPI_MODE1;
using ::SPI_MODE2;
using ::SPI_MODE3;
using ::SPIMode;
using ::SPISettings;
}  // namespace arduino
