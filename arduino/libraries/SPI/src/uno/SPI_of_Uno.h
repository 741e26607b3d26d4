// SPI on the Uno (data sheet, chapter 18). See ../SPI.h.
//
// A transfer polls for the end of each byte, which takes 2 us at 4 MHz. Constant settings are
// computed at compile time.
#pragma once

#include <Arduino.h>

#define SPI_HAS_TRANSACTION 1
#define SPI_HAS_NOTUSINGINTERRUPT 1

#ifndef LSBFIRST
#define LSBFIRST 0
#endif
#ifndef MSBFIRST
#define MSBFIRST 1
#endif

// SPR1, SPR0, and SPI2X in the third bit.
#define SPI_CLOCK_DIV4 0x00
#define SPI_CLOCK_DIV16 0x01
#define SPI_CLOCK_DIV64 0x02
#define SPI_CLOCK_DIV128 0x03
#define SPI_CLOCK_DIV2 0x04
#define SPI_CLOCK_DIV8 0x05
#define SPI_CLOCK_DIV32 0x06
// CPOL and CPHA.
#define SPI_MODE0 0x00
#define SPI_MODE1 0x04
#define SPI_MODE2 0x08
#define SPI_MODE3 0x0C

extern "C" {
/// Makes the calling loop the owner of the bus; waits for the present owner. Does nothing in
/// sketches without loops, or with interrupts masked.
void hocket_spi_take();
void hocket_spi_give();
/// The owner masks these interrupts: bits of EIMSK, or HOCKET_SPI_ALL. While they are masked, a
/// further call changes nothing. hocket_spi_unmask() is for the owner only.
void hocket_spi_mask(uint8_t interrupts);
void hocket_spi_unmask();
}
#define HOCKET_SPI_ALL 0xff

/// A device's requirements: the highest clock in hertz, the bit order, the mode.
class SPISettings {
 public:
  __attribute__((always_inline)) SPISettings(uint32_t clock, uint8_t order, uint8_t mode) {
    uint8_t halvings = 0;  // how often 8 MHz is halved
    if (__builtin_constant_p(clock)) {
      while (halvings < 6 && clock < (F_CPU / 2) >> halvings) ++halvings;
    } else {
      for (uint32_t hertz = F_CPU / 2; halvings < 6 && clock < hertz; ++halvings) hertz >>= 1;
    }
    if (halvings == 6) halvings = 7;  // the divisor 64 occurs twice in the table of the processor
    control_ = static_cast<uint8_t>((1 << SPE) | (1 << MSTR) | (order == LSBFIRST ? 1 << DORD : 0) |
                                    (mode & SPI_MODE3) | halvings >> 1);
    double_speed_ = static_cast<uint8_t>(~halvings & 1);
  }
  __attribute__((always_inline)) SPISettings() : SPISettings(4'000'000, MSBFIRST, SPI_MODE0) {}

 private:
  friend class SPIClass;
  uint8_t control_, double_speed_;
};

class SPIClass {
 public:
  static void begin();
  static void end();

  /// Waits until the bus is free. If the loop already owns the bus, only the settings change.
  static void beginTransaction(SPISettings settings) {
#ifndef HOCKET_WITHOUT_LOOPS
    hocket_spi_take();
#endif
    if (masks_ != 0) hocket_spi_mask(masks_);
    SPCR = settings.control_;
    SPSR = settings.double_speed_;
  }
  static void endTransaction() {
    if (masks_ != 0) hocket_spi_unmask();
#ifndef HOCKET_WITHOUT_LOOPS
    hocket_spi_give();
#endif
  }

  static uint8_t transfer(uint8_t byte) {
    SPDR = byte;
    asm volatile("nop");  // at full speed the first poll then comes just in time
    while ((SPSR & (1 << SPIF)) == 0) {
    }
    return SPDR;
  }
  static uint16_t transfer16(uint16_t word);
  static void transfer(void* buffer, size_t size);

  /// Handlers of this interrupt use the bus, so it is masked within transactions. 0 and 1 are pins
  /// 2 and 3; any other number masks all interrupts.
  static void usingInterrupt(uint8_t interrupt);
  static void notUsingInterrupt(uint8_t interrupt);

  static void setBitOrder(uint8_t order) {
    SPCR = static_cast<uint8_t>(order == LSBFIRST ? SPCR | (1 << DORD) : SPCR & ~(1 << DORD));
  }
  static void setDataMode(uint8_t mode) {
    SPCR = static_cast<uint8_t>((SPCR & ~SPI_MODE3) | (mode & SPI_MODE3));
  }
  static void setClockDivider(uint8_t divider) {
    SPCR = static_cast<uint8_t>((SPCR & ~3) | (divider & 3));
    SPSR = static_cast<uint8_t>(divider >> 2 & 1);
  }
  static void attachInterrupt() { SPCR = static_cast<uint8_t>(SPCR | (1 << SPIE)); }
  static void detachInterrupt() { SPCR = static_cast<uint8_t>(SPCR & ~(1 << SPIE)); }

 private:
  static uint8_t masks_;  // as for hocket_spi_mask()
};

extern SPIClass SPI;
