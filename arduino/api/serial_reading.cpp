// Receiving on a serial port. On the Uno linked only if some code reads (serial_marks.h).
#include "arduino/api/HardwareSerial.h"
#include "arduino/runtime/system.h"

namespace hocket {

int BoardPort::available() {
  return static_cast<int>(sys::serial_available(port_));
}
int BoardPort::peek() {
  return sys::serial_peek(port_);
}
int BoardPort::read() {
  return sys::serial_read(port_);
}
#ifdef HOCKET_WITHOUT_LOOPS
void BoardPort::waitForByte(uint64_t) {}  // like Stream's
#else
void BoardPort::waitForByte(uint64_t instant_ns) {
  sys::serial_wait(port_, instant_ns);
}
#endif

}  // namespace hocket
