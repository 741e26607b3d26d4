// Libraries include this header for sei() and cli().
#pragma once

#include "../../../compat/avr/interrupt.h"
