// Program memory: the processor's own header if it has one, otherwise ordinary memory.
#pragma once

#ifdef __AVR__
#include_next <avr/pgmspace.h>
#else
#include "../../api/deprecated-avr-comp/avr/pgmspace.h"
#endif
