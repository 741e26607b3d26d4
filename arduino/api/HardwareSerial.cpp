// The board's serial ports. See HardwareSerial.h.
//
// The functions that a sketch calls are in separate files: serial_opening.cpp, serial_reading.cpp,
// serial_events.cpp. The table of virtual functions would link all of them. On the Uno it therefore
// names them weakly. A call through a HardwareSerial or a Stream leaves a mark (serial_marks.h)
// that links the file.
#include "arduino/api/HardwareSerial.h"

#include "arduino/runtime/system.h"
#ifdef __AVR__
#include "arduino/api/serial_rate.h"
#endif

// Initialised at compile time. This is C++20's constinit, which avr-gcc does not know.
#define HOCKET_CONSTANT_FIRST [[clang::require_constant_initialization]]
#if defined(HOCKET_ONE_SERIAL_PORT) || !defined(__AVR__)  // else in serial_port_0.cpp …
HOCKET_CONSTANT_FIRST hocket::SerialPort<0> Serial;
#endif
#ifndef __AVR__
HOCKET_CONSTANT_FIRST hocket::SerialPort<1> Serial1;
HOCKET_CONSTANT_FIRST hocket::SerialPort<2> Serial2;
HOCKET_CONSTANT_FIRST hocket::SerialPort<3> Serial3;
#endif

#ifdef __AVR__
// BoardPort's begin(rate), begin(rate, format), available(), read(), peek(), waitForByte(). (An
// attribute would only leave them undefined: clang for AVR does not emit weak references.)
asm(".weak _ZN6hocket9BoardPort5beginEm\n.weak _ZN6hocket9BoardPort5beginEmj\n"
    ".weak _ZN6hocket9BoardPort9availableEv\n.weak _ZN6hocket9BoardPort4readEv\n"
    ".weak _ZN6hocket9BoardPort4peekEv\n.weak _ZN6hocket9BoardPort11waitForByteEy");
#else
// A program with Serial also gets serialEventRun(), which its caller references only weakly.
namespace {
[[gnu::used]] void (*const events)() = serialEventRun;
}
#endif

namespace hocket {

#ifdef __AVR__
void BoardPort::openKnown(uint16_t setting) {
  uno::serial_open(port_, setting);
  refused_ = false;
}
#endif

void BoardPort::refuse() {
  sys::serial_end(port_);
  refused_ = true;
}

void BoardPort::end() {
  sys::serial_flush(port_);
  sys::serial_end(port_);
}

int BoardPort::availableForWrite() {
  return static_cast<int>(sys::serial_room(port_));
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

}  // namespace hocket
