// The analog converter. For sketches without loops this file is compiled a second time.
#include <avr/io.h>

#include "arduino/api/Common.h"
#include "arduino/cores/avr8/core.h"

namespace {

uint8_t reference = 1 << REFS0;  // the supply

// The pin of the first input, and the inputs of the converter (the flat package's have legs of
// their own).
#ifdef __AVR_ATmega2560__
constexpr pin_size_t kFirstInput = 54, kInputs = 16;
#else
constexpr pin_size_t kFirstInput = 14, kInputs = 8;
#endif

constexpr uint8_t kStart = (1 << ADEN) | (1 << ADSC) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0);

/// Selects the reference and the input, from the byte that analogRead() makes of both. (The
/// reference is in the upper two bits. Inputs 8 to 15 of an ATmega2560 have a further bit, in
/// ADCSRB.)
inline void select(uint8_t source) {
#ifdef MUX5
  const bool upper = (source & 1 << 3) != 0;
  ADCSRB = static_cast<uint8_t>((ADCSRB & ~(1 << MUX5)) | (upper ? 1 << MUX5 : 0));
  source &= static_cast<uint8_t>(~(1 << 3));
#endif
  ADMUX = source;
}
// One conversion takes 13 cycles of a 125 kHz clock: 104 us, charged to the loop. There is only one
// converter.

#ifdef HOCKET_WITHOUT_LOOPS

/// Whether that is still selected.
inline bool is_selected(uint8_t source) {
#ifdef MUX5
  const bool upper = (ADCSRB & 1 << MUX5) != 0;
  return (ADMUX | (upper ? 1 << 3 : 0)) == source;
#else
  return ADMUX == source;
#endif
}

/// Without loops, only an interrupt handler can come between, and its conversion has ended when it
/// returns. If that was of another pin, this conversion starts again.
uint16_t convert(uint8_t source) {
  for (;;) {
    select(source);
    ADCSRA = kStart;
    while ((ADCSRA & (1 << ADSC)) != 0) {
    }
    const hocket::uno::Masked masked;
    if (is_selected(source)) return ADC;
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
      select(source);
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
#ifdef __AVR_ATmega2560__
      reference = 1 << REFS1;
      break;
    case INTERNAL2V56:
#endif
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
  const pin_size_t channel = pin >= kFirstInput ? pin - kFirstInput : pin;
  if (channel >= kInputs) return 0;
  return hocket_at_resolution(static_cast<int>(convert(static_cast<uint8_t>(reference | channel))));
}

}  // extern "C"
