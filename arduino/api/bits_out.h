// Sends bits as pulses of two lengths on a pin, as LED strips expect them. For drivers of libraries
// that have one driver for each processor (arduino/stand_ins).
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lengths in nanoseconds: the high part of a 0, the high part of a 1, and the whole bit.
struct hocket_bit_lengths {
  uint16_t zero, one, bit;
};

/// Sends `size` bytes, the highest bit of each first, and leaves the pin low. Occupies the
/// processor for the whole time. If another loop preempts the caller, the signal has a gap.
/// Context: loops and setup(). Verified on sim and virt; not verified on rpi3.
void hocket_bits_out(uint8_t pin, const uint8_t* bytes, uint32_t size,
                     const struct hocket_bit_lengths* lengths);

#ifdef __cplusplus
}
#endif
