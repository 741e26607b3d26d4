// Last words on the board's own UART (see native.h).
#include "boards/aarch64/kernel/native.h"

namespace hocket::native {
namespace {

void say(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  Uart::write_polled(text, length);
}

}  // namespace

void last_words(const char* text) {
  constexpr uint32_t kRate = 115'200;
  if (!Serial::begun()) {
    Pins::init();
    Uart::init(kRate, kUartClock);
  }
  say("\r\nhocket: ");
  say(text);
  say("\r\n");
}

}  // namespace hocket::native
