// WATCHDOG: the divider that makes microseconds, scratch registers, and a reset when it is not fed
// (datasheet, 4.7). It counts twice in each tick, as the chip does (RP2040-E1).
#pragma once

#include <array>
#include <functional>

#include "simulation/rp2040/device.h"

namespace hocket::rp2040 {

class Watchdog : public Device {
 public:
  struct Effects {
    std::function<void(bool ticks, Cycles now)> tick;
    std::function<void(Access access)> reset;
  };

  explicit Watchdog(Effects effects) : Device("WATCHDOG"), effects_(std::move(effects)) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override { return expires_at_; }
  void advance(Cycles now) override;

 private:
  void load(uint32_t count, Cycles now);
  uint32_t left(Cycles now) const;
  void schedule(Cycles now);
  void set_control(uint32_t value, Access access);
  void set_tick(uint32_t value, Cycles now);

  Effects effects_;
  uint32_t control_ = 7u << 24;  // paused by debuggers, which count nothing here
  uint32_t tick_ = 1u << 9;      // enabled, with a divisor of 0: it does not run
  uint32_t held_ = 0;            // the count while it stands
  uint32_t reason_ = 0;
  Cycles expires_at_ = kNever;
  std::array<uint32_t, 8> scratch_{};
};

}  // namespace hocket::rp2040
