// The Arduino language, whole. Sketches include Arduino.h, which adds the board's pins.
//
// Deliberately without a version macro: some libraries take its presence as the sign of one
// particular vendor's core.
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
#include "Client.h"
#include "HardwareSerial.h"
#include "IPAddress.h"
#include "Print.h"
#include "Printable.h"
#include "RingBuffer.h"
#include "Server.h"
#include "Stream.h"
#include "String.h"
#include "Udp.h"
#include "WCharacter.h"
#endif
