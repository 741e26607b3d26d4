// Whose the SPI bus is, for libraries/SPI: one loop's between beginTransaction() and
// endTransaction(). In sketches without loops, for which this file is compiled a second time,
// nobody shares it.
#include <avr/io.h>

#include "arduino/runtime/system.h"

namespace {

#ifndef HOCKET_WITHOUT_LOOPS
constexpr uint8_t kNobody = 0xff;
volatile uint8_t owner = kNobody;  // nobody but this loop writes its own number there
int available = 1;                 // a semaphore: who waits comes in turn

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
  const auto loop = static_cast<uint8_t>(hocket::sys::loop_id());
  if (masked() || owner == loop) return;
  hocket::sys::semaphore_take(&available);
  owner = loop;
#endif
}

void hocket_spi_give() {
#ifndef HOCKET_WITHOUT_LOOPS
  if (masked() || owner != static_cast<uint8_t>(hocket::sys::loop_id())) return;
  owner = kNobody;
  hocket::sys::semaphore_give(&available);
#endif
}

}  // extern "C"
