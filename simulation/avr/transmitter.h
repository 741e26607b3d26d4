// A USART's transmitter: the time of a character. libsimavr gives each one the time of a parity
// bit, in every format, so that it sends a tenth too slowly (8N1: 11 bits instead of 10).
#pragma once

#include <cstdint>

#include "arduino/cores/avr8/image/chip_model.h"

typedef struct avr_t avr_t;
typedef void (*avr_io_write_t)(avr_t* avr, uint16_t address, uint8_t value, void* parameter);

namespace hocket::avr {

class Transmitter {
 public:
  /// Call once, after avr_init(). Must not move afterwards.
  void join(avr_t* avr, const UartModel& uart);

 private:
  static void wrote_data(avr_t* avr, uint16_t address, uint8_t value, void* self);

  const UartModel* registers_ = nullptr;
  void* uart_ = nullptr;  // the library's
  avr_io_write_t library_ = nullptr;
};

}  // namespace hocket::avr
