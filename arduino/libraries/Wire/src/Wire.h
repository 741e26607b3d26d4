// Wire: devices on an I²C bus, with the board as the only controller.
//
// A transfer takes as long as its bits, and the calling loop sleeps meanwhile. Every loop may use
// Wire at any time. Each loop has its own buffers, and no transfer of another loop comes between
// the start and the stop of a transfer. Therefore endTransmission(false) sends nothing yet and
// returns 0: the buffered bytes are sent together with the requestFrom() that follows, with a
// repeated start between.
//
// On the Uno each direction has 32 bytes. There, in a sketch without loops, endTransmission(false)
// sends at once and keeps the bus, and the board may be a device that others address
// (uno/TwoWire.h).
//
// Context: loops, setup(), and handlers that are loops. In a direct handler (InterruptVcpu.h) each
// transfer fails with 4. A loop's buffers (0.3 KiB) are allocated when it first uses Wire.
#pragma once

#ifdef __AVR__
#include "uno/TwoWire.h"
#else

#include <Arduino.h>

#include "api/HardwareI2C.h"

/// Bytes of one transfer in each direction. A write beyond that is refused.
#define BUFFER_LENGTH 128
#define WIRE_HAS_END 1
#define WIRE_HAS_TIMEOUT 1

/// A bus of the board. If the board has no such bus, all functions may be called and transfers fail
/// with 4.
class TwoWire final : public HardwareI2C {
 public:
  explicit constexpr TwoWire(unsigned bus) : bus_(bus) {}

  void begin() override {}
  /// The board stays a controller: no device addresses it, and its handlers are never called.
  void begin(uint8_t) override {}
  void begin(int) {}
  void end() override {}
  /// Hertz: 100,000 by default; from 1,000 to 5,000,000.
  void setClock(uint32_t hertz) override { hertz_ = hertz; }
  uint32_t getClock() const { return hertz_; }

  void beginTransmission(uint8_t address) override;
  void beginTransmission(int address) { beginTransmission(static_cast<uint8_t>(address)); }
  uint8_t endTransmission(bool stop) override;
  uint8_t endTransmission() override { return endTransmission(true); }

  /// Always ends with a stop.
  size_t requestFrom(uint8_t address, size_t size, bool stop) override;
  size_t requestFrom(uint8_t address, size_t size) override {
    return requestFrom(address, size, true);
  }
  /// First sends the register's address, `bytes` bytes of it, highest byte first.
  size_t requestFrom(uint8_t address, size_t size, uint32_t inside, uint8_t bytes, bool stop);

  size_t write(uint8_t byte) override;
  size_t write(const uint8_t* data, size_t size) override;
  size_t write(int n) { return write(static_cast<uint8_t>(n)); }
  size_t write(unsigned n) { return write(static_cast<uint8_t>(n)); }
  size_t write(long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(unsigned long n) { return write(static_cast<uint8_t>(n)); }
  using Print::write;

  int available() override;
  int read() override;
  int peek() override;

  void onReceive(void (*)(int)) override {}
  void onRequest(void (*)()) override {}

  /// A transfer is aborted with 5 when devices have held up the bus for longer (default: 25 ms). 0:
  /// a bus that is stuck blocks the caller for ever. After an abort the bus is always free again.
  void setWireTimeout(uint32_t microseconds = 25'000, bool = false) { timeout_us_ = microseconds; }
  bool getWireTimeoutFlag() const { return __atomic_load_n(&timed_out_, __ATOMIC_RELAXED); }
  void clearWireTimeoutFlag() { __atomic_store_n(&timed_out_, false, __ATOMIC_RELAXED); }

 private:
  struct Talk;
  Talk* talk();
  uint8_t transfer(Talk& talk, uint8_t address, size_t reads);

  unsigned bus_;
  uint32_t hertz_ = 100'000;
  uint32_t timeout_us_ = 25'000;
  bool timed_out_ = false;
  Talk* talks_ = nullptr;  // one for each loop that has used Wire; never removed
};

extern TwoWire Wire;
#endif
