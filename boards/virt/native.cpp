// The `virt` board's own UART. Its eight GPIO lines are wired to nothing, so a sketch has no pins here.
#include "boards/aarch64/kernel/native.h"

#include "board_kernel.h"
#include "boards/aarch64/kernel/serial_port.h"
#include "drivers/pl011/pl011.h"

namespace hocket::native {
namespace {

using Uart = drivers::Pl011<machine::device(0x0900'0000)>;
constexpr uint32_t kUartClock = 24'000'000;
constexpr uint32_t kUartInterrupt = 32 + 1;
using Serial = SerialPort<Board::Port, Uart, kUartClock, kUartInterrupt>;

}  // namespace

void init() {
  Serial::init();
}

unsigned pin_count() {
  return 0;
}
bool pin_mode(unsigned, sys::PinMode) {
  return false;
}
bool pin_write(unsigned, bool) {
  return false;
}
int pin_read(unsigned) {
  return 0;
}

bool serial_begin(uint32_t baud) {
  return Serial::begin(baud);
}
bool serial_begun() {
  return Serial::begun();
}
size_t serial_write(const uint8_t* data, size_t size) {
  return Serial::write(data, size);
}
size_t serial_available() {
  return Serial::available();
}
size_t serial_room() {
  return Serial::room();
}
int serial_read() {
  return Serial::read();
}
int serial_peek() {
  return Serial::peek();
}
bool serial_idle() {
  return Serial::idle();
}

void last_words(const char* text) {
  constexpr uint32_t kRate = 115'200;
  if (!Serial::begun()) Uart::init(kRate, kUartClock);
  const auto say = [](const char* part) {
    size_t length = 0;
    while (part[length] != '\0') ++length;
    Uart::write_polled(part, length);
  };
  say("\r\nhocket: ");
  say(text);
  say("\r\n");
}

}  // namespace hocket::native
