// Stands in for the file of this name in the library Adafruit_NeoPixel, which has a driver for each
// processor that it knows (tools/hocket/stand_ins.py): this one's is written for none.
#include "arduino/api/bits_out.h"

void k210Show(uint8_t pin, uint8_t* pixels, uint32_t numBytes, _Bool is800KHz) {
  // As the data sheets of WS2812B and of its slower kin allow for; to write takes the rest.
  static const struct hocket_bit_lengths fast = {300, 800, 1200}, slow = {500, 1200, 2450};
  hocket_bits_out(pin, pixels, numBytes, is800KHz ? &fast : &slow);
}
