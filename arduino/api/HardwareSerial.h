// HardwareSerial: the serial ports of the board. Serial, and on boards that have them Serial1 to
// Serial3.
//
// The bytes of one write() are sent together, so lines that different loops print with one
// println() each do not mix. Writing blocks the loop while the transmit buffer is full. Reading
// never waits, except in Stream's functions.
#pragma once

#include "Stream.h"
#ifdef __AVR__
#include "arduino/api/serial_rate.h"
#endif

#ifdef __AVR__
// What goes into UCSR0C (data sheet, 19.10.4), as in the AVR core: it fits a byte.
#define SERIAL_5N1 0x00
#define SERIAL_6N1 0x02
#define SERIAL_7N1 0x04
#define SERIAL_8N1 0x06
#define SERIAL_5E1 0x20
#define SERIAL_6E1 0x22
#define SERIAL_7E1 0x24
#define SERIAL_8E1 0x26
#define SERIAL_5O1 0x30
#define SERIAL_6O1 0x32
#define SERIAL_7O1 0x34
#define SERIAL_8O1 0x36
#define SERIAL_5N2 0x08
#define SERIAL_6N2 0x0A
#define SERIAL_7N2 0x0C
#define SERIAL_8N2 0x0E
#define SERIAL_5E2 0x28
#define SERIAL_6E2 0x2A
#define SERIAL_7E2 0x2C
#define SERIAL_8E2 0x2E
#define SERIAL_5O2 0x38
#define SERIAL_6O2 0x3A
#define SERIAL_7O2 0x3C
#define SERIAL_8O2 0x3E
#else
#define SERIAL_PARITY_EVEN (0x1ul)
#define SERIAL_PARITY_ODD (0x2ul)
#define SERIAL_PARITY_NONE (0x3ul)
#define SERIAL_PARITY_MARK (0x4ul)
#define SERIAL_PARITY_SPACE (0x5ul)
#define SERIAL_PARITY_MASK (0xFul)

#define SERIAL_STOP_BIT_1 (0x10ul)
#define SERIAL_STOP_BIT_1_5 (0x20ul)
#define SERIAL_STOP_BIT_2 (0x30ul)
#define SERIAL_STOP_BIT_MASK (0xF0ul)

#define SERIAL_DATA_5 (0x100ul)
#define SERIAL_DATA_6 (0x200ul)
#define SERIAL_DATA_7 (0x300ul)
#define SERIAL_DATA_8 (0x400ul)
#define SERIAL_DATA_9 (0x500ul)
#define SERIAL_DATA_MASK (0xF00ul)

#define SERIAL_5N1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_NONE | SERIAL_DATA_5)
#define SERIAL_6N1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_NONE | SERIAL_DATA_6)
#define SERIAL_7N1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_NONE | SERIAL_DATA_7)
#define SERIAL_8N1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_NONE | SERIAL_DATA_8)
#define SERIAL_9N1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_NONE | SERIAL_DATA_9)
#define SERIAL_5E1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_EVEN | SERIAL_DATA_5)
#define SERIAL_6E1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_EVEN | SERIAL_DATA_6)
#define SERIAL_7E1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_EVEN | SERIAL_DATA_7)
#define SERIAL_8E1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_EVEN | SERIAL_DATA_8)
#define SERIAL_9E1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_EVEN | SERIAL_DATA_9)
#define SERIAL_5O1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_ODD | SERIAL_DATA_5)
#define SERIAL_6O1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_ODD | SERIAL_DATA_6)
#define SERIAL_7O1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_ODD | SERIAL_DATA_7)
#define SERIAL_8O1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_ODD | SERIAL_DATA_8)
#define SERIAL_9O1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_ODD | SERIAL_DATA_9)
#define SERIAL_5M1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_MARK | SERIAL_DATA_5)
#define SERIAL_6M1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_MARK | SERIAL_DATA_6)
#define SERIAL_7M1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_MARK | SERIAL_DATA_7)
#define SERIAL_8M1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_MARK | SERIAL_DATA_8)
#define SERIAL_9M1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_MARK | SERIAL_DATA_9)
#define SERIAL_5S1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_SPACE | SERIAL_DATA_5)
#define SERIAL_6S1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_SPACE | SERIAL_DATA_6)
#define SERIAL_7S1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_SPACE | SERIAL_DATA_7)
#define SERIAL_8S1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_SPACE | SERIAL_DATA_8)
#define SERIAL_9S1 (SERIAL_STOP_BIT_1 | SERIAL_PARITY_SPACE | SERIAL_DATA_9)
#define SERIAL_5N2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_NONE | SERIAL_DATA_5)
#define SERIAL_6N2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_NONE | SERIAL_DATA_6)
#define SERIAL_7N2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_NONE | SERIAL_DATA_7)
#define SERIAL_8N2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_NONE | SERIAL_DATA_8)
#define SERIAL_9N2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_NONE | SERIAL_DATA_9)
#define SERIAL_5E2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_EVEN | SERIAL_DATA_5)
#define SERIAL_6E2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_EVEN | SERIAL_DATA_6)
#define SERIAL_7E2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_EVEN | SERIAL_DATA_7)
#define SERIAL_8E2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_EVEN | SERIAL_DATA_8)
#define SERIAL_9E2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_EVEN | SERIAL_DATA_9)
#define SERIAL_5O2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_ODD | SERIAL_DATA_5)
#define SERIAL_6O2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_ODD | SERIAL_DATA_6)
#define SERIAL_7O2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_ODD | SERIAL_DATA_7)
#define SERIAL_8O2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_ODD | SERIAL_DATA_8)
#define SERIAL_9O2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_ODD | SERIAL_DATA_9)
#define SERIAL_5M2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_MARK | SERIAL_DATA_5)
#define SERIAL_6M2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_MARK | SERIAL_DATA_6)
#define SERIAL_7M2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_MARK | SERIAL_DATA_7)
#define SERIAL_8M2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_MARK | SERIAL_DATA_8)
#define SERIAL_9M2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_MARK | SERIAL_DATA_9)
#define SERIAL_5S2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_SPACE | SERIAL_DATA_5)
#define SERIAL_6S2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_SPACE | SERIAL_DATA_6)
#define SERIAL_7S2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_SPACE | SERIAL_DATA_7)
#define SERIAL_8S2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_SPACE | SERIAL_DATA_8)
#define SERIAL_9S2 (SERIAL_STOP_BIT_2 | SERIAL_PARITY_SPACE | SERIAL_DATA_9)
#endif

