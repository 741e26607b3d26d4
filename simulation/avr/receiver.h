// A USART's receiver as specified in the data sheet (19.7). It replaces libsimavr's, which keeps 64
// bytes and delivers one of them in each byte's time, however late the sketch reads.
//
//   line ─▶ shift register ─▶ two bytes ─▶ UDR0      RXC0: there is one to read
//            └ full, and another one begins: lost    DOR0, until the register has been emptied
//
// A byte is passed in when its stop bit has ended, so a loss is known one byte's time later than on
// the chip: the byte in the shift register is overwritten.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "arduino/cores/avr8/image/chip_model.h"

typedef struct avr_t avr_t;
typedef struct avr_int_vector_t avr_int_vector_t;
typedef void (*avr_io_write_t)(avr_t* avr, uint16_t address, uint8_t value, void* parameter);

namespace hocket::avr {

class Receiver {
 public:
  /// Call once, after avr_init(). Must not move afterwards.
  void join(avr_t* avr, const UartModel& uart);

  /// A byte has been received.
  void receive(uint8_t byte);
  /// The bits of a byte that the format carries (UCSR0C).
  uint8_t data_bits() const;
  /// Bytes for which the receiver had no room.
  uint64_t overruns() const { return overruns_; }
  /// Bytes received while it was off.
  uint64_t unheard() const { return unheard_; }
  /// Calls `function` when a byte is read from UDR0.
  void on_read(std::function<void()> function) { read_ = std::move(function); }

 private:
  struct Library {  // the library's callback for a write
    avr_io_write_t write;
    void* parameter;
  };
  void take_over(uint16_t address, Library& library, avr_io_write_t function);
  static uint8_t take(avr_t* avr, uint16_t address, void* self);
  static void wrote_status(avr_t* avr, uint16_t address, uint8_t value, void* self);
  static void wrote_control(avr_t* avr, uint16_t address, uint8_t value, void* self);
  bool enabled() const;
  void show();

  static constexpr unsigned kBuffer = 2;

  avr_t* avr_ = nullptr;
  const UartModel* uart_ = nullptr;
  avr_int_vector_t* interrupt_ = nullptr;
  Library library_[2]{};                      // of UCSR0A, UCSR0B
  std::array<uint8_t, kBuffer + 1> bytes_{};  // the last one is in the shift register
  unsigned count_ = 0;
  bool overrun_ = false;
  uint64_t overruns_ = 0;
  uint64_t unheard_ = 0;
  std::function<void()> read_;
};

}  // namespace hocket::avr
