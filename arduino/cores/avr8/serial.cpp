// Serial on USART 0: a buffer each way, filled and emptied by interrupts (data sheet, chapter 20).
//
// Rings; one end is moved by the interrupt, the other by loops, each in one instruction. What is
// received has 64 bytes, or as many as the sketch says (HOCKET_SERIAL_BUFFER): its room is the
// sketch's own then. A byte that finds none is lost; who looks from outside counts it
// (simulation/uno/serial_watch.h).
//
// Whose time a character takes is settled before (docs/decisions/interrupts-on-a-budget.md): who
// writes pays for its interrupt when it writes, and what comes in is counted by admission, if
// anybody reads; where nobody does the receiver is off. So a character sent has one interrupt, no
// more.
#include <avr/io.h>

#include "arduino/api/serial_marks.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/serial_rate.h"
#include "arduino/runtime/system.h"
#include "ports/avr8/port.h"

void serialEvent() __attribute__((weak));
extern "C" {
extern const uint8_t hocket_serial_reads __attribute__((weak));  // serial_marks.h
}
asm(".weak hocket_serial_reads\n.weak _Z11serialEventv");  // clang for AVR says only that they are
                                                           // undefined

namespace hocket::uno {
namespace {

constexpr uint8_t kSize = kSerialBuffer;  // for what is sent

/// `Room` has the bytes, their number less one (all bits of a power of two), and both ends.
template <class Room>
struct Ring : Room {
  using Room::bytes;
  using Room::head;  // next to write
  using Room::mask;
  using Room::tail;  // next to read

  static uint8_t count() { return static_cast<uint8_t>((head() - tail()) & mask()); }
  static bool empty() { return head() == tail(); }
  static bool full() { return count() == mask(); }
  static void put(uint8_t byte) {
    const uint8_t at = head();
    bytes()[at] = byte;
    head() = static_cast<uint8_t>(at + 1) & mask();
  }
  static uint8_t take() {
    const uint8_t at = tail();
    const uint8_t byte = bytes()[at];
    tail() = static_cast<uint8_t>(at + 1) & mask();
    return byte;
  }
};

extern "C" {
volatile uint8_t hocket_serial_head;
extern volatile uint8_t hocket_serial_received[];  // serial_buffer.cpp, or the sketch's
extern const uint8_t hocket_serial_mask[];         // a number, no place (sketch.ld)
}
volatile uint8_t received_tail;
struct ReceivedRoom {
  static volatile uint8_t* bytes() { return hocket_serial_received; }
  static volatile uint8_t& head() { return hocket_serial_head; }
  static volatile uint8_t& tail() { return received_tail; }
  static uint8_t mask() {
    return static_cast<uint8_t>(reinterpret_cast<uint16_t>(hocket_serial_mask));
  }
};
volatile uint8_t sent[kSize], sent_head, sent_tail;
struct SentRoom {
  static volatile uint8_t* bytes() { return sent; }
  static volatile uint8_t& head() { return sent_head; }
  static volatile uint8_t& tail() { return sent_tail; }
  static constexpr uint8_t mask() { return kSize - 1; }
};
using Received = Ring<ReceivedRoom>;
using Sending = Ring<SentRoom>;

/// Apart: four calls ask.
[[gnu::noinline]] uint8_t waiting() {
  return Received::count();
}
/// The next byte; it stays there.
uint8_t next_byte() {
  return hocket_serial_received[received_tail];
}
volatile bool writing;  // a loop's bytes are to stay together
bool written;           // since begin(): before that the flag «all has left» says nothing

bool begun() {
  return (UCSR0B & (1 << TXEN0)) != 0;
}

/// Whether anybody may read what comes in: some code that is linked does, or is to be called then.
bool reads() {
  return &hocket_serial_reads != nullptr || &serialEvent != nullptr;
}

/// Whether the caller may write, which is one loop at a time. (In line it would be there twice.)
[[gnu::noinline]] bool begin_writing() {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  const bool free = !writing;
  writing = true;
  SREG = state;
  return free;
}

/// While the interrupt is on there is a byte for it.
void put(uint8_t byte) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  Sending::put(byte);
  UCSR0B = static_cast<uint8_t>(UCSR0B | (1 << UDRIE0));
  SREG = state;
}

}  // namespace
}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(USART_RX_vect) {
  using namespace hocket::uno;
  const uint8_t byte = UDR0;
  if (!Received::full()) Received::put(byte);
  device_ended();
}

HOCKET_AVR8_HANDLER(USART_UDRE_vect) {
  using namespace hocket::uno;
  UDR0 = Sending::take();
  UCSR0A = (UCSR0A & (1 << U2X0)) | (1 << TXC0);  // «all has left» is about this byte from now on
  if (Sending::empty()) UCSR0B = static_cast<uint8_t>(UCSR0B & ~(1 << UDRIE0));
  device_ended();
}

namespace hocket::sys {

using namespace uno;

unsigned serial_count() {
  return 1;
}

bool serial_begin(unsigned port, uint32_t baud, uint32_t) {
  if (port != 0 || !is_serial_rate(baud)) return false;
  const SerialRate rate = serial_rate(baud);  // in 7 ms at most
  UCSR0A = rate.double_speed ? 1 << U2X0 : 0;
  UBRR0 = static_cast<uint16_t>(rate.divider - 1);
  UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
  UCSR0B = reads() ? (1 << TXEN0) | (1 << RXEN0) | (1 << RXCIE0) : 1 << TXEN0;
  return true;
}

// The only port is 0: nobody asks for another one.

void serial_end(unsigned port) {
  serial_flush(port);
  UCSR0B = 0;
  written = false;
  received_tail = hocket_serial_head;
}

size_t serial_available(unsigned) {
  return waiting();
}
size_t serial_room(unsigned) {
  return kSize - 1u - Sending::count();
}
int serial_read(unsigned) {
  if (waiting() == 0) return -1;
  return Received::take();
}
int serial_peek(unsigned) {
  if (waiting() == 0) return -1;
  return next_byte();
}

size_t serial_write(unsigned, const uint8_t* data, size_t size) {
  if (!begun()) return 0;
  while (!begin_writing()) pause();
  // Paid for before: no more are paid for and not sent yet than the buffer holds.
  const uint8_t* const end = data + size;
  while (data != end) {
    auto count = static_cast<uint8_t>(kSize - 1u - Sending::count());
    if (count == 0) {
      pause();
      continue;
    }
    const auto left = static_cast<size_t>(end - data);
    if (left < count) count = static_cast<uint8_t>(left);
    hocket_pay(count * kCharacterTicks);
    do put(*data++);
    while (--count != 0);
  }
  if (size != 0) written = true;
  writing = false;
  return size;
}

void serial_flush(unsigned) {
  while (written && ((UCSR0B & (1 << UDRIE0)) != 0 || (UCSR0A & (1 << TXC0)) == 0)) pause();
}

bool serial_wait(unsigned, uint64_t) {
  if (waiting() == 0) pause();
  return waiting() != 0;
}

}  // namespace hocket::sys
