// The board's serial ports. See HardwareSerial.h.
#include "arduino/api/HardwareSerial.h"

#include "arduino/runtime/system.h"
#ifdef __AVR__
#include "arduino/cores/avr8/serial_rate.h"
#endif

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
constexpr unsigned long kHighestRate = hocket::uno::kHighestAnyRate;
#else
constexpr unsigned long kHighestRate = 0xffffffff;
// Unless the sketch has another (HOCKET_SERIAL_BUFFER).
extern "C" {
extern const uint32_t hocket_serial_buffer;
[[gnu::weak]] const uint32_t hocket_serial_buffer = 64;
}
#endif

namespace hocket {

void BoardPort::open(unsigned long baud) {
  refused_ = baud > 0xffffffff ||
             !sys::serial_begin(port_, static_cast<uint32_t>(baud), hocket_serial_buffer);
}

void BoardPort::begin(unsigned long baud) {
  begin(baud, SERIAL_8N1);
}

void BoardPort::begin(unsigned long baud, uint16_t config) {
  if (config == SERIAL_8N1 && baud <= kHighestRate) {
    open(baud);
  } else {
    sys::serial_end(port_);
    refused_ = true;
  }
}

void BoardPort::end() {
  sys::serial_flush(port_);
  sys::serial_end(port_);
}

int BoardPort::available() {
  return static_cast<int>(sys::serial_available(port_));
}
int BoardPort::availableForWrite() {
  return static_cast<int>(sys::serial_room(port_));
}
int BoardPort::peek() {
  return sys::serial_peek(port_);
}
int BoardPort::read() {
  return sys::serial_read(port_);
}
void BoardPort::flush() {
  sys::serial_flush(port_);
}
size_t BoardPort::write(uint8_t byte) {
  return sys::serial_write(port_, &byte, 1);
}
size_t BoardPort::write(const uint8_t* data, size_t size) {
  return sys::serial_write(port_, data, size);
}
void BoardPort::waitForByte(uint64_t instant_ns) {
  sys::serial_wait(port_, instant_ns);
}

}  // namespace hocket

namespace {

/// Not as a sketch calls it: that serialEventRun() asks does not mean that anybody reads.
bool has_bytes(hocket::BoardPort& port) {
  return port.BoardPort::available() > 0;
}

#ifdef HAVE_HWSERIAL1
void run_further_events() {
  if (serialEvent1 != nullptr && has_bytes(Serial1)) serialEvent1();
  if (serialEvent2 != nullptr && has_bytes(Serial2)) serialEvent2();
  if (serialEvent3 != nullptr && has_bytes(Serial3)) serialEvent3();
}
#endif

}  // namespace

void serialEventRun() {
  if (serialEvent != nullptr && has_bytes(Serial)) serialEvent();
#ifdef HAVE_HWSERIAL1
  // One question for all three: most sketches have none of them.
  if ((serialEvent1 != nullptr) | (serialEvent2 != nullptr) | (serialEvent3 != nullptr))
    run_further_events();
#endif
}
