// Names of the pins of the board rpi3.
#pragma once

#include "arduino/variants/mega_pins.h"
