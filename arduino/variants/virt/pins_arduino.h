// The pins of the board virt by their names.
#pragma once

#include "arduino/variants/mega_pins.h"
