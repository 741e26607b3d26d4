// SoftwareSerial: a serial line at any two pins, 8 data bits, no parity, 1 stop bit.
//
// As in Arduino's own library one object listens at a time, that whose begin() or listen() was
// last; all may send. Unlike there no processor is used: the board takes the bits from the pin and
// puts them there, at any rate from 300 to 2,000,000 bits a second, up to eight lines at a time,
// and a loop that sends sleeps until the last stop bit has gone.
//
// Loops, setup() and handlers that are loops; a direct handler (TrustedPins.h) may read, and sends
// nothing. A board without such lines (a Raspberry Pi by itself) refuses begin(): the object is
// false then, sends nothing and receives nothing.
#pragma once

#ifdef __AVR__
#error "this SoftwareSerial is not for the Uno: install Arduino's own (Debian: arduino-core-avr)"
#endif

#include <Arduino.h>

/// Bytes that wait to be read at most.
#define _SS_MAX_RX_BUFF 64

class SoftwareSerial : public Stream {
 public:
  /// A pin that the board lacks (255, -1): that direction is not used.
  SoftwareSerial(uint8_t receivePin, uint8_t transmitPin, bool inverse_logic = false)
      : receive_(receivePin), transmit_(transmitPin), inverted_(inverse_logic) {}
  ~SoftwareSerial() { end(); }
  SoftwareSerial(const SoftwareSerial&) = delete;
  SoftwareSerial& operator=(const SoftwareSerial&) = delete;

  /// Takes the pins, and listens. With a rate that cannot be, or a ninth line, the object is false.
  void begin(long speed);
  void end();

  /// Listens from now on with an empty buffer, in place of the one that did. False: it did already,
  /// or has not begun.
  bool listen();
  bool isListening() const;
  /// False: it did not listen.
  bool stopListening();
  /// Whether a byte found 64 unread ones since this was last asked.
  bool overflow();

  int available() override;
  int read() override;
  int peek() override;
  /// Waits until the last byte's stop bit has gone. Bytes of one call stay together.
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t* data, size_t size) override;
  using Print::write;
  /// Nothing is left to send when write() returns.
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
