// IO_BANK0 and PADS_BANK0: the registers of the pins, and their interrupts for both cores
// (datasheet, 2.19.3, 2.19.6).
#pragma once

#include <array>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/devices/pins.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class IoBank0 : public Device {
 public:
  IoBank0(Pins& pins, InterruptLines& lines) : Device("IO_BANK0"), pins_(pins), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  void reset(Cycles now) override;

  /// What devices read has changed.
  void inputs_changed();

 private:
  // A pin has four bits: low, high, fallen, risen; a word has eight pins.
  static constexpr unsigned kWords = 4;
  using Words = std::array<uint32_t, kWords>;
  struct OfCore {
    Words enabled{}, forced{};
  };
  uint32_t raw(unsigned word) const;
  uint32_t status(const OfCore& core, unsigned word) const {
    return (raw(word) & core.enabled[word]) | core.forced[word];
  }
  uint32_t* register_of_core(uint32_t offset);
  void update_lines();

  Pins& pins_;
  InterruptLines& lines_;
  uint32_t seen_ = 0;
  Words edges_{};
  std::array<OfCore, 2> cores_{};
};

class PadsBank0 : public Device {
 public:
  explicit PadsBank0(Pins& pins) : Device("PADS_BANK0"), pins_(pins) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  void reset(Cycles now) override;

 private:
  Pins& pins_;
  uint32_t voltage_ = 0;
};

}  // namespace hocket::rp2040
