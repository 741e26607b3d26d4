// The pins of an Arduino Uno.
#pragma once

#define NUM_ANALOG_INPUTS 6
#define HOCKET_BOARD_IS "the Uno"
#include "arduino/variants/atmega328p/pins.h"
