// The pins of the board sim by their names.
#pragma once

#include "arduino/variants/mega_pins.h"
