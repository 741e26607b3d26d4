#include "simulation/avr/transmitter.h"

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

namespace hocket::avr {
namespace {

// The registers and their bits (data sheet, 19.10).
constexpr avr_io_addr_t kStatus = 0xc0;   // UCSR0A
constexpr avr_io_addr_t kControl = 0xc1;  // UCSR0B
constexpr avr_io_addr_t kFormat = 0xc2;   // UCSR0C
constexpr avr_io_addr_t kRate = 0xc4;     // UBRR0L; the high byte follows
constexpr avr_io_addr_t kData = 0xc6;     // UDR0
constexpr uint8_t kDouble = 1 << 1;       // U2X0
constexpr uint8_t kNinth = 1 << 2;        // UCSZ02
constexpr uint8_t kParity = 1 << 5;       // UPM01
constexpr uint8_t kSecondStop = 1 << 3;   // USBS0
constexpr uint16_t kHighestRate = 0xfff;  // UBRR0 has twelve bits

/// The cycles from the beginning of a start bit to the end of the last stop bit.
avr_cycle_count_t cycles_of_character(const avr_t& avr) {
  const uint8_t format = avr.data[kFormat];
  const bool nine = (avr.data[kControl] & kNinth) != 0;
  const unsigned data = nine ? 9 : 5U + ((format >> 1) & 3);
  const unsigned bits =
      1 + data + ((format & kParity) != 0 ? 1 : 0) + 1 + ((format & kSecondStop) != 0 ? 1 : 0);
  const unsigned rate = (avr.data[kRate] | avr.data[kRate + 1] << 8) & kHighestRate;
  const unsigned cycles_per_bit = (rate + 1) * ((avr.data[kStatus] & kDouble) != 0 ? 8 : 16);
  return avr_cycle_count_t{bits} * cycles_per_bit;
}

}  // namespace

void Transmitter::join(avr_t* avr) {
  auto& write = avr->io[AVR_DATA_TO_IO(kData)].w;
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
