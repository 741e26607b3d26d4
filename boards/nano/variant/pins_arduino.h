// The pins of an Arduino Nano.
#pragma once

#define NUM_ANALOG_INPUTS 8
#define HOCKET_BOARD_IS "the Nano"
#include "arduino/variants/atmega328p/pins.h"
