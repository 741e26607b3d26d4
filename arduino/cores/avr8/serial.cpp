// Serial of an Uno, its only port: USART 0 (serial_line.h).
#include "arduino/cores/avr8/serial_line.h"
#include "arduino/runtime/system.h"

extern "C" {
extern const uint8_t hocket_serial_receiver __attribute__((weak));  // serial_receiver.cpp
}
asm(".weak hocket_serial_receiver");  // clang for AVR says only that it is undefined

volatile uint8_t hocket_serial_head, hocket_serial_tail;

namespace hocket::uno {
namespace {

struct Usart0 {
  using Received = uno::Received;
  static volatile uint8_t& status() { return UCSR0A; }
  static volatile uint8_t& control() { return UCSR0B; }
  static volatile uint8_t& format() { return UCSR0C; }
  static volatile uint16_t& rate() { return UBRR0; }
  static volatile uint8_t& data() { return UDR0; }
  /// If so, the receiver is linked too.
  static bool reads() { return &hocket_serial_receiver != nullptr; }
};
using Line = SerialLine<Usart0>;

}  // namespace

void serial_open(uint16_t setting) {
  Line::open(setting);
}
void serial_format(uint8_t format) {
  Line::set_format(format);
}

}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(USART_UDRE_vect) {
  using namespace hocket::uno;
  Line::send_next();
  if (kLoops) device_ended();
}

namespace hocket::sys {

using namespace uno;

unsigned serial_count() {
  return 1;
}

bool serial_begin(unsigned port, uint32_t baud, uint32_t) {
  const uint16_t setting = serial_setting_at_run_time(baud);  // takes 7 ms at most
  if (port != 0 || setting == kNoSerialSetting) return false;
  serial_open(setting);
  return true;
}

// Port 0 is the only port, so the argument is ignored.

void serial_end(unsigned port) {
  serial_flush(port);
  Line::close();
}
size_t serial_available(unsigned) {
  return Line::available();
}
size_t serial_room(unsigned) {
  return Line::room();
}
int serial_read(unsigned) {
  return Line::read();
}
int serial_peek(unsigned) {
  return Line::peek();
}
size_t serial_write(unsigned, const uint8_t* data, size_t size) {
  return Line::write(data, size);
}
void serial_flush(unsigned) {
  Line::flush();
}
bool serial_wait(unsigned, uint64_t) {
  return Line::wait();
}

}  // namespace hocket::sys
