#include "simulation/uno/two_wire.h"

#include <simavr/avr_twi.h>
#include <simavr/sim_io.h>

#include "simulation/uno/mcu.h"

namespace hocket::uno {

TwoWire::TwoWire(avr_t* avr, sim::Devices& devices) : avr_(avr), devices_(devices) {
  avr_irq_register_notify(avr_io_getirq(avr_, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT),
                          &TwoWire::told, this);
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
  if ((what & TWI_COND_READ) != 0) answer(TWI_COND_READ, devices_.i2c_read(now));
}

}  // namespace hocket::uno
