#include "simulation/avr/external_interrupts.h"

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

namespace hocket::avr {
namespace {

constexpr avr_io_addr_t kEimsk = 0x3d;
enum Sense : uint8_t { kLow, kChange, kFalling, kRising };

}  // namespace

void ExternalInterrupts::join(avr_t* avr, const ChipModel& chip) {
  avr_ = avr;
  chip_ = &chip;
  for (unsigned i = 0; i < chip.external.size(); ++i) {
    const ExternalModel& line = chip.external[i];
    pins_[i] = {.owner = this, .number = i, .high = false, .vector = nullptr};
    for (unsigned v = 0; v < avr->interrupts.vector_count; ++v) {
      if (avr->interrupts.vector[v]->vector == 1 + i) pins_[i].vector = avr->interrupts.vector[v];
    }
    avr_irq_t* const pin =
        avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(line.port), static_cast<int>(line.bit));
    avr_unconnect_irq(pin, avr_io_getirq(avr, AVR_IOCTL_EXTINT_GETIRQ(), static_cast<int>(i)));
    avr_irq_register_notify(pin, &changed, &pins_[i]);
  }
}

bool ExternalInterrupts::enabled() const {
  return (avr_->data[kEimsk] & ((1 << chip_->external.size()) - 1)) != 0;
}

unsigned ExternalInterrupts::sense(unsigned number) const {
  const ExternalModel& line = chip_->external[number];
  return avr_->data[line.sense] >> line.shift & 3;
}

void ExternalInterrupts::changed(avr_irq_t*, uint32_t value, void* which) {
  Pin& pin = *static_cast<Pin*>(which);
  const bool high = (value & 1) != 0;
  if (high == pin.high) return;
  pin.high = high;
  const unsigned sense = pin.owner->sense(pin.number);
  if (sense == kLow) return pin.owner->look();  // the level may end a sleep
  if (sense == kChange || high == (sense == kRising)) {
    avr_raise_interrupt(pin.owner->avr_, pin.vector);
  }
}

/// Does not raise an interrupt that cannot be taken now: the library would queue it each time.
void ExternalInterrupts::look() {
  for (unsigned i = 0; i < chip_->external.size(); ++i) {
    const Pin& pin = pins_[i];
    const unsigned bit = 1u << pin.number;
    const bool asks = sense(pin.number) == kLow && !pin.high && (avr_->data[kEimsk] & bit) != 0;
    if (!asks && (by_level_ & bit) != 0 && pin.vector->pending != 0) {
      avr_clear_interrupt(avr_, pin.vector);
    }
    if (!asks || pin.vector->pending == 0) by_level_ &= ~bit;
    if (!asks || avr_->sreg[S_I] == 0 || pin.vector->pending != 0) continue;
    avr_raise_interrupt(avr_, pin.vector);
    avr_regbit_clear(avr_, pin.vector->raised);  // a level sets no flag
    by_level_ |= bit;
  }
}

}  // namespace hocket::avr
