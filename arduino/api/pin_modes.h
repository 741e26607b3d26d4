// The mode that pinMode() has set for each pin; used by the port registers (port_registers.cpp).
#pragma once

#include <stdint.h>

/// The largest number of pins of any board.
constexpr unsigned kMostPins = 80;
extern "C" uint8_t hocket_pin_modes[kMostPins];
