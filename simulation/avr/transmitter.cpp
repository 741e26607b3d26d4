#include "simulation/avr/transmitter.h"

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

#include "simulation/avr/serial_registers.h"

namespace hocket::avr {
namespace {

/// The cycles from the beginning of a start bit to the end of the last stop bit.
avr_cycle_count_t cycles_of_character(const avr_t& avr) {
  const uint8_t format = avr.data[usart::kFormat];
  const bool nine = (avr.data[usart::kControl] & usart::kNinth) != 0;
  const unsigned data = nine ? 9 : 5U + ((format >> 1) & 3);
  const unsigned bits = 1 + data + ((format & usart::kParity) != 0 ? 1 : 0) + 1 +
                        ((format & usart::kSecondStop) != 0 ? 1 : 0);
  const unsigned rate =
      (avr.data[usart::kRate] | avr.data[usart::kRate + 1] << 8) & usart::kHighestRate;
  const unsigned cycles_per_bit =
      (rate + 1) * ((avr.data[usart::kStatus] & usart::kDouble) != 0 ? 8 : 16);
  return avr_cycle_count_t{bits} * cycles_per_bit;
}

}  // namespace

void Transmitter::join(avr_t* avr) {
  auto& write = avr->io[AVR_DATA_TO_IO(usart::kData)].w;
  library_ = write.c;
  uart_ = write.param;
  write.c = &Transmitter::wrote_data;
  write.param = this;
}

/// SAFETY: the library registers its structure for the register that it writes (avr_uart.c).
void Transmitter::wrote_data(avr_t* avr, uint16_t address, uint8_t value, void* self) {
  const Transmitter& transmitter = *static_cast<Transmitter*>(self);
  static_cast<avr_uart_t*>(transmitter.uart_)->cycles_per_byte = cycles_of_character(*avr);
  transmitter.library_(avr, address, value, transmitter.uart_);
}

}  // namespace hocket::avr
