// The kernel's last messages on the board's own UART (see native.h).
#include "arduino/surroundings/native/native.h"

#include "kernel/base/text.h"

namespace hocket::native {
namespace {

constexpr uint32_t kRate = 115'200;

struct Hex {
  explicit Hex(uint64_t value) {
    char* at = text + sizeof text - 1;
    do {
      *--at = "0123456789abcdef"[value & 15];
      value >>= 4;
    } while (value != 0);
    *--at = 'x';
    *--at = '0';
    begin = at;
  }
  char text[2 + 16 + 1] = {};
  const char* begin;
};

void say(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  Uart::write_polled(text, length);
}

}  // namespace

void tell_fault(const faults::Record& fact) {
  char line[320];
  TextWriter text(line, sizeof line);
  text.put("\r\nhocket: ");
  if (fact.loop < 0) {
    text.put("setup(): ");
  } else {
    text.put("loop ", fact.loop, ": ");
  }
  text.put(fact.kind);
  if (fact.address != faults::kUnknown) text.put(" at ", Hex(fact.address).begin);
  if (fact.text[0] != '\0') text.put(": ", fact.text);
  if (fact.code != faults::kUnknown) text.put(" (instruction ", Hex(fact.code).begin, ")");
  text.put("\r\n");
  if (!Serial::begun()) Serial::begin(kRate, &sleep_ns);
  Serial::tell(reinterpret_cast<const uint8_t*>(text.c_str()), text.length(), &sleep_ns);
}

void tell_rate(uint32_t baud) {
  Text<160> text;
  text.put("\r\nhocket: Serial.begin(", baud, "): its interrupts are counted for ");
  text.put(Board::kCountedRate, "; of what comes faster bytes may be lost\r\n");
  const char* const line = text.c_str();
  Serial::tell(reinterpret_cast<const uint8_t*>(line), __builtin_strlen(line), &sleep_ns);
}

void flush() {
  Serial::flush();
}

void last_words(const char* text) {
  if (!Serial::begun()) {
    Pins::init();
    while (!Uart::quiet()) {
    }
    Uart::init(kRate, kUartClock);
  }
  say("\r\nhocket: ");
  say(text);
  say("\r\n");
}

}  // namespace hocket::native
