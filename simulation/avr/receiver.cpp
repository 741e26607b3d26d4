#include "simulation/avr/receiver.h"

#include <simavr/sim_avr.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

namespace hocket::avr {
namespace {

constexpr uint8_t kComplete = 1 << 7;  // RXC0
constexpr uint8_t kOverrun = 1 << 3;   // DOR0
constexpr uint8_t kEnabled = 1 << 4;   // RXEN0

}  // namespace

void Receiver::join(avr_t* avr, const UartModel& uart) {
  avr_ = avr;
  uart_ = &uart;
  for (unsigned i = 0; i < avr->interrupts.vector_count; ++i) {
    if (avr->interrupts.vector[i]->vector == uart.receives) interrupt_ = avr->interrupts.vector[i];
  }
  auto& read = avr->io[AVR_DATA_TO_IO(uart.data)].r;
  read.c = &Receiver::take;
  read.param = this;
  // (The library has room for few registers that two ask for.)
  take_over(uart.status, library_[0], &Receiver::wrote_status);
  take_over(uart.control, library_[1], &Receiver::wrote_control);
}

void Receiver::take_over(uint16_t address, Library& library, avr_io_write_t function) {
  auto& write = avr_->io[AVR_DATA_TO_IO(address)].w;
  library = {write.c, write.param};
  write.c = function;
  write.param = this;
}

uint8_t Receiver::data_bits() const {
  return static_cast<uint8_t>(0xff >> (3 - ((avr_->data[uart_->format] >> 1) & 3)));
}

bool Receiver::enabled() const {
  return (avr_->data[uart_->control] & kEnabled) != 0;
}

void Receiver::receive(uint8_t byte) {
  if (!enabled()) {
    ++unheard_;
    return;
  }
  if (count_ > kBuffer) {
    overrun_ = true;
    ++overruns_;
    --count_;
  }
  bytes_[count_++] = byte & data_bits();
  show();
}

/// The flags; the interrupt comes as long as there is a byte.
void Receiver::show() {
  uint8_t& status = avr_->data[uart_->status];
  status = static_cast<uint8_t>((status & ~(kComplete | kOverrun)) | (overrun_ ? kOverrun : 0));
  if (count_ == 0) return avr_clear_interrupt(avr_, interrupt_);
  status |= kComplete;
  avr_raise_interrupt(avr_, interrupt_);
}

/// A byte in the shift register moves up, and the flag DOR0 no longer refers to it.
uint8_t Receiver::take(avr_t*, uint16_t, void* self) {
  Receiver& receiver = *static_cast<Receiver*>(self);
  const uint8_t byte = receiver.bytes_[0];
  if (receiver.count_ == 0) return byte;
  for (unsigned i = 0; i < kBuffer; ++i) receiver.bytes_[i] = receiver.bytes_[i + 1];
  --receiver.count_;
  receiver.overrun_ = false;
  receiver.show();
  if (receiver.read_) receiver.read_();
  return byte;
}

/// Both flags cannot be written.
void Receiver::wrote_status(avr_t* avr, uint16_t address, uint8_t value, void* self) {
  Receiver& receiver = *static_cast<Receiver*>(self);
  receiver.library_[0].write(avr, address, value, receiver.library_[0].parameter);
  receiver.show();
}

/// Disabling discards the bytes. Enabling the interrupt while a byte waits raises it.
void Receiver::wrote_control(avr_t* avr, uint16_t address, uint8_t value, void* self) {
  Receiver& receiver = *static_cast<Receiver*>(self);
  receiver.library_[1].write(avr, address, value, receiver.library_[1].parameter);
  if (!receiver.enabled()) {
    receiver.count_ = 0;
    receiver.overrun_ = false;
  }
  receiver.show();
}

}  // namespace hocket::avr
