// Wire on the Uno. See ../Wire.h; the bus itself is the board's (arduino/cores/avr8/two_wire.h).
#pragma once

#include <Arduino.h>

#include "cores/avr8/two_wire.h"

/// Bytes of one transfer each way, as in Arduino's own Wire for AVR.
#define BUFFER_LENGTH 32
#define WIRE_HAS_END 1
#define WIRE_HAS_TIMEOUT 1

class TwoWire final : public Stream {
 public:
  constexpr TwoWire() = default;

  void begin() { hocket::uno::wire_begin(); }
  /// Makes the board a device that other controllers address. They call the handlers of onReceive()
  /// and onRequest(), which run in the interrupt.
  void begin(uint8_t address) { hocket_wire_listen(address); }
  void begin(int address) { begin(static_cast<uint8_t>(address)); }
  void end() { hocket::uno::wire_end(); }
  /// Hertz: 100,000 by default; from 30,500 to 1,000,000.
  void setClock(uint32_t hertz) { hocket::uno::wire_clock(hertz); }

  /// Default: 25 ms. 0: a bus that is stuck blocks the caller for ever. After an abort the
  /// interface is always reset.
  void setWireTimeout(uint32_t microseconds = 25'000, bool = false) {
    hocket::uno::wire_timeout(microseconds);
  }
  bool getWireTimeoutFlag() const { return hocket::uno::wire_timed_out; }
  void clearWireTimeoutFlag() { hocket::uno::wire_timed_out = false; }

  void beginTransmission(uint8_t address);
  void beginTransmission(int address) { beginTransmission(static_cast<uint8_t>(address)); }
  uint8_t endTransmission(uint8_t stop);
  uint8_t endTransmission() { return endTransmission(true); }

  // Accepts arguments of any integer types, also mixed ones: (0x48, sizeof buffer).
  template <class Address, class Size>
  uint8_t requestFrom(Address address, Size size) {
    return request(static_cast<uint8_t>(address), static_cast<uint8_t>(size), true);
  }
  template <class Address, class Size, class Stop>
  uint8_t requestFrom(Address address, Size size, Stop stop) {
    return request(static_cast<uint8_t>(address), static_cast<uint8_t>(size), stop != 0);
  }
  /// First sends the register's address, `bytes` bytes of it, highest byte first.
  uint8_t requestFrom(uint8_t address, uint8_t size, uint32_t inside, uint8_t bytes, uint8_t stop);

  size_t write(uint8_t byte) override;
  size_t write(const uint8_t* data, size_t size) override;
  size_t write(unsigned long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(unsigned n) { return write(static_cast<uint8_t>(n)); }
  size_t write(int n) { return write(static_cast<uint8_t>(n)); }
  using Print::write;

  int available() override;
  int read() override;
  int peek() override;
  void flush() override {}

  // Bytes that did not come with the transfer do not come later.
  void waitForByte(uint64_t) override {}

  void onReceive(void (*handler)(int)) { hocket::uno::wire_on_receive = handler; }
  void onRequest(void (*handler)()) { hocket::uno::wire_on_request = handler; }

 private:
  uint8_t request(uint8_t address, uint8_t size, bool stop);
};

extern TwoWire Wire;
