// Replaces the file of this name in the library Firmata, which is meant to be edited for a new
// board (tools/hocket/stand_ins.py). Pin numbers of the protocol are pin numbers of the board.
#pragma once

#include <Arduino.h>

// A sketch with servos includes Servo.h before this.
#ifndef MAX_SERVOS
#define MAX_SERVOS 0
#endif

#define TOTAL_ANALOG_PINS NUM_ANALOG_INPUTS
// With analog inputs behind the last digital pin (A6 and A7 of a Nano).
#define TOTAL_PINS \
  (PIN_A0 + NUM_ANALOG_INPUTS > NUM_DIGITAL_PINS ? PIN_A0 + NUM_ANALOG_INPUTS : NUM_DIGITAL_PINS)
#define TOTAL_PORTS ((TOTAL_PINS + 7) / 8)
#define VERSION_BLINK_PIN LED_BUILTIN
#define DEFAULT_PWM_RESOLUTION 8

#define PIN_SERIAL1_RX 19
#define PIN_SERIAL1_TX 18
#define PIN_SERIAL2_RX 17
#define PIN_SERIAL2_TX 16
#define PIN_SERIAL3_RX 15
#define PIN_SERIAL3_TX 14

// Pins 0 and 1 belong to Serial, which carries the protocol.
#define IS_PIN_DIGITAL(pin) ((pin) >= 2 && (pin) < NUM_DIGITAL_PINS)
#define IS_PIN_ANALOG(pin) ((pin) >= PIN_A0 && (pin) < PIN_A0 + NUM_ANALOG_INPUTS)
#define IS_PIN_PWM(pin) digitalPinHasPWM(pin)
#define IS_PIN_SERVO(pin) (IS_PIN_DIGITAL(pin) && (pin) - 2 < MAX_SERVOS)
#define IS_PIN_I2C(pin) ((pin) == SDA || (pin) == SCL)
#define IS_PIN_SPI(pin) ((pin) == SS || (pin) == MOSI || (pin) == MISO || (pin) == SCK)
#define IS_PIN_INTERRUPT(pin) (digitalPinToInterrupt(pin) != NOT_AN_INTERRUPT)
#define IS_PIN_SERIAL(pin) ((pin) >= PIN_SERIAL3_TX && (pin) <= PIN_SERIAL1_RX)

#define PIN_TO_DIGITAL(pin) (pin)
#define PIN_TO_ANALOG(pin) ((pin) - PIN_A0)
#define PIN_TO_PWM(pin) (pin)
#define PIN_TO_SERVO(pin) ((pin) - 2)

/// The levels of pins 8 * port to 8 * port + 7, the lowest in bit 0, masked with `mask`.
static inline unsigned char readPort(byte port, byte mask) {
  unsigned char levels = 0;
  for (byte bit = 0; bit < 8; ++bit) {
    const int pin = port * 8 + bit;
    if ((mask >> bit & 1) != 0 && pin < NUM_DIGITAL_PINS && digitalRead(pin) == HIGH)
      levels |= 1 << bit;
  }
  return levels;
}

static inline unsigned char writePort(byte port, byte levels, byte mask) {
  for (byte bit = 0; bit < 8; ++bit) {
    const int pin = port * 8 + bit;
    if ((mask >> bit & 1) != 0 && pin < NUM_DIGITAL_PINS) digitalWrite(pin, levels >> bit & 1);
  }
  return 1;
}