namespace hocket {

/// The functions that a class derived from HardwareSerial overrides, besides those of a Stream.
class SerialOpening : public Stream {
 public:
  virtual void begin(unsigned long baud) = 0;
  virtual void begin(unsigned long baud, uint16_t config) = 0;
};

}  // namespace hocket

class HardwareSerial : public hocket::SerialOpening {
 public:
  constexpr HardwareSerial() = default;
  template <class = void>
  HOCKET_ALWAYS_INLINE_ void begin(unsigned long baud);
  template <class = void>
  HOCKET_ALWAYS_INLINE_ void begin(unsigned long baud, uint16_t config) {
    opening().begin(baud, config);
  }
  virtual void end() = 0;
  void flush() override = 0;
  size_t write(uint8_t byte) override = 0;
  using Print::write;
  virtual operator bool() = 0;

 private:
  HOCKET_ALWAYS_INLINE_ hocket::SerialOpening& opening() {
    hocket::mark_any_serial_rate();
    return *this;
  }
};

namespace arduino {
using ::HardwareSerial;
}  // namespace arduino

namespace hocket {

/// One of the board's ports. If the board cannot make the rate, begin() leaves the port closed, and
/// write() then returns 0.
class BoardPort : public HardwareSerial {
 public:
#ifdef HOCKET_ONE_SERIAL_PORT
  constexpr BoardPort() = default;
#else
  explicit constexpr BoardPort(unsigned port) : port_(port) {}
#endif

