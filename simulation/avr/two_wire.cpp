#include "simulation/avr/two_wire.h"

#include <simavr/avr_twi.h>
#include <simavr/sim_io.h>

#include <array>
#include <string_view>

#include "simulation/avr/mcu.h"

namespace hocket::avr {
namespace {

constexpr uint16_t kTwbr = 0xb8, kTwsr = 0xb9, kTwcr = 0xbc;  // in data memory
// States of the interface (data sheet, tables 21-3 and 21-4).
constexpr uint8_t kStart = 0x08, kRepeatedStart = 0x10, kLost = 0x38;
constexpr uint8_t kCameAnswered = 0x50, kCameLast = 0x58;
constexpr unsigned kClocksOfAByte = 9;

avr_twi_t* library_interface(avr_t* avr) {
  avr_io_t* io = avr->io_port;
  while (io != nullptr && io->kind != std::string_view("twi")) io = io->next;
  return reinterpret_cast<avr_twi_t*>(io);  // its first member
}

}  // namespace

TwoWire::TwoWire(avr_t* avr, sim::Devices& devices)
    : avr_(avr), devices_(devices), library_(library_interface(avr)) {
  avr_irq_register_notify(avr_io_getirq(avr_, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT),
                          &TwoWire::told, this);
  avr_register_io_write(avr_, kTwcr, &TwoWire::written, this);
}

/// Comes after the library's own, which has just set a timer for the next state.
void TwoWire::written(avr_t*, avr_io_addr_t, uint8_t, void* self) {
  static_cast<TwoWire*>(self)->time_the_state();
}

/// At the rate that is set (data sheet, 21.5.2).
sim::Nanos TwoWire::of_clocks(unsigned clocks) const {
  constexpr std::array<unsigned, 4> kPrescaler{1, 4, 16, 64};
  const unsigned cycles = 16 + 2 * avr_->data[kTwbr] * kPrescaler[avr_->data[kTwsr] & 3];
  return nanos(avr_cycle_count_t{clocks} * cycles);
}

void TwoWire::time_the_state() {
  for (avr_cycle_timer_slot_p slot = avr_->cycle_timers.timer; slot != nullptr; slot = slot->next) {
    if (slot->param != library_) continue;
    const avr_cycle_timer_t timer = slot->timer;
    avr_cycle_timer_cancel(avr_, timer, library_);
    const sim::Nanos now = nanos(avr_->cycle);
    const uint8_t next = library_->next_twstate;
    const bool starts = next == kStart || next == kRepeatedStart;
    const sim::Nanos lasts = of_clocks(starts ? 1 : kClocksOfAByte);
    const sim::Nanos until =
        starts ? devices_.i2c_start_ends(now, lasts) : devices_.i2c_byte_ends(now, lasts);
    const bool receives = next == kCameAnswered || next == kCameLast;
    if (!starts && !receives && devices_.i2c_data_held(now, until)) library_->next_twstate = kLost;
    // A line that stays low: the state never comes, until the interface is switched off.
    if (until == UINT64_MAX) return;
    avr_cycle_timer_register(avr_, cycles_at(until) - avr_->cycle, timer, library_);
    return;
  }
}

void TwoWire::told(avr_irq_t*, uint32_t value, void* self) {
  avr_twi_msg_irq_t message;
  message.u.v = value;
  static_cast<TwoWire*>(self)->step(message.u.twi.msg, message.u.twi.addr, message.u.twi.data);
}

void TwoWire::answer(uint8_t what, uint8_t data) {
  avr_raise_irq(avr_io_getirq(avr_, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT),
                avr_twi_irq_msg(what, address_, data));
}

void TwoWire::step(uint8_t what, uint8_t address, uint8_t data) {
  const sim::Nanos now = nanos(avr_->cycle);
  if ((what & TWI_COND_STOP) != 0) devices_.i2c_stop(now);
  if ((what & TWI_COND_START) != 0) {
    address_ = address;
    const bool reads = (address & 1) != 0;
    if (devices_.i2c_begin(now, address >> 1, reads)) answer(TWI_COND_ACK, 1);
  }
  if ((what & TWI_COND_WRITE) != 0 && devices_.i2c_write(now, data)) answer(TWI_COND_ACK, 1);
  if ((what & TWI_COND_READ) != 0) {
    const uint8_t byte = devices_.i2c_read(now);
    const bool lost = devices_.i2c_data_held(now, now + of_clocks(kClocksOfAByte));
    answer(TWI_COND_READ, lost ? 0 : byte);
  }
}

}  // namespace hocket::avr
