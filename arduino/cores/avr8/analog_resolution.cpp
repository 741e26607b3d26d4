// analogWriteResolution(): scales the values of analogWrite(). Linked only where it is called.
#include "arduino/api/Common.h"

namespace {
int write_bits = 8;
}

extern "C" {

int hocket_duty(int value) {
  const auto most = static_cast<long>((1UL << write_bits) - 1);
  const auto duty = static_cast<long>(value);
  if (duty <= 0) return 0;
  if (duty >= most) return 255;
  const long eight = write_bits >= 8 ? duty >> (write_bits - 8) : duty << (8 - write_bits);
  return static_cast<int>(constrain(eight, 1L, 254L));  // neither fully off nor fully on
}

void analogWriteResolution(int bits) {
  write_bits = constrain(bits, 1, 31);
}

}  // extern "C"
