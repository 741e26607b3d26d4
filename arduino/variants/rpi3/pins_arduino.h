// The pins of the board rpi3 by their names.
#pragma once

#include "arduino/variants/mega_pins.h"
