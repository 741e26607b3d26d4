// Old libraries include this header for internals of the core. Sketches need only Arduino.h.
#pragma once

#include "Arduino.h"

#ifndef cbi
#define cbi(sfr, bit) ((sfr) &= (unsigned char)~_BV(bit))
#endif
#ifndef sbi
#define sbi(sfr, bit) ((sfr) |= _BV(bit))
#endif
