#ifdef __AVR__
#include "SPI_of_Uno.h"

SPIClass SPI;
uint8_t SPIClass::masks_;

void SPIClass::begin() {
  const uint8_t state = SREG;
  noInterrupts();
  // If SS is a low input, the processor leaves controller mode, so make it high.
  if ((DDRB & (1 << PORTB2)) == 0) digitalWrite(SS, HIGH);
  pinMode(SS, OUTPUT);
  SPCR = static_cast<uint8_t>(SPCR | (1 << MSTR) | (1 << SPE));
  pinMode(SCK, OUTPUT);
  pinMode(MOSI, OUTPUT);
  SREG = state;
}

void SPIClass::end() {
  SPCR = static_cast<uint8_t>(SPCR & ~(1 << SPE));
}

uint16_t SPIClass::transfer16(uint16_t word) {
  const auto high = static_cast<uint8_t>(word >> 8), low = static_cast<uint8_t>(word);
  const bool lowest_first = (SPCR & (1 << DORD)) != 0;
  const uint8_t first = transfer(lowest_first ? low : high);
  const uint8_t second = transfer(lowest_first ? high : low);
  return static_cast<uint16_t>(lowest_first ? second << 8 | first : first << 8 | second);
}

void SPIClass::transfer(void* buffer, size_t size) {
  auto* at = static_cast<uint8_t*>(buffer);
  for (; size != 0; --size, ++at) *at = transfer(*at);
}

void SPIClass::usingInterrupt(uint8_t interrupt) {
  const uint8_t state = SREG;
  noInterrupts();
  if (interrupt > 1) {
    masks_ = HOCKET_SPI_ALL;
  } else if (masks_ != HOCKET_SPI_ALL) {
    masks_ = static_cast<uint8_t>(masks_ | 1 << interrupt);
  }
  SREG = state;
}

void SPIClass::notUsingInterrupt(uint8_t interrupt) {
  const uint8_t state = SREG;
  noInterrupts();
  // With HOCKET_SPI_ALL all interrupts stay masked, because the requests are not counted.
  if (interrupt <= 1 && masks_ != HOCKET_SPI_ALL)
    masks_ = static_cast<uint8_t>(masks_ & ~(1 << interrupt));
  SREG = state;
}
#endif
