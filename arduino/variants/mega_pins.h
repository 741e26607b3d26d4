// Names of the pins of an Arduino Mega, as sim, virt and rpi3 have them.
#pragma once

#define NUM_DIGITAL_PINS 70
#define NUM_ANALOG_INPUTS 16
#define LED_BUILTIN HOCKET_LED_PIN  // board.toml: led_pin

#define PIN_A0 54
#include "arduino/variants/analog_pins.h"
#include "arduino/variants/direct_pins.h"
#include "arduino/variants/port_pins.h"

#define PIN_WIRE_SDA 20
#define PIN_WIRE_SCL 21
#define PIN_SPI_MISO 50
#define PIN_SPI_MOSI 51
#define PIN_SPI_SCK 52
#define PIN_SPI_SS 53
// Shields have their chip select at pin 10 on a Mega as well. The library Ethernet uses this name.
#define PIN_SPI_SS_ETHERNET_LIB 10
#include "arduino/variants/bus_pins.h"

#define digitalPinHasPWM(pin) (((pin) >= 2 && (pin) <= 13) || ((pin) >= 44 && (pin) <= 46))
// Here each pin with PWM has its own.
#include "arduino/variants/mega_timers.h"
#define digitalPinToInterrupt(pin) ((pin) < NUM_DIGITAL_PINS ? (pin) : NOT_AN_INTERRUPT)

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial
#define SERIAL_PORT_HARDWARE1 Serial1
#define SERIAL_PORT_HARDWARE2 Serial2
#define SERIAL_PORT_HARDWARE3 Serial3
#define SERIAL_PORT_HARDWARE_OPEN Serial1
#define SERIAL_PORT_HARDWARE_OPEN1 Serial2
#define SERIAL_PORT_HARDWARE_OPEN2 Serial3

#if defined(__cplusplus) && defined(__clang__)
#include "api/Interrupts.h"

/// Refuses a call whose arguments are constants that make `condition` true: an error in sketches.
/// Libraries are compiled with -w and are not refused, because they are written for many boards.
#define HOCKET_REFUSE_(condition, message) \
  __attribute__((diagnose_if(condition, message, "warning")))
#define HOCKET_REFUSE_INTERRUPT_(number)                       \
  HOCKET_REFUSE_((number) < 0 || (number) >= NUM_DIGITAL_PINS, \
                 "the board has no such pin: its pins are 0 to 53 and A0 to A15 (54 to 69)")
#define HOCKET_REFUSE_MODE_(mode)      \
  HOCKET_REFUSE_(                      \
      (mode) < LOW || (mode) > RISING, \
      "there is no such mode of an interrupt: use RISING, FALLING, CHANGE, LOW or HIGH")

extern "C" {
void attachInterrupt(int interrupt, voidFuncPtr handler, int mode)
    HOCKET_REFUSE_INTERRUPT_(interrupt) HOCKET_REFUSE_MODE_(mode);
void attachInterruptParam(int interrupt, voidFuncPtrParam handler, int mode, void* parameter)
    HOCKET_REFUSE_INTERRUPT_(interrupt) HOCKET_REFUSE_MODE_(mode);
void detachInterrupt(int interrupt) HOCKET_REFUSE_INTERRUPT_(interrupt);
}
#endif
