// A PIO block: four state machines, their program and their interrupts (datasheet, 3).
//
// DMA and OUT with an enable bit of its own are not modelled; inputs are not delayed.
#pragma once

#include <array>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/devices/pins.h"
#include "simulation/rp2040/devices/pio_machine.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class Pio : public Device {
 public:
  static constexpr unsigned kMachines = 4;

  /// `line` is the first of its two interrupts.
  Pio(const char* name, Pins::Function function, unsigned line, Pins& pins, InterruptLines& lines)
      : Device(name), function_(function), line_(line), pins_(pins), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override;
  void advance(Cycles now) override;

  /// What devices read at the pins has changed.
  void inputs_changed(Cycles now);

 private:
  struct Interrupt {
    uint32_t enabled = 0, forced = 0;
  };
  void set_control(uint32_t value, Cycles now);
  void write_machine(unsigned index, uint32_t offset, Written value);
  uint32_t read_machine(const PioMachine& machine, uint32_t offset) const;
  uint32_t fifo_status() const;
  uint32_t fifo_levels() const;
  uint32_t debug() const;
  void clear_debug(uint32_t bits);
  uint32_t raw() const;
  void changed(Cycles now);

  const Pins::Function function_;
  const unsigned line_;
  Pins& pins_;
  InterruptLines& lines_;
  PioShared shared_;
  std::array<PioMachine, kMachines> machines_{
      {{0, shared_}, {1, shared_}, {2, shared_}, {3, shared_}}};
  std::array<Interrupt, 2> interrupts_{};
  uint32_t overflowed_ = 0, underflowed_ = 0;  // by machine
  uint32_t bypass_ = 0;
};

}  // namespace hocket::rp2040
