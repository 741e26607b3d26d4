// Serial on USART 0: a buffer each way, filled and emptied by interrupts (data sheet, chapter 20).
//
// Rings of 64 bytes; one end is moved by the interrupt, the other by loops, each in one
// instruction.
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#include "arduino/runtime/system.h"
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
bool written;           // since begin(): before that the flag «all has left» says nothing

bool begun() {
  return (UCSR0B & (1 << TXEN0)) != 0;
}

/// Whether the caller may write, which is one loop at a time.
bool begin_writing() {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  const bool free = !writing;
  writing = true;
  SREG = state;
  return free;
}

void put(uint8_t byte) {
  while (sending.full()) pause();
  sending.put(byte);
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  UCSR0B = static_cast<uint8_t>(UCSR0B | (1 << UDRIE0));
  SREG = state;
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
    UCSR0A = (UCSR0A & (1 << U2X0)) | (1 << TXC0);  // «all has left» is about this byte from now on
  }
}

namespace hocket::sys {

using namespace uno;

unsigned serial_count() {
  return 1;
}

/// Rates that the divider makes to within 2.5 % or so: 300 to 2,000,000.
bool serial_begin(unsigned port, uint32_t baud) {
  constexpr uint32_t kLeast = 300;
  if (port != 0 || baud - kLeast > F_CPU / 8 - kLeast) return false;
  uint16_t divider = 0;  // rounded, at double speed; in 7 ms at most
  for (auto left = static_cast<int32_t>(F_CPU / 8 + baud / 2 - baud); left >= 0; ++divider) {
    left -= static_cast<int32_t>(baud);
  }
  UCSR0A = 1 << U2X0;
  if (divider > 4096) {
    divider /= 2;
    UCSR0A = 0;
  }
  UBRR0 = static_cast<uint16_t>(divider - 1);
  UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
  UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
  return true;
}

// The only port is 0: nobody asks for another one.

void serial_end(unsigned port) {
  serial_flush(port);
  UCSR0B = 0;
  written = false;
  received.tail = received.head;
}

size_t serial_available(unsigned) {
  return received.count();
}
size_t serial_room(unsigned) {
  return kSize - 1u - sending.count();
}
int serial_read(unsigned) {
  return received.count() != 0 ? received.take() : -1;
}
int serial_peek(unsigned) {
  return received.count() != 0 ? received.bytes[received.tail] : -1;
}

size_t serial_write(unsigned, const uint8_t* data, size_t size) {
  if (!begun()) return 0;
  while (!begin_writing()) pause();
  for (const uint8_t* end = data + size; data != end; ++data) put(*data);
  if (size != 0) written = true;
  writing = false;
  return size;
}

void serial_flush(unsigned) {
  while (written && ((UCSR0B & (1 << UDRIE0)) != 0 || (UCSR0A & (1 << TXC0)) == 0)) pause();
}

bool serial_wait(unsigned, uint64_t) {
  if (received.count() == 0) pause();
  return received.count() != 0;
}

}  // namespace hocket::sys
