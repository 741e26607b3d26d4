// The pin-change interrupts that libsimavr 1.6 lacks: those of an ATmega2560's ports J and K. It
// has that of port B (data sheet of the ATmega2560, 15.2.5 to 15.2.9).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "arduino/cores/avr8/image/chip_model.h"

struct avr_t;
struct avr_irq_t;
struct avr_int_vector_t;

namespace hocket::avr {

class FurtherChanges {
 public:
  FurtherChanges();
  ~FurtherChanges();
  /// Call once, after avr_init(), and before other classes look at the processor's interrupts. Must
  /// not move afterwards.
  void join(avr_t* avr, const ChipModel& chip);

 private:
  struct Pin {
    FurtherChanges* owner;
    unsigned line;
    uint16_t mask_register;
    uint8_t bit;
    bool high;
  };
  static void changed(avr_irq_t* irq, uint32_t value, void* pin);

  avr_t* avr_ = nullptr;
  std::vector<std::unique_ptr<avr_int_vector_t>> vectors_;  // by line; null: the library's own
  std::vector<std::unique_ptr<Pin>> pins_;
};

}  // namespace hocket::avr
