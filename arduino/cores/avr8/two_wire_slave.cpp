// The board as a device on the bus (data sheet, tables 21-5 and 21-6). What a controller writes is
// collected, then the sketch's handler is called. What a controller reads, the sketch's handler
// writes. Both handlers run in the interrupt.
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/two_wire.h"
#include "ports/avr8/port.h"

namespace hocket::uno {

void (*wire_on_receive)(int);
void (*wire_on_request)();

namespace {

WireTalk device;

/// Continues. Not acknowledged: that was the last byte, or there is no room for another.
void reply(bool acknowledged) {
  const uint8_t go = (1 << TWINT) | (1 << TWEN) | (1 << TWIE);
  TWCR = acknowledged ? go | (1 << TWEA) : go;
}

}  // namespace

}  // namespace hocket::uno

void hocket_wire_listen(uint8_t address) {
  using namespace hocket::uno;
  wire_begin();
  const Masked masked;
  TWAR = static_cast<uint8_t>(address << 1);
  hocket_wire_idle = (1 << TWEN) | (1 << TWIE) | (1 << TWEA);
  TWCR = hocket_wire_idle;
}

hocket::uno::WireTalk* hocket_wire_slave_talk() {
  return &hocket::uno::device;
}

HOCKET_AVR8_HANDLER(hocket_wire_device) {
  using namespace hocket::uno;
  switch (TWSR & 0xf8) {
    case 0x60:  // addressed for writing; 0x68: after arbitration was lost
    case 0x68:
    case 0x70:  // the same, by a general call
    case 0x78:
      device.in_size = device.in_next = 0;
      return reply(true);
    case 0x80:  // a byte was received
    case 0x90:
      if (device.in_size == kWireBuffer) return reply(false);
      device.in[device.in_size++] = TWDR;
      return reply(true);
    case 0xa0:  // a stop, or a repeated start
      reply(true);
      if (wire_on_receive == nullptr) return;
      wire_serves = true;
      wire_on_receive(device.in_size);
      wire_serves = false;
      return;
    case 0xa8:  // addressed for reading; 0xb0: after arbitration was lost
    case 0xb0:
      device.out_size = device.at = 0;
      device.state = WireTalk::State::Open;
      wire_serves = true;
      if (wire_on_request != nullptr) wire_on_request();
      wire_serves = false;
      if (device.out_size == 0) device.out[device.out_size++] = 0;
      [[fallthrough]];
    case 0xb8:  // a byte was sent, and another is wanted
      TWDR = device.at < device.out_size ? device.out[device.at++] : 0xff;
      return reply(device.at < device.out_size);
    case 0x88:  // a byte for which there was no room
    case 0x98:
    case 0xc0:  // the last byte was sent
    case 0xc8:
    default:
      return reply(true);
  }
}
