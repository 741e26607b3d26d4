// What pinMode() has set each pin to, for registers of ports (port_registers.cpp).
#pragma once

#include <stdint.h>

/// As many as any board has pins.
constexpr unsigned kMostPins = 80;
extern "C" uint8_t hocket_pin_modes[kMostPins];
