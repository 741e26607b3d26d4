// Bits as lengths of pulses at a pin, as strips of coloured lights take them: for drivers of
// libraries that bring one for each processor they know (arduino/stand_ins).
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lengths in nanoseconds: of the high part of a 0 and of a 1, and of a bit.
struct hocket_bit_lengths {
  uint16_t zero, one, bit;
};

/// Sends `size` bytes, the highest bit of each first, and leaves the pin low. It holds the
/// processor for as long as that takes; a loop with an earlier deadline that comes between makes a
/// gap. In loops and setup(). Seen to be right on sim and virt; on rpi3 nobody has looked.
void hocket_bits_out(uint8_t pin, const uint8_t* bytes, uint32_t size,
                     const struct hocket_bit_lengths* lengths);

#ifdef __cplusplus
}
#endif
