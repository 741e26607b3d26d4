// The rings of the serial ports, and the receive ring of Serial.
#pragma once

#include <stdint.h>

extern "C" {
extern volatile uint8_t hocket_serial_head, hocket_serial_tail;  // serial.cpp
extern volatile uint8_t hocket_serial_received[];  // serial_buffer.cpp, or the sketch's
extern const uint8_t hocket_serial_mask[];         // a number, not an address (sketch.ld)
}

namespace hocket::uno {

/// `Room` provides the bytes, their number less one (a mask: the number is a power of two), and
/// both ends.
template <class Room>
struct Ring : Room {
  using Room::bytes;
  using Room::head;  // next byte to write
  using Room::mask;
  using Room::tail;  // next byte to read

  static uint8_t count() { return static_cast<uint8_t>((head() - tail()) & mask()); }
  static bool empty() { return head() == tail(); }
  static bool full() { return count() == mask(); }
  static void put(uint8_t byte) {
    const uint8_t at = head();
    bytes()[at] = byte;
    head() = static_cast<uint8_t>(at + 1) & mask();
  }
  static uint8_t take() {
    const uint8_t at = tail();
    const uint8_t byte = bytes()[at];
    tail() = static_cast<uint8_t>(at + 1) & mask();
    return byte;
  }
};

struct ReceivedRoom {
  static volatile uint8_t* bytes() { return hocket_serial_received; }
  static volatile uint8_t& head() { return hocket_serial_head; }
  static volatile uint8_t& tail() { return hocket_serial_tail; }
  static uint8_t mask() {
    return static_cast<uint8_t>(reinterpret_cast<uint16_t>(hocket_serial_mask));
  }
};
using Received = Ring<ReceivedRoom>;

}  // namespace hocket::uno
