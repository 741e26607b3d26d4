#include "simulation/avr/further_changes.h"

#include <simavr/avr_ioport.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

namespace hocket::avr {
namespace {

constexpr avr_io_addr_t kPcifr = 0x3b, kPcicr = 0x68, kPcmsk0 = 0x6b;

bool library_has(const avr_t* avr, unsigned interrupt) {
  for (unsigned i = 0; i < avr->interrupts.vector_count; ++i) {
    if (avr->interrupts.vector[i]->vector == interrupt) return true;
  }
  return false;
}

}  // namespace

FurtherChanges::FurtherChanges() = default;
FurtherChanges::~FurtherChanges() = default;

void FurtherChanges::join(avr_t* avr, const ChipModel& chip) {
  avr_ = avr;
  for (unsigned line = 0; line < chip.changes.size(); ++line) {
    const ChangeModel& change = chip.changes[line];
    vectors_.emplace_back();
    if (library_has(avr, change.interrupt)) continue;
    auto vector = std::make_unique<avr_int_vector_t>();
    *vector = {};
    vector->vector = change.interrupt;
    vector->enable = AVR_IO_REGBIT(kPcicr, static_cast<uint8_t>(line));
    vector->raised = AVR_IO_REGBIT(kPcifr, static_cast<uint8_t>(line));
    avr_register_vector(avr, vector.get());
    vectors_.back() = std::move(vector);
    for (unsigned bit = 0; bit + change.shift < 8; ++bit) {
      pins_.push_back(
          std::make_unique<Pin>(Pin{.owner = this,
                                    .line = line,
                                    .mask_register = static_cast<uint16_t>(kPcmsk0 + line),
                                    .bit = static_cast<uint8_t>(bit + change.shift),
                                    .high = false}));
      avr_irq_register_notify(
          avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(change.port), static_cast<int>(bit)), &changed,
          pins_.back().get());
    }
  }
}

void FurtherChanges::changed(avr_irq_t*, uint32_t value, void* which) {
  Pin& pin = *static_cast<Pin*>(which);
  const bool high = (value & 1) != 0;
  if (high == pin.high) return;
  pin.high = high;
  avr_t* const avr = pin.owner->avr_;
  if ((avr->data[pin.mask_register] >> pin.bit & 1) == 0) return;
  avr_raise_interrupt(avr, pin.owner->vectors_[pin.line].get());
}

}  // namespace hocket::avr
