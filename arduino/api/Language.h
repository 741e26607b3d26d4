// The part of the Arduino language that every sketch sees: the classes that the stock core's
// Arduino.h includes. Other class names (Client, Server, UDP, IPAddress) stay free for the sketch.
// Arduino.h adds the board's pins.
#pragma once

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#include "deprecated-avr-comp/avr/pgmspace.h"
#endif

#include "Binary.h"
#include "Common.h"
#include "Interrupts.h"
#include "dtostrf.h"
#include "itoa.h"

#ifdef __cplusplus
#include "HardwareSerial.h"
#include "Print.h"
#include "Printable.h"
#include "Stream.h"
#include "String.h"
#include "WCharacter.h"
#include "at_most.h"
#endif
