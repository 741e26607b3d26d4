// Where libraries look for sei() and cli().
#pragma once

#include "../../../compat/avr/interrupt.h"
