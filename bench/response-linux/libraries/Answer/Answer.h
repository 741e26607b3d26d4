// The answers of the sketches: a pulse at line 2 of the PL061, whose registers they have
// themselves. The edges come to the block's line 7 from outside, which is that of the first pin
// with a handler.
//
// Source: PrimeCell General Purpose Input/Output (PL061) Technical Reference Manual (DDI
// 0190B), 3.3: the address of an access to the data has the mask of the lines in it.
#pragma once

#include <Hocket.h>

constexpr int kPin = 2;  // any pin
constexpr uint32_t kOut = 1u << 2;
constexpr uint32_t kIn = 1u << 7;
constexpr uint32_t kDirection = 0x400 / 4;

inline volatile uint32_t* chip;

inline void answer() {
  chip[kOut] = kOut;
  chip[kOut] = 0;
}

/// Pulses once: from now on edges may come.
inline void ready() {
  chip = hocket::trustedPins();
  chip[kDirection] |= kOut;
  answer();
}
