// Serial on USART 0: a buffer each way, filled and emptied by interrupts (data sheet, chapter 20).
//
// Rings of 64 bytes; one end is moved by the interrupt, the other by loops, each in one
// instruction.
#include <avr/io.h>

#include "arduino/runtime/system.h"
#include "boards/uno/sketch/core.h"
#include "ports/avr8/port.h"

namespace hocket::uno {
namespace {

constexpr uint8_t kSize = 64;

struct Ring {
  volatile uint8_t bytes[kSize];
  volatile uint8_t head;  // next to write
  volatile uint8_t tail;  // next to read

  uint8_t count() const { return static_cast<uint8_t>((head - tail) & (kSize - 1)); }
  bool full() const { return count() == kSize - 1; }
  void put(uint8_t byte) {
    const uint8_t at = head;
    bytes[at] = byte;
    head = (at + 1) & (kSize - 1);
  }
  uint8_t take() {
    const uint8_t at = tail;
    const uint8_t byte = bytes[at];
    tail = (at + 1) & (kSize - 1);
    return byte;
  }
};
Ring received;
Ring sending;
volatile bool writing;  // a loop's bytes are to stay together

constexpr uint32_t kLookAgain = kTicksPerMillisecond / 2;  // six bytes at 115200 baud

bool begun(unsigned port) {
  return port == 0 && (UCSR0B & (1 << TXEN0)) != 0;
}
void wait_a_little() {
  wait_until(Clock::now() + kLookAgain);
}

}  // namespace
}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(USART_RX_vect) {
  using namespace hocket::uno;
  const uint8_t byte = UDR0;
  if (!received.full()) received.put(byte);
}

HOCKET_AVR8_HANDLER(USART_UDRE_vect) {
  using namespace hocket::uno;
  if (sending.count() == 0) {
    UCSR0B = static_cast<uint8_t>(UCSR0B & ~(1 << UDRIE0));
  } else {
    UDR0 = sending.take();
    UCSR0A = (1 << U2X0) | (1 << TXC0);  // «all has left» is about this byte from now on
  }
}

namespace hocket::sys {

using namespace uno;

unsigned serial_count() {
  return 1;
}

/// Rates that the divider makes to within 2.5 % or so: 300 to 2,000,000.
bool serial_begin(unsigned port, uint32_t baud) {
  if (port != 0 || baud < 300 || baud > F_CPU / 8) return false;
  const uint32_t divider = (F_CPU / 4 / baud + 1) / 2;  // rounded, at double speed
  if (divider == 0 || divider > 4096) return false;
  UCSR0A = 1 << U2X0;
  UBRR0 = static_cast<uint16_t>(divider - 1);
  UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
  UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
  return true;
}

void serial_end(unsigned port) {
  if (!begun(port)) return;
  serial_flush(port);
  UCSR0B = 0;
  received.tail = received.head;
}

size_t serial_available(unsigned port) {
  return port == 0 ? received.count() : 0;
}
size_t serial_room(unsigned port) {
  return port == 0 ? kSize - 1u - sending.count() : 0;
}
int serial_read(unsigned port) {
  return port == 0 && received.count() != 0 ? received.take() : -1;
}
int serial_peek(unsigned port) {
  return port == 0 && received.count() != 0 ? received.bytes[received.tail] : -1;
}

size_t serial_write(unsigned port, const uint8_t* data, size_t size) {
  if (!begun(port)) return 0;
  for (;;) {  // one loop at a time
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    const bool free = !writing;
    writing = true;
    SREG = state;
    if (free) break;
    wait_a_little();
  }
  for (size_t i = 0; i < size; ++i) {
    while (sending.full()) wait_a_little();
    sending.put(data[i]);
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    UCSR0B = static_cast<uint8_t>(UCSR0B | (1 << UDRIE0));
    SREG = state;
  }
  writing = false;
  return size;
}

void serial_flush(unsigned port) {
  if (!begun(port)) return;
  const bool any = (UCSR0B & (1 << UDRIE0)) != 0 || (UCSR0A & (1 << UDRE0)) == 0;
  while (sending.count() != 0) wait_a_little();
  if (!any) return;
  while ((UCSR0A & (1 << UDRE0)) == 0) wait_a_little();
}

bool serial_wait(unsigned port, uint64_t instant_ns) {
  while (serial_available(port) == 0) {
    if (port != 0 || now_ns() >= instant_ns) return false;
    wait_a_little();
  }
  return true;
}

}  // namespace hocket::sys
