// The registers of an Uno's pins (pin_places.h), for pins.cpp.
#pragma once

#include "arduino/cores/avr8/pin_places.h"

namespace hocket::uno {
constexpr uint8_t kPinD = 0x29, kPinB = 0x23, kPinC = 0x26;
}

constexpr Place hocket_places[kPins] PROGMEM = {
    {kPinD, 1 << 0, 0, 0},
    {kPinD, 1 << 1, 0, 0},
    {kPinD, 1 << 2, 0, 0},
    {kPinD, 1 << 3, kTccr2a, 1 << COM2B1},
    {kPinD, 1 << 4, 0, 0},
    {kPinD, 1 << 5, kTccr0a, 1 << COM0B1},
    {kPinD, 1 << 6, kTccr0a, 1 << COM0A1},
    {kPinD, 1 << 7, 0, 0},
    {kPinB, 1 << 0, 0, 0},
    {kPinB, 1 << 1, kTccr1a, 1 << COM1A1},  // (Never with loops.)
    {kPinB, 1 << 2, kTccr1a, 1 << COM1B1},
    {kPinB, 1 << 3, kTccr2a, 1 << COM2A1},
    {kPinB, 1 << 4, 0, 0},
    {kPinB, 1 << 5, 0, 0},
    {kPinC, 1 << 0, 0, 0},
    {kPinC, 1 << 1, 0, 0},
    {kPinC, 1 << 2, 0, 0},
    {kPinC, 1 << 3, 0, 0},
    {kPinC, 1 << 4, 0, 0},
    {kPinC, 1 << 5, 0, 0},
};
