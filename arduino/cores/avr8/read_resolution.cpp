// analogReadResolution(): scales the 10 bits of analogRead(). Linked only where it is called.
#include "arduino/api/Common.h"

namespace {
constexpr int kMostBits = 15;  // of a result that is not negative, because an int has 16
int read_bits = 10;
}  // namespace

extern "C" {

int hocket_at_resolution(int result) {
  return read_bits <= 10 ? result >> (10 - read_bits) : result << (read_bits - 10);
}
void analogReadResolution(int bits) {
  read_bits = constrain(bits, 1, kMostBits);
}

}  // extern "C"
