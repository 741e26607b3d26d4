// SPI: devices on an SPI bus, the board being its controller.
//
// Between beginTransaction() and endTransaction() the bus belongs to the calling loop: another that
// begins one waits. Device select is a pin of the sketch's, as everywhere. A transfer takes as long
// as its bits take: from 50 µs on the calling loop sleeps meanwhile, for less it keeps the
// processor, which costs less than a sleep.
//
// On the Uno a byte always keeps the processor (uno/SPI_of_Uno.h).
//
// Loops, setup() and handlers that are loops; in a direct handler (TrustedPins.h) nothing is sent
// and 0xff comes. A loop that stops by a fault within a transaction keeps the bus.
#pragma once

#ifdef __AVR__
#include "uno/SPI_of_Uno.h"
#else

#include <Arduino.h>

#include "api/HardwareSPI.h"
#include "hocket/Semaphore.h"

// For setClockDivider(): what an Uno's clock of 16 MHz is divided by.
#define SPI_CLOCK_DIV2 2
#define SPI_CLOCK_DIV4 4
#define SPI_CLOCK_DIV8 8
#define SPI_CLOCK_DIV16 16
#define SPI_CLOCK_DIV32 32
#define SPI_CLOCK_DIV64 64
#define SPI_CLOCK_DIV128 128

class SPIClass final : public HardwareSPI {
 public:
  explicit constexpr SPIClass(unsigned bus) : bus_(bus) {}

  void begin() override {}
  void end() override {}
  /// Waits until the bus is free. A loop that has it already goes on with the new settings.
  void beginTransaction(SPISettings settings) override;
  void endTransaction() override;

  uint8_t transfer(uint8_t byte) override;
  uint16_t transfer16(uint16_t word) override;
  void transfer(void* buffer, size_t size) override { exchange(buffer, buffer, size); }
  /// What comes in goes into another buffer; either may be null.
  void transfer(const void* out, void* in, size_t size) { exchange(out, in, size); }

  // Settings of transfers outside a transaction.
  void setClockDivider(uint8_t divider) { clock_ = divider == 0 ? kUno : kUno / divider; }
  void setBitOrder(uint8_t order) { order_ = order == LSBFIRST ? LSBFIRST : MSBFIRST; }
  void setDataMode(uint8_t mode) { mode_ = mode & 3; }

  // Loops need no such help, and there is no interrupt of a byte.
  void usingInterrupt(int) override {}
  void notUsingInterrupt(int) override {}
  void attachInterrupt() override {}
  void detachInterrupt() override {}

 private:
  static constexpr uint32_t kUno = 16'000'000;
  static constexpr unsigned kNobody = ~0u;

  void exchange(const void* out, void* in, size_t size);
  SPISettings now() const;

  unsigned bus_;
  uint32_t clock_ = kUno / SPI_CLOCK_DIV4;
  BitOrder order_ = MSBFIRST;
  uint8_t mode_ = 0;
  Semaphore free_{1};
  unsigned owner_ = kNobody;  // the loop whose transaction it is
  SPISettings settings_;      // that loop's
};

extern SPIClass SPI;
#endif
