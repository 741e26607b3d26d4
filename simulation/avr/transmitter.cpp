#include "simulation/avr/transmitter.h"

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

namespace hocket::avr {
namespace {

// The registers and their bits (data sheet, 19.10).
constexpr uint8_t kU2x = 1 << 1;          // U2X0
constexpr uint8_t kNinth = 1 << 2;        // UCSZ02
constexpr uint8_t kParity = 1 << 5;       // UPM01
constexpr uint8_t kSecondStop = 1 << 3;   // USBS0
constexpr uint16_t kHighestRate = 0xfff;  // UBRR0 has twelve bits

/// The cycles from the beginning of a start bit to the end of the last stop bit.
avr_cycle_count_t cycles_of_character(const avr_t& avr, const UartModel& uart) {
  const uint8_t format = avr.data[uart.format];
  const bool nine = (avr.data[uart.control] & kNinth) != 0;
  const unsigned data = nine ? 9 : 5U + ((format >> 1) & 3);
  const unsigned bits =
      1 + data + ((format & kParity) != 0 ? 1 : 0) + 1 + ((format & kSecondStop) != 0 ? 1 : 0);
  const unsigned rate = (avr.data[uart.rate] | avr.data[uart.rate + 1] << 8) & kHighestRate;
  const unsigned cycles_per_bit = (rate + 1) * ((avr.data[uart.status] & kU2x) != 0 ? 8 : 16);
  return avr_cycle_count_t{bits} * cycles_per_bit;
}

}  // namespace

void Transmitter::join(avr_t* avr, const UartModel& uart) {
  registers_ = &uart;
  auto& write = avr->io[AVR_DATA_TO_IO(uart.data)].w;
  library_ = write.c;
  uart_ = write.param;
  write.c = &Transmitter::wrote_data;
  write.param = this;
}

/// SAFETY: the library registers its structure for the register that it writes (avr_uart.c).
void Transmitter::wrote_data(avr_t* avr, uint16_t address, uint8_t value, void* self) {
  const Transmitter& transmitter = *static_cast<Transmitter*>(self);
  static_cast<avr_uart_t*>(transmitter.uart_)->cycles_per_byte =
      cycles_of_character(*avr, *transmitter.registers_);
  transmitter.library_(avr, address, value, transmitter.uart_);
}

}  // namespace hocket::avr
