// The owner of the SPI bus, for libraries/SPI: one loop between beginTransaction() and
// endTransaction(). In sketches without loops, for which this file is compiled a second time, the
// bus is not shared.
#include <avr/io.h>

#include "arduino/cores/avr8/core.h"
#ifndef HOCKET_WITHOUT_LOOPS
#include "arduino/cores/avr8/let_in.h"
#endif
#include "arduino/runtime/system.h"

extern "C" {
#ifndef HOCKET_WITHOUT_LOOPS
void hocket_transaction_ended(uint8_t opens) __attribute__((weak));  // storm.cpp
// clang for AVR emits it only as undefined
asm(".weak hocket_transaction_ended");
#endif
uint8_t hocket_spi_closed;  // interrupts that hocket_spi_mask() keeps masked
uint8_t hocket_spi_opens;   // those of them to enable at the end; attach and detach change it
}

namespace {

constexpr uint8_t kAll = 0xff;  // HOCKET_SPI_ALL
uint8_t before;                 // for kAll: SREG

#ifndef HOCKET_WITHOUT_LOOPS
// The owner, valid while `taken`. The order of accesses ensures that a loop cannot mistake
// another's ownership for its own: only the loop itself writes its number, and does so before it
// takes the bus.
volatile bool taken = false;
volatile uint8_t owner;
int available = 1;  // a semaphore; FIFO order

bool is_mine() {
  return taken && owner == static_cast<uint8_t>(hocket::sys::loop_id());
}

/// A handler cannot wait. With usingInterrupt() it runs only outside of transactions.
bool masked() {
  return (SREG & (1 << SREG_I)) == 0;
}
#endif

/// Whether the calling handler or loop owns the bus; false for a loop that ends a transaction which
/// it has not begun.
bool mine() {
#ifdef HOCKET_WITHOUT_LOOPS
  return true;
#else
  return masked() || owner == static_cast<uint8_t>(hocket::sys::loop_id());
#endif
}
/// Masked. While storm control (if it is linked) holds lines back, these are enabled in their turn.
void open(uint8_t interrupts) {
#ifdef HOCKET_WITHOUT_LOOPS
  EIMSK |= interrupts;
#else
  if (&hocket_transaction_ended != nullptr) {
    hocket_transaction_ended(interrupts);
  } else {
    EIMSK |= interrupts;
  }
#endif
}

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

void hocket_spi_mask(uint8_t interrupts) {
  if (interrupts == kAll) {
    const uint8_t state = SREG;
    asm volatile("cli" ::: "memory");
    if (hocket_spi_closed == 0) {
      hocket_spi_closed = kAll;
      before = state;
    } else {
      SREG = state;
    }
    return;
  }
  const hocket::uno::Masked masked;
  if (hocket_spi_closed != 0) return;
  hocket_spi_closed = interrupts;
  hocket_spi_opens = EIMSK & interrupts;
  EIMSK = static_cast<uint8_t>(EIMSK & ~interrupts);
}

void hocket_spi_unmask() {
  if (!mine()) return;
  uint8_t state = SREG;
  asm volatile("cli" ::: "memory");
  const uint8_t closed = hocket_spi_closed;
  hocket_spi_closed = 0;
  const uint8_t opens = hocket_spi_opens;
  hocket_spi_opens = 0;
  if (closed == kAll) {
    state = before;
  } else if (closed != 0) {
    open(opens);
  }
  asm volatile("" ::: "memory");
  SREG = state;
}

}  // extern "C"
