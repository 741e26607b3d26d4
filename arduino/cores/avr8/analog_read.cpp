// The analog converter. For sketches without loops this file is compiled a second time.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"

namespace {

uint8_t reference = 1 << REFS0;  // the supply

constexpr uint8_t kStart = (1 << ADEN) | (1 << ADSC) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0);

// One conversion takes 13 cycles of a 125 kHz clock: 104 us, charged to the loop. There is only one
// converter.

#ifdef HOCKET_WITHOUT_LOOPS

/// Without loops, only an interrupt handler can come between, and its conversion has ended when it
/// returns. If that was of another pin, this conversion starts again.
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

/// If another loop has come between and has begun a conversion, this conversion starts again.
uint16_t convert(uint8_t source) {
  static volatile uint16_t begun;  // number of conversions begun
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
/// The result from the 10 bits that were read. If the sketch sets another resolution,
/// read_resolution.cpp overrides this function.
int hocket_at_resolution(int result);
__attribute__((weak)) int hocket_at_resolution(int result) {
  return result;
}
int analogRead(pin_size_t pin) {
  const pin_size_t channel = pin >= 14 ? pin - 14 : pin;
  if (channel >= 8) return 0;  // channels 6 and 7 have legs in the flat package only
  return hocket_at_resolution(static_cast<int>(convert(static_cast<uint8_t>(reference | channel))));
}

}  // extern "C"
