#include "simulation/avr/spi.h"

#include <simavr/avr_spi.h>
#include <simavr/sim_io.h>

#include <array>
#include <string_view>
#include <utility>

#include "simulation/avr/mcu.h"

namespace hocket::avr {
namespace {

constexpr uint16_t kSpcr = 0x4c, kSpsr = 0x4d, kSpdr = 0x4e;  // in data memory
constexpr uint8_t kController = 0x10, kLowestFirst = 0x20;
constexpr uint8_t kClockRate = 3, kDoubleClock = 1;  // of SPCR, of SPSR

/// Of eight bits at the rate that is set (data sheet, table 19-5).
avr_cycle_count_t cycles_of_a_byte(const avr_t* avr) {
  constexpr std::array<unsigned, 4> kDivider{4, 16, 64, 128};
  const unsigned divider = kDivider[avr->data[kSpcr] & kClockRate];
  return 8 * ((avr->data[kSpsr] & kDoubleClock) != 0 ? divider / 2 : divider);
}

/// The library's own part: what its timers are called with.
void* library_part(avr_t* avr) {
  avr_io_t* io = avr->io_port;
  while (io != nullptr && io->kind != std::string_view("spi")) io = io->next;
  return io;
}

/// Comes after the library's own, which has just set a timer for the byte's end.
void written(avr_t* avr, avr_io_addr_t, uint8_t, void* library) {
  if ((avr->data[kSpcr] & kController) == 0) return;
  for (avr_cycle_timer_slot_p slot = avr->cycle_timers.timer; slot != nullptr; slot = slot->next) {
    if (slot->param != library) continue;
    const avr_cycle_timer_t timer = slot->timer;
    avr_cycle_timer_cancel(avr, timer, library);
    avr_cycle_timer_register(avr, cycles_of_a_byte(avr), timer, library);
    return;
  }
}

}  // namespace

Spi::Spi(avr_t* avr, sim::Devices& devices, std::function<void()> told)
    : avr_(avr), devices_(devices), told_(std::move(told)) {
  avr_irq_register_notify(
      avr_io_getirq(avr_, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT),
      [](avr_irq_t*, uint32_t value, void* self) {
        static_cast<Spi*>(self)->sent(static_cast<uint8_t>(value));
      },
      this);
  avr_register_io_write(avr_, kSpdr, &written, library_part(avr_));
}

void Spi::sent(uint8_t byte) {
  const uint8_t control = avr_->data[kSpcr];
  if ((control & kController) == 0) return;
  const sys::SpiTransfer asked{.out = nullptr,
                               .in = nullptr,
                               .size = 1,
                               .hertz = 0,
                               .mode = static_cast<uint8_t>(control >> 2 & 3),
                               .lowest_first = (control & kLowestFirst) != 0};
  uint8_t answer = 0xff;
  devices_.spi_transfer(nanos(avr_->cycle), 0, asked, &byte, &answer);
  avr_raise_irq(avr_io_getirq(avr_, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT), answer);
  told_();
}

}  // namespace hocket::avr
