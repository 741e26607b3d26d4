#include "simulation/avr/interrupt_flags.h"

#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#include <type_traits>

namespace hocket::avr {
namespace {

constexpr avr_io_addr_t kFlags = 0x35;  // TIFR0 in data memory; those of the other timers follow
constexpr avr_io_addr_t kMasks = 0x6e;  // TIMSK0, likewise
// Of the pins: data sheet, 13.2.
constexpr avr_io_addr_t kPinFlags[] = {0x3b, 0x3c};  // PCIFR, EIFR
constexpr avr_io_addr_t kPinMasks[] = {0x68, 0x3d};  // PCICR, EIMSK
// The watchdog's control and its bits (10.9.2).
constexpr avr_io_addr_t kWatchdog = 0x60;
constexpr uint8_t kWdif = 1 << 7, kWde = 1 << 3;

/// An event that has already happened raises its interrupt when it is enabled.
void write_mask(avr_t* avr, avr_io_addr_t address, uint8_t value, void*) {
  avr->data[address] = value;
  for (unsigned i = 0; i < avr->interrupts.vector_count; ++i) {
    avr_int_vector_t* vector = avr->interrupts.vector[i];
    const bool allowed = vector->enable.reg == address && avr_regbit_get(avr, vector->enable) != 0;
    if (allowed && avr_regbit_get(avr, vector->raised) != 0) avr_raise_interrupt(avr, vector);
  }
}

/// Writing a 1 clears the flag and the pending interrupt.
void write_pin_flags(avr_t* avr, avr_io_addr_t address, uint8_t value, void*) {
  for (unsigned i = 0; i < avr->interrupts.vector_count; ++i) {
    avr_int_vector_t* vector = avr->interrupts.vector[i];
    if (vector->raised.reg != address || (value >> vector->raised.bit & 1) == 0) continue;
    avr_clear_interrupt(avr, vector);
  }
}

avr_int_vector_t* watchdog_of(avr_t* avr) {
  for (unsigned i = 0; i < avr->interrupts.vector_count; ++i) {
    avr_int_vector_t* const vector = avr->interrupts.vector[i];
    if (vector->enable.reg == kWatchdog) return vector;
  }
  return nullptr;
}

}  // namespace

/// Shows the library only the flags to be cleared; the others stay pending meanwhile.
void InterruptFlags::write_flags(avr_t* avr, uint16_t address, uint8_t value, void* mended) {
  const auto& write = *static_cast<const Write*>(mended);
  const uint8_t before = avr->data[address];
  avr->data[address] = before & value;
  write.library(avr, address, value, write.parameter);
  avr->data[address] = static_cast<uint8_t>(avr->data[address] | (before & ~value));
}

/// Writing a 1 clears the flag; a 0 leaves it.
void InterruptFlags::write_watchdog(avr_t* avr, uint16_t address, uint8_t value, void* mended) {
  const auto& write = *static_cast<const Write*>(mended);
  const uint8_t flag = avr->data[kWatchdog] & kWdif;
  write.library(avr, address, value, write.parameter);
  avr->data[kWatchdog] &= static_cast<uint8_t>(~kWdif);
  avr_int_vector_t* const vector = watchdog_of(avr);
  if ((value & kWdif) != 0) {
    avr_clear_interrupt(avr, vector);
  } else if (flag != 0) {
    avr->data[kWatchdog] |= kWdif;
    if (avr_regbit_get(avr, vector->enable) != 0) avr_raise_interrupt(avr, vector);
  }
}

/// Comes before the library clears the interrupt. It takes back the enable bit then, if the flag is
/// still there.
void InterruptFlags::watchdog_runs(avr_irq_t*, uint32_t begins, void* processor) {
  avr_t* const avr = static_cast<avr_t*>(processor);
  uint8_t& control = avr->data[kWatchdog];
  if (begins != 0 && (control & kWde) == 0) control &= static_cast<uint8_t>(~kWdif);
}

void InterruptFlags::join(avr_t* avr, const ChipModel& chip) {
  static_assert(std::is_same_v<avr_io_addr_t, uint16_t>);
  auto& watchdog = avr->io[AVR_DATA_TO_IO(kWatchdog)].w;
  watchdog_ = {watchdog.c, watchdog.param};
  watchdog.c = &write_watchdog;
  watchdog.param = &watchdog_;
  avr_irq_register_notify(watchdog_of(avr)->irq + AVR_INT_IRQ_RUNNING, &watchdog_runs, avr);
  for (unsigned i = 0; i < chip.timers.size(); ++i) {
    avr_register_io_write(avr, static_cast<avr_io_addr_t>(kMasks + i), &write_mask, nullptr);
    auto& write = avr->io[AVR_DATA_TO_IO(kFlags + i)].w;
    writes_[i] = {write.c, write.param};
    write.c = &write_flags;
    write.param = &writes_[i];
  }
  for (const avr_io_addr_t flags : kPinFlags) {
    avr_register_io_write(avr, flags, &write_pin_flags, nullptr);
  }
  for (const avr_io_addr_t masks : kPinMasks) {
    avr_register_io_write(avr, masks, &write_mask, nullptr);
  }
}

}  // namespace hocket::avr
