// <avr/pgmspace.h> by the name that some libraries use where the processor is no AVR.
#pragma once

#include <avr/pgmspace.h>
