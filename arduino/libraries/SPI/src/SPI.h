// SPI: devices on an SPI bus, with the board as controller.
//
// Between beginTransaction() and endTransaction() the calling loop owns the bus; another loop that
// begins a transaction waits. The sketch drives the chip-select pin itself. A transfer takes as
// long as its bits: from 50 µs on the calling loop sleeps meanwhile; for less it spins, because a
// sleep would cost more.
//
// On the Uno the processor always spins for a byte (uno/SPI_of_Uno.h).
//
// Context: loops, setup(), and handlers that are loops. In a direct handler (InterruptVcpu.h)
// nothing is sent and 0xff is returned. A loop that is stopped by a fault within a transaction
// keeps the bus.
#pragma once

#ifdef __AVR__
#include "uno/SPI_of_Uno.h"
#else

#include <Arduino.h>

#include "api/HardwareSPI.h"
#include "hocket/Semaphore.h"

// For setClockDivider(): divisors of an Uno's 16 MHz clock.
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
  /// Waits until the bus is free. If the loop already owns the bus, only the settings change.
  void beginTransaction(SPISettings settings) override;
  void endTransaction() override;

  uint8_t transfer(uint8_t byte) override;
  uint16_t transfer16(uint16_t word) override;
  void transfer(void* buffer, size_t size) override { exchange(buffer, buffer, size); }
  /// Received bytes go to another buffer. Either pointer may be null.
  void transfer(const void* out, void* in, size_t size) { exchange(out, in, size); }

  // Settings of transfers outside a transaction.
  void setClockDivider(uint8_t divider) { clock_ = divider == 0 ? kUno : kUno / divider; }
  void setBitOrder(uint8_t order) { order_ = order == LSBFIRST ? LSBFIRST : MSBFIRST; }
  void setDataMode(uint8_t mode) { mode_ = mode & 3; }

  // Does nothing: loops need no protection here, and no interrupt uses the bus.
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
  unsigned owner_ = kNobody;  // the loop that owns the bus
  SPISettings settings_;      // of the owner's transaction
};

extern SPIClass SPI;
#endif
