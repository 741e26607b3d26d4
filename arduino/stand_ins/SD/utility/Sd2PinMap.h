// Stands in for the file of this name in the library SD, which has the pins of the processors that
// it knows and refuses all others (tools/hocket/stand_ins.py). All it needs are the SPI bus's.
#pragma once

#include <Arduino.h>

const uint8_t SS_PIN = SS;
const uint8_t MOSI_PIN = MOSI;
const uint8_t MISO_PIN = MISO;
const uint8_t SCK_PIN = SCK;
