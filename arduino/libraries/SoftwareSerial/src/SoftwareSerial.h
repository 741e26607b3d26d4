// SoftwareSerial: a serial line at any two pins, 8 data bits, no parity, 1 stop bit.
//
// As in Arduino's own library, one object listens at a time: the one whose begin() or listen() came
// last. All may send. Unlike there, no processor time is used: the board samples and drives the
// pins itself, at any rate from 300 to 2,000,000 bits per second, on up to eight lines at a time. A
// loop that sends sleeps until the last stop bit has been sent.
//
// Context: loops, setup(), and handlers that are loops. A direct handler (InterruptVcpu.h) may
// read, and sends nothing. A board without such lines (a Raspberry Pi by itself) refuses begin():
// the object is then false, sends nothing and receives nothing.
#pragma once

#ifdef __AVR__
#error "this SoftwareSerial is not for the Uno: install Arduino's own (Debian: arduino-core-avr)"
#endif

#include <Arduino.h>

/// Size of the receive buffer in bytes.
#define _SS_MAX_RX_BUFF 64

class SoftwareSerial : public Stream {
 public:
  /// A pin that the board lacks (255, -1) disables that direction.
  SoftwareSerial(uint8_t receivePin, uint8_t transmitPin, bool inverse_logic = false)
      : receive_(receivePin), transmit_(transmitPin), inverted_(inverse_logic) {}
  ~SoftwareSerial() { end(); }
  SoftwareSerial(const SoftwareSerial&) = delete;
  SoftwareSerial& operator=(const SoftwareSerial&) = delete;

  /// Takes the pins and listens. With an impossible rate or a ninth line, the object becomes false.
  void begin(long speed);
  void end();

  /// Listens from now on, with an empty buffer, in place of the object that listened before.
  /// Returns false if it already listens or has not begun.
  bool listen();
  bool isListening() const;
  /// Returns false if it did not listen.
  bool stopListening();
  /// Whether a byte was lost to a full buffer since the last call.
  bool overflow();

  int available() override;
  int read() override;
  int peek() override;
  /// Waits until the last stop bit has been sent. The bytes of one call stay together.
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* data, size_t size) override;
  using Print::write;
  /// Does nothing: write() already waits until everything has been sent.
  void flush() override {}
  explicit operator bool() const { return port_ != kNone; }

 protected:
  void waitForByte(uint64_t instant_ns) override;

 private:
  static constexpr unsigned kNone = ~0u;

  uint8_t receive_, transmit_;
  bool inverted_;
  unsigned port_ = kNone;
};
