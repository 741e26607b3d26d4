// A board's own pins and serial port: what a sketch has on a board by itself, and every kernel for
// its last words.
//
// Each board supplies native_devices.h: Pins (kCount, init, mode, write, read), Uart (a
// drivers::Pl011), kUartClock, kUartInterrupt. Pins and sizes come from the sketch: what does not
// exist is answered, never trusted. Calls come from any thread on any core; none waits.
#pragma once

#include "arduino/cores/aarch64/kernel/devices.h"
#include "arduino/cores/aarch64/kernel/faults.h"
#include "board_kernel.h"
#include "native_devices.h"

namespace hocket::native {

using Serial = SerialPort<Board::Port, Uart, kUartClock, kUartInterrupt>;

/// What waits for the line sleeps so (for SerialPort). Threads.
inline void sleep_ns(uint64_t duration_ns) {
  devices::sleep_ns(duration_ns);
}

/// The UART's interrupt, counted in admission (uart_line.cpp).
void on_uart(void*);

/// Core 0, its interrupts being set up.
inline void init() {
  Pins::init();
  Serial::init(&on_uart);
}

/// Queues a line about a fault, behind what the sketch has sent; what has no room is left out. Does
/// not wait for room: the other loops go on. Context: threads, unmasked; no lock held.
void tell_fault(const faults::Record& fact);

/// The same about a rate at which the UART would ask more often than it is let.
void tell_rate(uint32_t baud);

/// Waits until what was queued is sent. Context: nothing else runs any more; at most 22 ms at
/// 115200.
void flush();

/// Writes a line past everything else, when something is very wrong.
void last_words(const char* text);

}  // namespace hocket::native
