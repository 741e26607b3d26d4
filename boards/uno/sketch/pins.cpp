// Pins whose number is not known at compile time; the others are in variants/uno/pins_arduino.h.
//
// A pin that is not there changes nothing and reads 0. Timer 0 makes PWM on pins 5 and 6, timer 2
// on 3 and 11; timer 1 is the clock. A pin without PWM shows the nearer of the two levels.
#include <avr/interrupt.h>
#include <avr/io.h>

#include "arduino/api/Common.h"

namespace {

constexpr pin_size_t kPins = 20;

struct Place {
  volatile uint8_t* input;  // then the direction, then the output register
  uint8_t bit;
};

Place place(pin_size_t pin) {
  if (pin < 8) return {&PIND, static_cast<uint8_t>(1 << pin)};
  if (pin < 14) return {&PINB, static_cast<uint8_t>(1 << (pin - 8))};
  return {&PINC, static_cast<uint8_t>(1 << (pin - 14))};
}

/// Reads, changes and writes with interrupts masked: a handler may change another pin of the port.
void change(volatile uint8_t& port, uint8_t bits, bool set) {
  const uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  port = static_cast<uint8_t>(set ? port | bits : port & ~bits);
  SREG = state;
}

/// Takes a pin from the timer that makes its PWM.
void stop_pwm(pin_size_t pin) {
  switch (pin) {
    case 3:
      change(TCCR2A, 1 << COM2B1, false);
      break;
    case 5:
      change(TCCR0A, 1 << COM0B1, false);
      break;
    case 6:
      change(TCCR0A, 1 << COM0A1, false);
      break;
    case 11:
      change(TCCR2A, 1 << COM2A1, false);
      break;
    default:
      break;
  }
}

int read_bits = 10;
int write_bits = 8;
uint8_t reference = 1 << REFS0;  // the supply

}  // namespace

extern "C" {

void hocket_pin_mode(pin_size_t pin, int mode) {
  if (pin >= kPins) return;
  const Place p = place(pin);
  if (mode == INPUT || mode == INPUT_PULLUP) {
    change(p.input[1], p.bit, false);
    change(p.input[2], p.bit, mode == INPUT_PULLUP);
  } else if (mode == OUTPUT) {
    change(p.input[1], p.bit, true);
  }
}

void hocket_digital_write(pin_size_t pin, int value) {
  if (pin >= kPins) return;
  stop_pwm(pin);
  const Place p = place(pin);
  change(p.input[2], p.bit, value != LOW);
}

int hocket_digital_read(pin_size_t pin) {
  if (pin >= kPins) return LOW;
  const Place p = place(pin);
  return (*p.input & p.bit) != 0 ? HIGH : LOW;
}

// For who takes the address of one of these.
void pinMode(pin_size_t pin, int mode) {
  hocket_pin_mode(pin, mode);
}
void digitalWrite(pin_size_t pin, int value) {
  hocket_digital_write(pin, value);
}
int digitalRead(pin_size_t pin) {
  return hocket_digital_read(pin);
}

// --- The converter ---

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
  read_bits = constrain(bits, 1, 31);
}
void analogWriteResolution(int bits) {
  write_bits = constrain(bits, 1, 31);
}

/// One conversion takes 13 turns of a clock of 125 kHz: 104 us, of the loop's budget.
int analogRead(pin_size_t pin) {
  const pin_size_t channel = pin >= 14 ? pin - 14 : pin;
  if (channel >= 6) return 0;
  ADMUX = static_cast<uint8_t>(reference | channel);
  ADCSRA = (1 << ADEN) | (1 << ADSC) | (1 << ADPS2) | (1 << ADPS1) | (1 << ADPS0);
  while ((ADCSRA & (1 << ADSC)) != 0) {
  }
  const auto result = static_cast<int>(ADC);
  return read_bits <= 10 ? result >> (10 - read_bits) : result << (read_bits - 10);
}

// --- PWM: phase-correct at 490 Hz on timer 2, fast at 977 Hz on timer 0, as on every Uno ---

void analogWrite(pin_size_t pin, int value) {
  hocket_pin_mode(pin, OUTPUT);
  const long most = (1L << write_bits) - 1;
  const long duty = constrain(static_cast<long>(value), 0L, most);
  const auto eight =
      static_cast<uint8_t>(write_bits >= 8 ? duty >> (write_bits - 8) : duty << (8 - write_bits));
  const bool pwm = pin == 3 || pin == 5 || pin == 6 || pin == 11;
  if (!pwm || duty == 0 || duty == most) return hocket_digital_write(pin, duty > most / 2);
  if (pin == 5 || pin == 6) {
    TCCR0B = (1 << CS01) | (1 << CS00);
    change(TCCR0A, (1 << WGM01) | (1 << WGM00), true);
    (pin == 5 ? OCR0B : OCR0A) = eight;
    change(TCCR0A, pin == 5 ? 1 << COM0B1 : 1 << COM0A1, true);
  } else {
    TCCR2B = 1 << CS22;
    change(TCCR2A, 1 << WGM20, true);
    (pin == 3 ? OCR2B : OCR2A) = eight;
    change(TCCR2A, pin == 3 ? 1 << COM2B1 : 1 << COM2A1, true);
  }
}

void interrupts(void) {
  asm volatile("sei" ::: "memory");
}
void noInterrupts(void) {
  asm volatile("cli" ::: "memory");
}

}  // extern "C"