  /// A rate that is not known at compile time must not exceed the rate that the board assumes for
  /// its bounds (an AVR: 115200).
  void begin(unsigned long baud) override;
  /// The ports of an AVR have the formats of a USART. Those of other boards send 8 data bits, no
  /// parity, 1 stop bit; with any other `config` they stay closed, and `if (Serial)` is false.
  void begin(unsigned long baud, uint16_t config) override;
  void end() override;
  int available() override;
  int availableForWrite() override;
  int peek() override;
  int read() override;
  void flush() override;
  size_t write(uint8_t byte) override;
  size_t write(const uint8_t* data, size_t size) override;
  // Numbers are bytes here, as in Arduino's own class: Serial.write(0), Serial.write(x + 1).
  size_t write(unsigned long long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(long long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(unsigned long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(long n) { return write(static_cast<uint8_t>(n)); }
  size_t write(unsigned int n) { return write(static_cast<uint8_t>(n)); }
  size_t write(int n) { return write(static_cast<uint8_t>(n)); }
  using Print::write;
  /// True unless a begin() was refused.
  operator bool() override { return !refused_; }

 protected:
  void waitForByte(uint64_t instant_ns) override;
  void open(unsigned long baud);
#ifdef __AVR__
  /// `setting`: uno::serial_setting() of a rate that the board can make.
  void openKnown(uint16_t setting);
  friend class ::HardwareSerial;
#endif
  /// Leaves the port closed after an impossible begin().
  void refuse();

 private:
#ifdef HOCKET_ONE_SERIAL_PORT
  static constexpr unsigned port_ = 0;  // known at compile time
#else
  const unsigned port_;
#endif
  bool refused_ = false;
};

/// The same port as a sketch calls it: the compiler sees which functions the sketch uses, and of
/// which port.
template <unsigned kNumber>
class SerialPort final : public BoardPort {
 public:
#ifdef HOCKET_ONE_SERIAL_PORT
  constexpr SerialPort() = default;
#else
  constexpr SerialPort() : BoardPort(kNumber) {}
#endif

  template <class = void>
  HOCKET_ALWAYS_INLINE_ void begin(unsigned long baud) {
    if (__builtin_constant_p(baud)) {
#ifdef __AVR__
      if (uno::serial_setting(baud) == uno::kNoSerialSetting) return refuse();
      mark_serial_rate<kNumber>(baud);
      openKnown(uno::serial_setting(baud));
#else
      mark_serial_rate<kNumber>(baud);
      open(baud);
#endif
    } else {
      mark_any_serial_rate<kNumber>();
      BoardPort::begin(baud);
    }
  }
  template <class = void>
  HOCKET_ALWAYS_INLINE_ void begin(unsigned long baud, uint16_t config) {
    if (__builtin_constant_p(config) && config == SERIAL_8N1) return begin(baud);
#ifdef __AVR__
    if (__builtin_constant_p(config) && __builtin_constant_p(baud) && uno::is_whole_frame(config)) {
      begin(baud);
      return uno::serial_format(kNumber, static_cast<uint8_t>(config));
    }
#endif
    mark_any_serial_rate<kNumber>();
    BoardPort::begin(baud, config);
  }
  template <class = void>
  HOCKET_ALWAYS_INLINE_ int available() {
    mark_serial_reads<kNumber>();
    return BoardPort::available();
  }
  template <class = void>
  HOCKET_ALWAYS_INLINE_ int read() {
    mark_serial_reads<kNumber>();
    return BoardPort::read();
  }
  template <class = void>
  HOCKET_ALWAYS_INLINE_ int peek() {
    mark_serial_reads<kNumber>();
    return BoardPort::peek();
  }
};

}  // namespace hocket

extern hocket::SerialPort<0> Serial;

/// Through a reference, as libraries call it. On the Uno Serial is the only port of the board's.
/// Its begin() for any rate, which is large, is not linked for a rate that is a constant.
template <class>
HOCKET_ALWAYS_INLINE_ void HardwareSerial::begin(unsigned long baud) {
#ifdef HOCKET_ONE_SERIAL_PORT
  if (__builtin_constant_p(baud) &&
      hocket::uno::serial_setting(baud) != hocket::uno::kNoSerialSetting) {
    if (this != &Serial)
      return static_cast<hocket::SerialOpening*>(this)->begin(baud);  // overridden by a sketch
    hocket::mark_serial_rate<0>(baud);
    return Serial.openKnown(hocket::uno::serial_setting(baud));
  }
#endif
  opening().begin(baud);
}

/// HOCKET_SERIAL_BUFFER(256): the size in bytes of a port's receive buffer (on the Uno it holds one
/// byte less). Once in a sketch, outside of functions. `#define SERIAL_RX_BUFFER_SIZE 256` in a
/// sketch has the same effect.
#if defined(ARDUINO_ARCH_HOCKET) && defined(__AVR__)
#define HOCKET_SERIAL_BUFFER(size)                                                             \
  static_assert((size) >= 16 && (size) <= 256 && ((size) & ((size) - 1)) == 0,                 \
                "Serial's buffer has 16, 32, 64, 128 or 256 bytes on an AVR");                 \
  extern "C" {                                                                                 \
  volatile uint8_t hocket_serial_received[size];                                               \
  [[gnu::used]] inline void hocket_serial_buffer() {                                           \
    asm volatile(".global hocket_serial_mask\n.set hocket_serial_mask, %0" ::"i"((size) - 1)); \
  }                                                                                            \
  }
#else
#define HOCKET_SERIAL_BUFFER(size)                                                               \
  static_assert((size) >= 16 && (size) <= 65536, "Serial's buffer has 16 to 65,536 bytes here"); \
  extern "C" const uint32_t hocket_serial_buffer = size;
#endif
#ifndef HOCKET_ONE_SERIAL_PORT
extern hocket::SerialPort<1> Serial1;
extern hocket::SerialPort<2> Serial2;
extern hocket::SerialPort<3> Serial3;
#define HAVE_HWSERIAL1
#define HAVE_HWSERIAL2
#define HAVE_HWSERIAL3
#endif

/// The system calls this after each run of the plain loop(). It calls the sketch's serialEvent()
/// when Serial has bytes to read, and serialEvent1() to serialEvent3() for Serial1 to Serial3.
void serialEventRun();
void serialEvent() __attribute__((weak));
void serialEvent1() __attribute__((weak));
void serialEvent2() __attribute__((weak));
void serialEvent3() __attribute__((weak));

#define HAVE_HWSERIAL0
