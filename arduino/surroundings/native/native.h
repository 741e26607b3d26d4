// A board's own pins and serial port, for sketches on a board by itself and for the last messages
// of every kernel.
//
// Each board supplies native_devices.h: Pins (kCount, init, mode, write, read), Uart (a
// drivers::Pl011), kUartClock, kUartInterrupt. Pins and sizes come from the sketch: what does not
// exist gets an answer, and is never trusted. Context: any thread on any core; no call waits.
#pragma once

#include "arduino/cores/protected/kernel/devices.h"
#include "arduino/cores/protected/kernel/faults.h"
#include "board_kernel.h"
#include "native_devices.h"

namespace hocket::native {

using Serial = SerialPort<Board::Port, Uart, kUartClock, kUartInterrupt>;

/// Sleeps; for code that waits for the line (SerialPort). Threads only.
inline void sleep_ns(uint64_t duration_ns) {
  devices::sleep_ns(duration_ns);
}

/// The UART's interrupt, which admission counts (uart_line.cpp).
void on_uart(void*);

/// On core 0, while interrupts are being set up.
inline void init() {
  Pins::init();
  Serial::init(&on_uart);
}

/// Queues a line about a fault, after what the sketch has sent. Drops what finds no room and does
/// not wait for room, so that other loops go on. Context: threads, unmasked; no lock held.
void tell_fault(const faults::Record& fact);

/// The same about a baud rate at which the UART would interrupt more often than it is allowed to.
void tell_rate(uint32_t baud);

/// Waits until all queued bytes are sent; at most 22 ms at 115200 baud. Context: nothing else runs
/// any more.
void flush();

/// Writes a line past all queues, after a fatal error.
void last_words(const char* text);

}  // namespace hocket::native
