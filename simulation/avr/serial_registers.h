// The registers of the serial port and their bits, as the receiver and the transmitter use them
// (data sheet, 19.10).
#pragma once

#include <simavr/sim_avr_types.h>

namespace hocket::avr::usart {

inline constexpr avr_io_addr_t kStatus = 0xc0;   // UCSR0A
inline constexpr avr_io_addr_t kControl = 0xc1;  // UCSR0B
inline constexpr avr_io_addr_t kFormat = 0xc2;   // UCSR0C
inline constexpr avr_io_addr_t kRate = 0xc4;     // UBRR0L; the high byte follows
inline constexpr avr_io_addr_t kData = 0xc6;     // UDR0
inline constexpr uint16_t kHighestRate = 0xfff;  // UBRR0 has twelve bits

inline constexpr uint8_t kDouble = 1 << 1;      // U2X0
inline constexpr uint8_t kNinth = 1 << 2;       // UCSZ02
inline constexpr uint8_t kParity = 1 << 5;      // UPM01
inline constexpr uint8_t kSecondStop = 1 << 3;  // USBS0
inline constexpr uint8_t kComplete = 1 << 7;    // RXC0
inline constexpr uint8_t kOverrun = 1 << 3;     // DOR0
inline constexpr uint8_t kEnabled = 1 << 4;     // RXEN0
inline constexpr unsigned kVector = 18;         // USART_RX (table 12-6, counted from 0)

}  // namespace hocket::avr::usart
