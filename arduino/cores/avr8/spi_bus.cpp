// Whose the SPI bus is, for libraries/SPI: one loop's between beginTransaction() and
// endTransaction(). In sketches without loops, for which this file is compiled a second time,
// nobody shares it.
#include <avr/io.h>

#include "arduino/runtime/system.h"

namespace {

#ifndef HOCKET_WITHOUT_LOOPS
// Whose it is, while it is taken. A loop that asks in this order cannot mistake another's for its
// own: nobody but it writes its own number, and that is there before the bus is taken.
volatile bool taken = false;
volatile uint8_t owner;
int available = 1;  // a semaphore: who waits comes in turn

bool is_mine() {
  return taken && owner == static_cast<uint8_t>(hocket::sys::loop_id());
}

/// A handler cannot wait; it has said so by usingInterrupt(), and comes outside of transactions
/// only.
bool masked() {
  return (SREG & (1 << SREG_I)) == 0;
}
#endif

}  // namespace

extern "C" {

void hocket_spi_take() {
#ifndef HOCKET_WITHOUT_LOOPS
  if (masked() || is_mine()) return;
  hocket::sys::semaphore_take(&available);
  owner = static_cast<uint8_t>(hocket::sys::loop_id());
  taken = true;
#endif
}

void hocket_spi_give() {
#ifndef HOCKET_WITHOUT_LOOPS
  if (masked() || !is_mine()) return;
  taken = false;
  hocket::sys::semaphore_give(&available);
#endif
}

}  // extern "C"
