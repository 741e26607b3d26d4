// Serial.begin() with a rate or a format that is only known at run time. On boards with several
// ports, every begin().
#include "arduino/api/HardwareSerial.h"
#include "arduino/runtime/system.h"
#ifdef __AVR__
#include "arduino/api/serial_rate.h"
#endif

#ifdef __AVR__
// A symbol without an address. Referring to it links this file (serial_marks.h).
asm(".global hocket_serial_opening\n.set hocket_serial_opening, 1");
constexpr uint32_t hocket_serial_buffer = 0;  // not requested: the buffer is an array in the image
#else
// The default of HOCKET_SERIAL_BUFFER.
extern "C" {
extern const uint32_t hocket_serial_buffer;
[[gnu::weak]] const uint32_t hocket_serial_buffer = 64;
}
#endif

namespace hocket {

void BoardPort::open(unsigned long baud) {
  if (baud > 0xffffffff ||
      !sys::serial_begin(port_, static_cast<uint32_t>(baud), hocket_serial_buffer)) {
    return refuse();
  }
  refused_ = false;
}

#ifdef __AVR__
// Admission counts the interrupts of 8N1 at a certain rate. In a sketch without loops any rate
// does.
#ifdef HOCKET_WITHOUT_LOOPS
constexpr bool kCounted = false;
#else
constexpr bool kCounted = true;
#endif

void BoardPort::begin(unsigned long baud) {
  if (kCounted && baud > uno::kHighestAnyRate) return refuse();
  open(baud);
}

void BoardPort::begin(unsigned long baud, uint16_t config) {
  // (A parity bit is not looked at: 7E1 is as long.)
  const bool shorter = (config & SERIAL_8N1) != SERIAL_8N1;
  if (kCounted && shorter && baud > uno::kHighestShortRate) return refuse();
  BoardPort::begin(baud);
  uno::serial_format(port_, static_cast<uint8_t>(config));  // harmless if the port stays closed
}
#else
void BoardPort::begin(unsigned long baud) {
  open(baud);
}

void BoardPort::begin(unsigned long baud, uint16_t config) {
  if (config != SERIAL_8N1) return refuse();
  open(baud);
}
#endif

}  // namespace hocket
