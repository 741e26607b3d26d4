// Pins and serial ports as system calls use them. An image has one of two implementations: the
// board's own (native/devices.cpp) or the peer's (peer/devices.cpp).
//
// Pins, ports and sizes come from the sketch; the implementation checks them. Context: threads, no
// lock held.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::devices {

unsigned pin_count();
unsigned analog_base();
unsigned analog_count();
unsigned serial_count();

bool pin_mode(unsigned pin, sys::PinMode mode);
bool pin_write(unsigned pin, bool high);
int pin_read(unsigned pin);

/// Functions that a board by itself lacks return 0 there.
int64_t analog_read(unsigned pin, unsigned bits);
int64_t pwm_write(unsigned pin, unsigned value, unsigned maximum);
int64_t tone_start(unsigned pin, unsigned hertz, unsigned duration_ms);
int64_t tone_stop(unsigned pin);
int64_t servo_write(unsigned pin, unsigned pulse_us);

/// Makes the calling thread sleep, for devices that must wait. (Defined in calls.cpp, which is
/// compiled for speed; the devices' own files are compiled for size.)
void sleep_ns(uint64_t duration_ns);

/// The serial ports for the common waiting (arduino/runtime/serial_calls.h).
struct Ports {
  struct Holding {
    Holding() {}  // a sketch's thread cannot be stopped inside a call
  };
  static bool usable(unsigned port);
  static bool begun(unsigned port);
  static size_t write_some(unsigned port, const uint8_t* data, size_t size);
  static uint64_t room_at(unsigned port, size_t bytes);
  static uint64_t data_at(unsigned port);
  static size_t available(unsigned port);
  static uint64_t now_ns();

  static bool begin(unsigned port, uint32_t baud, uint32_t buffer);
  static void end(unsigned port);
  static size_t room(unsigned port);
  static int read(unsigned port);
  static int peek(unsigned port);

  /// Lines at pins; a board by itself has none.
  static int line(unsigned rx, unsigned tx, bool inverted);
  static void listen(unsigned port, bool on);
  static bool overflowed(unsigned port);
};

/// The buses for the common waiting (arduino/runtime/bus_calls.h). A board by itself has none, and
/// no EEPROM.
struct Buses {
  using Holding = Ports::Holding;
  static unsigned i2c_count();
  static sys::I2cEnd i2c_transfer(unsigned bus, sys::I2cTransfer& asked, uint64_t& free_at);
  static unsigned spi_count();
  static uint64_t spi_transfer(unsigned bus, const sys::SpiTransfer& asked);
  static unsigned eeprom_size();
  static int eeprom_read(unsigned address);
  static void eeprom_write(unsigned address, uint8_t value);
  static uint64_t now_ns() { return Ports::now_ns(); }
};

}  // namespace hocket::devices
