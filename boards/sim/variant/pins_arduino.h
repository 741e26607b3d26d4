// Names of the pins of the board sim.
#pragma once

#include "arduino/variants/mega_pins.h"
