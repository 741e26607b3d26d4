// RESETS: which devices are held in reset (datasheet, 2.14).
#pragma once

#include <functional>

#include "simulation/rp2040/device.h"

namespace hocket::rp2040 {

class Resets : public Device {
 public:
  static constexpr uint32_t kAll = 0x01ff'ffff;
  /// Bits of the registers.
  enum Bit : uint8_t {
    kAdc = 0,
    kI2c0 = 3,
    kI2c1 = 4,
    kIoBank0 = 5,
    kIoQspi = 6,
    kPadsBank0 = 8,
    kPadsQspi = 9,
    kPio0 = 10,
    kPio1 = 11,
    kPllSys = 12,
    kPllUsb = 13,
    kPwm = 14,
    kSpi0 = 16,
    kSpi1 = 17,
    kSysCfg = 18,
    kSysInfo = 19,
    kTimer = 21,
    kUart0 = 22,
    kUart1 = 23,
    kNone = 31,  // of devices that have none
  };

  /// Called for each device that is put into reset.
  explicit Resets(std::function<void(unsigned bit, Cycles now)> put)
      : Device("RESETS"), put_(std::move(put)) {}

  bool holds(unsigned bit) const { return (held_ >> bit & 1) != 0; }

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;

 private:
  std::function<void(unsigned, Cycles)> put_;
  // The boot ROM has released what it needs to start from flash.
  uint32_t held_ = kAll & ~(1u << kIoQspi | 1u << kPadsQspi | 1u << kSysCfg | 1u << kSysInfo);
  uint32_t by_watchdog_ = 0;
};

}  // namespace hocket::rp2040
