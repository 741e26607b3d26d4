#include "simulation/uno/spi.h"

#include <simavr/avr_spi.h>
#include <simavr/sim_io.h>

#include <utility>

#include "simulation/uno/mcu.h"

namespace hocket::uno {
namespace {

constexpr uint16_t kSpcr = 0x4c;  // SPCR in data memory
constexpr uint8_t kSpcrler = 0x10, kLowestFirst = 0x20;

}  // namespace

Spi::Spi(avr_t* avr, sim::Devices& devices, std::function<void()> told)
    : avr_(avr), devices_(devices), told_(std::move(told)) {
  avr_irq_register_notify(
      avr_io_getirq(avr_, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT),
      [](avr_irq_t*, uint32_t value, void* self) {
        static_cast<Spi*>(self)->sent(static_cast<uint8_t>(value));
      },
      this);
}

void Spi::sent(uint8_t byte) {
  const uint8_t control = avr_->data[kSpcr];
  if ((control & kSpcrler) == 0) return;
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

}  // namespace hocket::uno
