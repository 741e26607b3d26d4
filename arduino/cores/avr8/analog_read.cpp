// The converter.
#include <avr/io.h>

#include "arduino/api/Common.h"

namespace {

/// One conversion takes 13 turns of a clock of 125 kHz: 104 us, of the loop's budget. There is one
/// converter: a loop that has come between, and has begun a conversion of its own since, makes this
/// one begin anew.
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
      ADCSRA = (1 << ADEN) | (1 << ADSC) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0);
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

constexpr int kMostBits = 15;  // of a result that is not negative: an int has 16
int read_bits = 10;
uint8_t reference = 1 << REFS0;  // the supply

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
void analogReadResolution(int bits) {
  read_bits = constrain(bits, 1, kMostBits);
}
int analogRead(pin_size_t pin) {
  const pin_size_t channel = pin >= 14 ? pin - 14 : pin;
  if (channel >= 6) return 0;
  const uint16_t result = convert(static_cast<uint8_t>(reference | channel));
  return static_cast<int>(read_bits <= 10 ? result >> (10 - read_bits)
                                          : result << (read_bits - 10));
}

}  // extern "C"
