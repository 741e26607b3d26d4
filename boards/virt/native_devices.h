// The `virt` board's own devices for a sketch, where no world is around it: one UART. Its eight
// GPIO lines are wired to nothing, so a sketch has no pins here.
#pragma once

#include "boards/aarch64/kernel/no_pins.h"
#include "boards/aarch64/kernel/serial_port.h"
#include "drivers/pl011/pl011.h"

namespace hocket::native {

using Pins = NoPins;
using Uart = drivers::Pl011<machine::device(0x0900'0000)>;
inline constexpr uint32_t kUartClock = 24'000'000;
inline constexpr uint32_t kUartInterrupt = 32 + 1;

}  // namespace hocket::native
