// What old libraries include for the core's insides; sketches need Arduino.h only.
#pragma once

#include "Arduino.h"

#ifndef cbi
#define cbi(sfr, bit) ((sfr) &= (unsigned char)~_BV(bit))
#endif
#ifndef sbi
#define sbi(sfr, bit) ((sfr) |= _BV(bit))
#endif
