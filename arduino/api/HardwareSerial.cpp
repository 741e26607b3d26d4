// The board's serial ports. See HardwareSerial.h.
#include "arduino/api/HardwareSerial.h"

#include "arduino/runtime/system.h"

#ifdef HOCKET_ONE_SERIAL_PORT
constinit hocket::SerialPort Serial;
#else
constinit hocket::SerialPort Serial{0};
constinit hocket::SerialPort Serial1{1};
constinit hocket::SerialPort Serial2{2};
constinit hocket::SerialPort Serial3{3};
#endif

#ifdef __AVR__
// clang for AVR does not pass on that a name may be missing.
asm(".weak _Z11serialEventv");
#endif

#ifdef __AVR__
constexpr uint32_t hocket_serial_buffer = 0;  // not asked for: it is an array of the image's
#else
// Unless the sketch has another (HOCKET_SERIAL_BUFFER).
extern "C" {
extern const uint32_t hocket_serial_buffer;
[[gnu::weak]] const uint32_t hocket_serial_buffer = 64;
}
#endif

namespace hocket {

void SerialPort::begin(unsigned long baud) {
  constexpr unsigned long kHighest = 0xffffffff;
  refused_ = baud > kHighest ||
             !sys::serial_begin(port_, static_cast<uint32_t>(baud), hocket_serial_buffer);
}

void SerialPort::begin(unsigned long baud, uint16_t config) {
  if (config == SERIAL_8N1) {
    begin(baud);
  } else {
    sys::serial_end(port_);
    refused_ = true;
  }
}

void SerialPort::end() {
  sys::serial_flush(port_);
  sys::serial_end(port_);
}

int SerialPort::available() {
  return static_cast<int>(sys::serial_available(port_));
}
int SerialPort::availableForWrite() {
  return static_cast<int>(sys::serial_room(port_));
}
int SerialPort::peek() {
  return sys::serial_peek(port_);
}
int SerialPort::read() {
  return sys::serial_read(port_);
}
void SerialPort::flush() {
  sys::serial_flush(port_);
}
size_t SerialPort::write(uint8_t byte) {
  return sys::serial_write(port_, &byte, 1);
}
size_t SerialPort::write(const uint8_t* data, size_t size) {
  return sys::serial_write(port_, data, size);
}
void SerialPort::waitForByte(uint64_t instant_ns) {
  sys::serial_wait(port_, instant_ns);
}

}  // namespace hocket

#ifdef HAVE_HWSERIAL1
namespace {
void run_further_events() {
  if (serialEvent1 != nullptr && Serial1.available() > 0) serialEvent1();
  if (serialEvent2 != nullptr && Serial2.available() > 0) serialEvent2();
  if (serialEvent3 != nullptr && Serial3.available() > 0) serialEvent3();
}
}  // namespace
#endif

void serialEventRun() {
  if (serialEvent != nullptr && Serial.available() > 0) serialEvent();
#ifdef HAVE_HWSERIAL1
  // One question for all three: most sketches have none of them.
  if ((serialEvent1 != nullptr) | (serialEvent2 != nullptr) | (serialEvent3 != nullptr))
    run_further_events();
#endif
}
