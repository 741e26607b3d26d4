// CLOCKS, XOSC, ROSC and the two PLLs, as far as a program that sets up the usual clocks can see
// (datasheet, 2.15 to 2.18): 12 MHz of the crystal, 125 MHz of the system and its devices, 48 MHz
// of USB and ADC.
//
// The emulator's cycle is one of 125 MHz from the first instruction on. So a program that chooses
// another frequency ends the run; the time before it chooses any is counted too short.
#pragma once

#include <array>

#include "simulation/rp2040/device.h"

namespace hocket::rp2040 {

/// Registers that are what was last written, with bits that the hardware sets.
class Oscillator : public Device {
 public:
  /// `status` is always set in the register at `status_offset`.
  Oscillator(const char* name, uint32_t status_offset, uint32_t status)
      : Device(name), status_offset_(status_offset), status_(status) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  void reset(Cycles) override { words_ = {}; }

 private:
  static constexpr size_t kWords = 10;
  const uint32_t status_offset_, status_;
  std::array<uint32_t, kWords> words_{};
};

class Pll : public Device {
 public:
  explicit Pll(const char* name) : Device(name) {}

  /// Of its output; 0: it is off.
  uint32_t hertz() const;

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  void reset(Cycles) override;

 private:
  uint32_t control_ = 1, power_ = 0x2d, feedback_ = 0, post_ = 0x7'7000;
};

class Clocks : public Device {
 public:
  Clocks(const Pll& system, const Pll& usb) : Device("CLOCKS"), system_(system), usb_(usb) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;

 private:
  struct Clock {
    uint32_t control = 0, divisor = 0x100;
  };
  void check(unsigned clock) const;
  uint32_t hertz_of_auxiliary(unsigned clock) const;

  static constexpr unsigned kClocks = 10;
  const Pll& system_;
  const Pll& usb_;
  std::array<Clock, kClocks> clocks_{};
  std::array<uint32_t, 8> gates_{};
  uint32_t resuscitation_ = 0xff;
};

}  // namespace hocket::rp2040
