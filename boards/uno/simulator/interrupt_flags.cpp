#include "boards/uno/simulator/interrupt_flags.h"

#include <simavr/sim_avr.h>
#include <simavr/sim_io.h>

namespace hocket::uno {
namespace {

constexpr avr_io_addr_t kFirst = 0x35;  // TIFR0, TIFR1, TIFR2 in data memory
constexpr unsigned kTimers = 3;

struct Write {
  avr_io_write_t library;
  void* timer;
};
Write writes[kTimers];

/// Shows the library only the flags that are to be cleared; the others stay pending meanwhile.
void write_flags(avr_t* avr, avr_io_addr_t address, uint8_t value, void* mended) {
  const auto& write = *static_cast<const Write*>(mended);
  const uint8_t before = avr->data[address];
  avr->data[address] = before & value;
  write.library(avr, address, value, write.timer);
  avr->data[address] = static_cast<uint8_t>(avr->data[address] | (before & ~value));
}

}  // namespace

void mend_interrupt_flags(avr_t* avr) {
  for (unsigned i = 0; i < kTimers; ++i) {
    auto& write = avr->io[AVR_DATA_TO_IO(kFirst + i)].w;
    writes[i] = {write.c, write.param};
    write.c = &write_flags;
    write.param = &writes[i];
  }
}

}  // namespace hocket::uno
