// The pins of an Arduino Mega by their names: those of sim, virt and rpi3.
#pragma once

#define NUM_DIGITAL_PINS 70
#define NUM_ANALOG_INPUTS 16
#define LED_BUILTIN 13

#define PIN_A0 54
#include "arduino/variants/analog_pins.h"
#include "arduino/variants/direct_pins.h"

#define digitalPinHasPWM(pin) (((pin) >= 2 && (pin) <= 13) || ((pin) >= 44 && (pin) <= 46))
#define digitalPinToInterrupt(pin) ((pin) < NUM_DIGITAL_PINS ? (pin) : NOT_AN_INTERRUPT)

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial
#define SERIAL_PORT_HARDWARE1 Serial1
#define SERIAL_PORT_HARDWARE2 Serial2
#define SERIAL_PORT_HARDWARE3 Serial3
#define SERIAL_PORT_HARDWARE_OPEN Serial1
#define SERIAL_PORT_HARDWARE_OPEN1 Serial2
#define SERIAL_PORT_HARDWARE_OPEN2 Serial3
