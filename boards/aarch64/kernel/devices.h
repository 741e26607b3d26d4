// Pins and serial ports as system calls see them: the world's when there is one, else the board's
// own.
//
// Pins, ports and sizes come from the sketch, checked by whoever answers. Context: threads, no lock
// held.
#pragma once

#include "arduino/runtime/system.h"
#include "boards/aarch64/world/protocol.h"

namespace hocket::devices {

unsigned pin_count();
unsigned analog_base();
unsigned analog_count();
unsigned serial_count();

bool pin_mode(unsigned pin, sys::PinMode mode);
bool pin_write(unsigned pin, bool high);
int pin_read(unsigned pin);

/// What only the world has: converters, PWM, tones, servo pulses. 0 from a board by itself.
int64_t world_only(world::Operation operation, uint64_t a, uint64_t b, uint64_t c);

/// The serial ports as the common waiting wants them (arduino/runtime/serial_calls.h).
struct Ports {
  struct Holding {
    Holding() {}  // a sketch's thread cannot be stopped inside a call
  };
  static bool usable(unsigned port);
  static bool begun(unsigned port);
  static size_t write_some(unsigned port, const uint8_t* data, size_t size);
  static uint64_t room_at(unsigned port, size_t bytes);
  static uint64_t data_at(unsigned port);
  static size_t available(unsigned port);
  static uint64_t now_ns();

  static bool begin(unsigned port, uint32_t baud);
  static void end(unsigned port);
  static size_t room(unsigned port);
  static int read(unsigned port);
  static int peek(unsigned port);
};

}  // namespace hocket::devices
