// The interrupts of pins 2 and 3 as the data sheet has them (13.1, 13.2).
//
// libsimavr 1.6 has edges right. A level it looks at only when the pin falls, whatever is attached
// or enabled later; it goes on with that when the mode is another one; what it has raised comes
// although the pin is high again; and while the pin is low it wakes in every cycle. So the library
// is not told of these pins' levels any more.
#pragma once

#include <cstdint>

struct avr_t;
struct avr_irq_t;
struct avr_int_vector_t;

namespace hocket::uno {

/// Of one processor: the library calls back with pointers into this, so it must not move.
class ExternalInterrupts {
 public:
  /// Once, after avr_init().
  void join(avr_t* avr);

  /// After each instruction: a level that stands asks again, one that has gone does not.
  void update() {
    if (enabled() || by_level_ != 0) look();
  }

 private:
  static constexpr unsigned kCount = 2;
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
  Pin pins_[kCount] = {};
  unsigned by_level_ = 0;  // bits: a level has asked, and has not been answered
};

}  // namespace hocket::uno
