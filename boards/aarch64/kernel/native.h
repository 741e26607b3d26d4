// A board's own pins and serial port, used where there is no world around it: real hardware, or an
// emulator started by hand. Supplied by each board (boards/<board>/native.cpp).
//
// Pins and sizes come from the sketch: what does not exist is answered, never trusted. Calls come from
// any thread on any core; none waits.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::native {

/// Core 0, interrupts being set up.
void init();

unsigned pin_count();
bool pin_mode(unsigned pin, sys::PinMode mode);
bool pin_write(unsigned pin, bool high);
int pin_read(unsigned pin);

/// Serial, the only port.
bool serial_begin(uint32_t baud);
bool serial_begun();
size_t serial_write(const uint8_t* data, size_t size);
size_t serial_available();
size_t serial_room();
int serial_read();
int serial_peek();
/// Nothing is left to send.
bool serial_idle();

/// Writes a line past everything else, when something is very wrong.
void last_words(const char* text);

}  // namespace hocket::native
