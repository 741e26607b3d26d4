// Serial on USART 0: a buffer in each direction, filled and emptied by interrupts (data sheet,
// chapter 20).
//
// The buffers are rings. The interrupt moves one end and loops the other, each with a single store.
// The receive ring has 64 bytes, or the size and memory that the sketch provides
// (HOCKET_SERIAL_BUFFER). A byte that finds no room is lost; the simulator counts it
// (simulation/avr/serial_watch.h).
//
// Who pays for a character is decided beforehand (docs/decisions/interrupts-on-a-budget.md). The
// writing loop pays for the interrupt when it writes. Received characters are counted by admission
// if any code reads; otherwise the receiver is off. So a character that is sent costs one
// interrupt.
#include <avr/io.h>

#include "arduino/api/serial_rate.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/serial_ring.h"
#include "arduino/runtime/system.h"
#include "ports/avr8/port.h"

extern "C" {
extern const uint8_t hocket_serial_receiver __attribute__((weak));  // serial_receiver.cpp
}
asm(".weak hocket_serial_receiver");  // clang for AVR says only that it is undefined

volatile uint8_t hocket_serial_head, hocket_serial_tail;

namespace hocket::uno {
namespace {

constexpr uint8_t kSize = kSerialBuffer;  // of the transmit ring

volatile uint8_t sent[kSize], sent_head, sent_tail;
struct SentRoom {
  static volatile uint8_t* bytes() { return sent; }
  static volatile uint8_t& head() { return sent_head; }
  static volatile uint8_t& tail() { return sent_tail; }
  static constexpr uint8_t mask() { return kSize - 1; }
};
using Sending = Ring<SentRoom>;

/// Out of line, because four functions call it.
[[gnu::noinline]] uint8_t waiting() {
  return Received::count();
}
/// The next byte, which stays in the ring.
uint8_t next_byte() {
  return hocket_serial_received[hocket_serial_tail];
}
volatile bool writing;  // a loop is writing, and its bytes must stay together
bool written;  // something was written since begin(); before that the flag "all has left" is
               // meaningless

bool begun() {
  return (UCSR0B & (1 << TXEN0)) != 0;
}

/// Whether linked code may read what is received. If so, the receiver is linked too.
bool reads() {
  return &hocket_serial_receiver != nullptr;
}

/// In sketches without loops, for which this file is compiled a second time, there is no other user
/// of the port: no locks and no payments.
#ifdef HOCKET_WITHOUT_LOOPS
constexpr bool kLoops = false;
struct AtOnce {};
#else
constexpr bool kLoops = true;
/// No other loop can come in between.
using AtOnce = Masked;
#endif

/// Makes the caller the writer, unless another loop is writing. (Inlined, it would be there twice.)
[[gnu::noinline]] bool begin_writing() {
  const Masked masked;
  const bool free = !writing;
  writing = true;
  return free;
}

/// Adds a byte. The transmit interrupt is enabled only while there is a byte for it.
void put(uint8_t byte) {
  const Masked masked;
  Sending::put(byte);
  UCSR0B = static_cast<uint8_t>(UCSR0B | (1 << UDRIE0));
}

/// Sends the next byte, which must exist. (Inlined, so that the interrupt saves only what it
/// changes.)
[[gnu::always_inline]] inline void send_next() {
  UDR0 = Sending::take();
  UCSR0A = (UCSR0A & (1 << U2X0)) | (1 << TXC0);  // "all has left" refers to this byte from now on
  if (Sending::empty()) UCSR0B = static_cast<uint8_t>(UCSR0B & ~(1 << UDRIE0));
}

/// Whether the transmit interrupt cannot run while the caller waits. That is so if interrupts are
/// masked; in sketches with loops only in a handler, because a loop that has masked them can wait,
/// and interrupts are enabled while others run.
bool must_poll() {
  if ((SREG & (1 << SREG_I)) != 0) return false;
  return !kLoops || avr8::flag<avr8::kKernel>() || avr8::flag<avr8::kIdle>();
}

/// Waits a little for the transmitter, or does its interrupt's work, as the stock core does.
void wait_or_send() {
  if (!must_poll()) {
    if (kLoops) pause();
  } else if ((UCSR0B & (1 << UDRIE0)) != 0 && (UCSR0A & (1 << UDRE0)) != 0) {
    send_next();
  }
}

}  // namespace

void serial_open(uint16_t setting) {
  UCSR0A = (setting & kDoubleSpeed) != 0 ? 1 << U2X0 : 0;
  UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);  // (the simulator takes a character's time with the rate)
  UBRR0 = setting & 0x0fff;
  UCSR0B = reads() ? (1 << TXEN0) | (1 << RXEN0) | (1 << RXCIE0) : 1 << TXEN0;
}

void serial_format(uint8_t format) {
  UCSR0C = format;
}

}  // namespace hocket::uno

HOCKET_AVR8_HANDLER(USART_UDRE_vect) {
  using namespace hocket::uno;
  send_next();
  if (kLoops) device_ended();
}

namespace hocket::sys {

using namespace uno;

unsigned serial_count() {
  return 1;
}

bool serial_begin(unsigned port, uint32_t baud, uint32_t) {
  const uint16_t setting = serial_setting_at_run_time(baud);  // takes 7 ms at most
  if (port != 0 || setting == kNoSerialSetting) return false;
  serial_open(setting);
  return true;
}

// Port 0 is the only port, so the argument is ignored.

void serial_end(unsigned port) {
  serial_flush(port);
  UCSR0B = 0;
  written = false;
  hocket_serial_tail = hocket_serial_head;
}

size_t serial_available(unsigned) {
  return waiting();
}
size_t serial_room(unsigned) {
  return kSize - 1u - Sending::count();
}
/// If two loops read, each gets bytes of its own. (If both moved the tail, it could pass the head,
/// and the ring would seem full.)
int serial_read(unsigned) {
  [[maybe_unused]] const AtOnce at_once;
  if (Received::empty()) return -1;
  return Received::take();
}
int serial_peek(unsigned) {
  [[maybe_unused]] const AtOnce at_once;
  if (Received::empty()) return -1;
  return next_byte();
}

size_t serial_write(unsigned, const uint8_t* data, size_t size) {
  if (!begun()) return 0;
  // A handler cannot wait for the loop that it interrupts, so its bytes come between that loop's.
  const bool locks = kLoops && !must_poll();
  while (locks && !begin_writing()) pause();
  // The caller pays before it writes. At most as many bytes are paid for and not sent as the buffer
  // holds.
  const uint8_t* const end = data + size;
  while (data != end) {
    auto count = static_cast<uint8_t>(kSize - 1u - Sending::count());
    if (count == 0) {
      wait_or_send();
      continue;
    }
    const auto left = static_cast<size_t>(end - data);
    if (left < count) count = static_cast<uint8_t>(left);
    if (kLoops) hocket_pay(count * kCharacterTicks);
    do put(*data++);
    while (--count != 0);
  }
  if (size != 0) written = true;
  if (locks) writing = false;
  return size;
}

void serial_flush(unsigned) {
  while (written && ((UCSR0B & (1 << UDRIE0)) != 0 || (UCSR0A & (1 << TXC0)) == 0)) {
    wait_or_send();
  }
}

bool serial_wait(unsigned, uint64_t) {
  if (kLoops && waiting() == 0) pause();
  return waiting() != 0;
}

}  // namespace hocket::sys
