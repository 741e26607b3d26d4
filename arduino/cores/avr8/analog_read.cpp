// The converter. For sketches without loops this file is compiled a second time.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"

namespace {

uint8_t reference = 1 << REFS0;  // the supply

constexpr uint8_t kStart = (1 << ADEN) | (1 << ADSC) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0);

// One conversion takes 13 turns of a clock of 125 kHz: 104 us, of the loop's budget. There is one
// converter.

#ifdef HOCKET_WITHOUT_LOOPS

/// Only a handler can come between, and has ended its conversion when it returns: if that was of
/// another pin, this one begins anew.
uint16_t convert(uint8_t source) {
  for (;;) {
    ADMUX = source;
    ADCSRA = kStart;
    while ((ADCSRA & (1 << ADSC)) != 0) {
    }
    const hocket::uno::Masked masked;
    if (ADMUX == source) return ADC;
  }
}

#else

/// A loop that has come between, and has begun a conversion of its own since, makes this one begin
/// anew.
uint16_t convert(uint8_t source) {
  static volatile uint16_t begun;  // how many
  for (;;) {
    uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    const bool free = (ADCSRA & (1 << ADSC)) == 0;
    const uint16_t mine = begun + 1;
    if (free) {
      begun = mine;
      ADMUX = source;
      ADCSRA = kStart;
    }
    SREG = state;
    if (!free) continue;
    while ((ADCSRA & (1 << ADSC)) != 0) {
    }
    state = SREG;
    asm volatile("cli" ::: "memory");
    const uint16_t result = ADC;
    const bool still_mine = begun == mine;
    SREG = state;
    if (still_mine) return result;
  }
}

#endif

}  // namespace

extern "C" {

void analogReference(uint8_t which) {
  switch (which) {
    case EXTERNAL:
      reference = 0;
      break;
    case INTERNAL:
    case INTERNAL1V1:
      reference = (1 << REFS1) | (1 << REFS0);
      break;
    default:
      reference = 1 << REFS0;
      break;
  }
}
/// Of the 10 bits that were read. Where a sketch asks for other bits, read_resolution.cpp has
/// another one that goes first.
int hocket_at_resolution(int result);
__attribute__((weak)) int hocket_at_resolution(int result) {
  return result;
}
int analogRead(pin_size_t pin) {
  const pin_size_t channel = pin >= 14 ? pin - 14 : pin;
  if (channel >= 6) return 0;
  return hocket_at_resolution(static_cast<int>(convert(static_cast<uint8_t>(reference | channel))));
}

}  // extern "C"
