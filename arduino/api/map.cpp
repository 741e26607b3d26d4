// map(), whose arguments are more than an AVR has registers for: see many_arguments.cpp. A file of
// its own, so that a sketch that calls it links no addresses.
#include "arduino/api/Common.h"

long map(long x, long inMin, long inMax, long outMin, long outMax) {
  // An empty range, as after a calibration that saw only one value, gives outMin and not a division
  // by zero.
  if (inMin == inMax) return outMin;
  return (x - inMin) * (outMax - outMin) / (inMax - inMin) + outMin;
}
