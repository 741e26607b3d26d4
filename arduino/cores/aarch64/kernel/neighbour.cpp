// The FIFOs to Linux (see neighbour.h).
#include "arduino/cores/aarch64/kernel/neighbour.h"

namespace hocket {

hybrid::Fifos& neighbour_fifos() {
  [[gnu::section(".kept_zero")]] constinit static hybrid::Fifos fifos;
  return fifos;
}

}  // namespace hocket
