// One serial port of an AVR: a buffer in each direction, filled and emptied by interrupts (data
// sheet, chapter 20).
//
// The buffers are rings. The interrupt moves one end and loops the other, each with a single store.
// The receive ring has 64 bytes, or the size and memory that the sketch provides for Serial
// (HOCKET_SERIAL_BUFFER). A byte that finds no room is lost; the simulator counts it
// (simulation/avr/serial_watch.h).
//
// Who pays for a character is decided beforehand (docs/decisions/interrupts-on-a-budget.md). The
// writing loop pays for the interrupt when it writes. Received characters are counted by admission
// if any code reads; otherwise the receiver is off. So a character that is sent costs one
// interrupt.
#pragma once

#include <avr/io.h>

#include "arduino/api/serial_rate.h"
#include "arduino/cores/avr8/core.h"
#include "arduino/cores/avr8/device_time.h"
#include "arduino/cores/avr8/serial_ring.h"
#include "ports/avr8/port.h"

namespace hocket::uno {

/// In sketches without loops, for which the users of this file are compiled a second time, there is
/// no other user of a port: no locks and no payments.
#ifdef HOCKET_WITHOUT_LOOPS
constexpr bool kLoops = false;
struct AtOnce {};
#else
constexpr bool kLoops = true;
/// No other loop can come in between.
using AtOnce = Masked;
#endif

/// `Usart` has the registers of the port, by the names of the data sheet without the number; its
/// receive ring as Received; and reads(): whether linked code may read what is received. (All
/// USARTs have the same bits at the same places, so the names of the first one's hold for each.)
template <class Usart>
class SerialLine {
  using Received = typename Usart::Received;
  static constexpr uint8_t kSize = kSerialBuffer;  // of the transmit ring

  inline static volatile uint8_t sent[kSize], sent_head, sent_tail;
  struct SentRoom {
    static volatile uint8_t* bytes() { return sent; }
    static volatile uint8_t& head() { return sent_head; }
    static volatile uint8_t& tail() { return sent_tail; }
    static constexpr uint8_t mask() { return kSize - 1; }
  };
  using Sending = Ring<SentRoom>;

  /// Out of line, because four functions call it.
  [[gnu::noinline]] static uint8_t waiting() { return Received::count(); }
  inline static volatile bool writing;  // a loop is writing, and its bytes must stay together
  /// Something was written since begin(); before that the flag "all has left" is meaningless.
  inline static bool written;

  static bool begun() { return (Usart::control() & (1 << TXEN0)) != 0; }

  /// Makes the caller the writer, unless another loop is writing. (Inlined, it would be there
  /// twice.)
  [[gnu::noinline]] static bool begin_writing() {
    const Masked masked;
    const bool free = !writing;
    writing = true;
    return free;
  }

  /// Adds a byte. The transmit interrupt is enabled only while there is a byte for it.
  static void put(uint8_t byte) {
    const Masked masked;
    Sending::put(byte);
    Usart::control() = static_cast<uint8_t>(Usart::control() | (1 << UDRIE0));
  }

 public:
  /// Sends the next byte, which must exist. (Inlined, so that the interrupt saves only what it
  /// changes.)
  [[gnu::always_inline]] static void send_next() {
    Usart::data() = Sending::take();
    // "All has left" refers to this byte from now on.
    Usart::status() = (Usart::status() & (1 << U2X0)) | (1 << TXC0);
    if (Sending::empty()) {
      Usart::control() = static_cast<uint8_t>(Usart::control() & ~(1 << UDRIE0));
    }
  }

 private:
  /// Whether the transmit interrupt cannot run while the caller waits. That is so if interrupts are
  /// masked; in sketches with loops only in a handler, because a loop that has masked them can
  /// wait, and interrupts are enabled while others run.
  static bool must_poll() {
    if ((SREG & (1 << SREG_I)) != 0) return false;
    return !kLoops || avr8::flag<avr8::kKernel>() || avr8::flag<avr8::kIdle>();
  }

  /// Waits a little for the transmitter, or does its interrupt's work, as the stock core does.
  static void wait_or_send() {
    if (!must_poll()) {
      if (kLoops) pause();
    } else if ((Usart::control() & (1 << UDRIE0)) != 0 && (Usart::status() & (1 << UDRE0)) != 0) {
      send_next();
    }
  }

 public:
  [[gnu::always_inline]] static void open(uint16_t setting) {
    Usart::status() = (setting & kDoubleSpeed) != 0 ? 1 << U2X0 : 0;
    // (The simulator takes a character's time with the rate.)
    Usart::format() = (1 << UCSZ01) | (1 << UCSZ00);
    Usart::rate() = setting & 0x0fff;
    Usart::control() = Usart::reads() ? (1 << TXEN0) | (1 << RXEN0) | (1 << RXCIE0) : 1 << TXEN0;
  }
  [[gnu::always_inline]] static void set_format(uint8_t format) { Usart::format() = format; }

  /// After flush().
  [[gnu::always_inline]] static void close() {
    Usart::control() = 0;
    written = false;
    Received::tail() = Received::head();
  }

  [[gnu::always_inline]] static size_t available() { return waiting(); }
  [[gnu::always_inline]] static size_t room() { return kSize - 1u - Sending::count(); }
  /// If two loops read, each gets bytes of its own. (If both moved the tail, it could pass the
  /// head, and the ring would seem full.)
  [[gnu::always_inline]] static int read() {
    [[maybe_unused]] const AtOnce at_once;
    if (Received::empty()) return -1;
    return Received::take();
  }
  [[gnu::always_inline]] static int peek() {
    [[maybe_unused]] const AtOnce at_once;
    if (Received::empty()) return -1;
    return Received::bytes()[Received::tail()];
  }

  [[gnu::always_inline]] static size_t write(const uint8_t* data, size_t size) {
    if (!begun()) return 0;
    // A handler cannot wait for the loop that it interrupts, so its bytes come between that loop's.
    const bool locks = kLoops && !must_poll();
    while (locks && !begin_writing()) pause();
    // The caller pays before it writes. At most as many bytes are paid for and not sent as the
    // buffer holds.
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

  [[gnu::always_inline]] static void flush() {
    while (written &&
           ((Usart::control() & (1 << UDRIE0)) != 0 || (Usart::status() & (1 << TXC0)) == 0)) {
      wait_or_send();
    }
  }

  [[gnu::always_inline]] static bool wait() {
    if (kLoops && waiting() == 0) pause();
    return waiting() != 0;
  }
};

}  // namespace hocket::uno
