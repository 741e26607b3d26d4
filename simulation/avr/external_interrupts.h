// The pins with interrupts of their own (EIMSK) as specified in the data sheet (13.1, 13.2).
//
// libsimavr 1.6 handles edges correctly. It checks a level only when the pin falls, whatever is
// attached or enabled later, and continues with that in other modes. An interrupt that it has
// raised comes even if the pin is high again, and while the pin is low it wakes the processor in
// every cycle. So the library does not see these pins' levels any more.
#pragma once

#include <cstdint>

#include "arduino/cores/avr8/image/chip_model.h"

struct avr_t;
struct avr_irq_t;
struct avr_int_vector_t;

namespace hocket::avr {

/// For one processor: the library calls back with pointers into this, so it must not move.
class ExternalInterrupts {
 public:
  /// Call once, after avr_init().
  void join(avr_t* avr, const ChipModel& chip);

  /// Call after each instruction: an active level raises the interrupt again, an inactive one does
  /// not.
  void update() {
    if (enabled() || by_level_ != 0) look();
  }

 private:
  static constexpr unsigned kMost = 6;
  struct Pin {
    ExternalInterrupts* owner;
    unsigned number;
    bool high;
    avr_int_vector_t* vector;
  };

  static void changed(avr_irq_t* irq, uint32_t value, void* pin);
  bool enabled() const;
  unsigned sense(unsigned number) const;
  void look();

  avr_t* avr_ = nullptr;
  const ChipModel* chip_ = nullptr;
  Pin pins_[kMost] = {};
  unsigned by_level_ = 0;  // bits: a level has raised its interrupt, which was not taken yet
};

}  // namespace hocket::avr
