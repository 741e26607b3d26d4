// Names of the pins of the board virt.
#pragma once

#include "arduino/variants/mega_pins.h"
