// The pins of an Arduino Mega 2560.
#pragma once

#define NUM_ANALOG_INPUTS 16
#define HOCKET_BOARD_IS "the Mega"
#include "arduino/variants/atmega2560/pins.h"
