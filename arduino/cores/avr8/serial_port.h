// A serial port of a chip with several (serial_line.h), in a file of its own: it is linked where
// the sketch uses it. What calls a port by its number names its functions weakly
// (serial_ports.cpp).
#pragma once

#include "arduino/cores/avr8/serial_line.h"

/// Defines port `number`: its registers, its functions and its transmit interrupt. The receive ring
/// is `Room`'s (serial_ring.h).
#define HOCKET_SERIAL_PORT(number, Room)                                              \
  extern "C" {                                                                        \
  extern const uint8_t hocket_serial_receiver_##number __attribute__((weak));         \
  }                                                                                   \
  asm(".weak hocket_serial_receiver_" #number "\n.global hocket_serial_port_" #number \
      "\n.set hocket_serial_port_" #number ", 1");                                    \
  namespace hocket::uno {                                                             \
  namespace {                                                                         \
  struct Usart##number {                                                              \
    using Received = Ring<Room>;                                                      \
    static volatile uint8_t& status() {                                               \
      return UCSR##number##A;                                                         \
    }                                                                                 \
    static volatile uint8_t& control() {                                              \
      return UCSR##number##B;                                                         \
    }                                                                                 \
    static volatile uint8_t& format() {                                               \
      return UCSR##number##C;                                                         \
    }                                                                                 \
    static volatile uint16_t& rate() {                                                \
      return UBRR##number;                                                            \
    }                                                                                 \
    static volatile uint8_t& data() {                                                 \
      return UDR##number;                                                             \
    }                                                                                 \
    static bool reads() {                                                             \
      return &hocket_serial_receiver_##number != nullptr;                             \
    }                                                                                 \
  };                                                                                  \
  using Line = SerialLine<Usart##number>;                                             \
  }                                                                                   \
  }                                                                                   \
  extern "C" {                                                                        \
  void hocket_serial_open_##number(uint16_t setting) {                                \
    hocket::uno::Line::open(setting);                                                 \
  }                                                                                   \
  void hocket_serial_format_##number(uint8_t format) {                                \
    hocket::uno::Line::set_format(format);                                            \
  }                                                                                   \
  size_t hocket_serial_available_##number() {                                         \
    return hocket::uno::Line::available();                                            \
  }                                                                                   \
  size_t hocket_serial_room_##number() {                                              \
    return hocket::uno::Line::room();                                                 \
  }                                                                                   \
  int hocket_serial_read_##number() {                                                 \
    return hocket::uno::Line::read();                                                 \
  }                                                                                   \
  int hocket_serial_peek_##number() {                                                 \
    return hocket::uno::Line::peek();                                                 \
  }                                                                                   \
  size_t hocket_serial_write_##number(const uint8_t* data, size_t size) {             \
    return hocket::uno::Line::write(data, size);                                      \
  }                                                                                   \
  [[gnu::noinline]] void hocket_serial_flush_##number() {                             \
    hocket::uno::Line::flush();                                                       \
  }                                                                                   \
  void hocket_serial_end_##number() {                                                 \
    hocket_serial_flush_##number();                                                   \
    hocket::uno::Line::close();                                                       \
  }                                                                                   \
  bool hocket_serial_wait_##number() {                                                \
    return hocket::uno::Line::wait();                                                 \
  }                                                                                   \
  }                                                                                   \
  HOCKET_AVR8_HANDLER(USART##number##_UDRE_vect) {                                    \
    using namespace hocket::uno;                                                      \
    Line::send_next();                                                                \
    if (kLoops) device_ended();                                                       \
  }

/// Defines the receive interrupt of port `number`. A symbol without an address tells whether it is
/// linked; it links the reading functions, which the table of virtual functions does not.
#define HOCKET_SERIAL_RECEIVER(number, Room)                                             \
  asm(".global hocket_serial_receiver_" #number "\n.set hocket_serial_receiver_" #number \
      ", 1\n"                                                                            \
      ".global _ZN6hocket9BoardPort4readEv\n"                                            \
      ".reloc 0, R_AVR_NONE, _ZN6hocket9BoardPort4readEv");                              \
  HOCKET_AVR8_HANDLER(USART##number##_RX_vect) {                                         \
    using Received = hocket::uno::Ring<Room>;                                            \
    const uint8_t byte = UDR##number;                                                    \
    if (!Received::full()) Received::put(byte);                                          \
    HOCKET_DEVICE_ENDED                                                                  \
  }
#ifdef HOCKET_WITHOUT_LOOPS
#define HOCKET_DEVICE_ENDED
#else
#define HOCKET_DEVICE_ENDED hocket::uno::device_ended();
#endif

// The receive rings of the further ports, each with the file of its port.
#define HOCKET_SERIAL_ROOM(number)                                                              \
  extern "C" volatile uint8_t hocket_serial_received_##number[64], hocket_serial_head_##number, \
      hocket_serial_tail_##number;                                                              \
  namespace hocket::uno {                                                                       \
  struct ReceivedRoom##number {                                                                 \
    static volatile uint8_t* bytes() {                                                          \
      return hocket_serial_received_##number;                                                   \
    }                                                                                           \
    static volatile uint8_t& head() {                                                           \
      return hocket_serial_head_##number;                                                       \
    }                                                                                           \
    static volatile uint8_t& tail() {                                                           \
      return hocket_serial_tail_##number;                                                       \
    }                                                                                           \
    static constexpr uint8_t mask() {                                                           \
      return sizeof hocket_serial_received_##number - 1;                                        \
    }                                                                                           \
  };                                                                                            \
  }
HOCKET_SERIAL_ROOM(1)
HOCKET_SERIAL_ROOM(2)
HOCKET_SERIAL_ROOM(3)
