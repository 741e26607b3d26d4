// Replaces the file of this name in the library SD, which lists the pins of processors that it
// knows and refuses all others (tools/hocket/stand_ins.py). The library needs only the SPI bus's
// pins.
#pragma once

#include <Arduino.h>

const uint8_t SS_PIN = SS;
const uint8_t MOSI_PIN = MOSI;
const uint8_t MISO_PIN = MISO;
const uint8_t SCK_PIN = SCK;
