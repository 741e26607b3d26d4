// The `virt` board's own devices for a sketch on a board by itself: one UART. Its eight GPIO lines
// are not connected, so a sketch has no pins.
#pragma once

#include "arduino/surroundings/native/no_pins.h"
#include "arduino/surroundings/native/serial_port.h"
#include "drivers/pl011/pl011.h"

namespace hocket::native {

using Pins = NoPins;
using Uart = drivers::Pl011<machine::device(0x0900'0000)>;
inline constexpr uint32_t kUartClock = 24'000'000;
inline constexpr uint32_t kUartInterrupt = 32 + 1;

}  // namespace hocket::native
