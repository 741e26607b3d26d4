// TIMER: microseconds in 64 bits, and four alarms whose interrupts lead to both cores
// (datasheet, 4.6). It counts the ticks of the watchdog's divider.
//
// An alarm fires in the cycle in which the lower word becomes its value; one set to the present
// value fires at once.
#pragma once

#include <array>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class Timer : public Device {
 public:
  static constexpr unsigned kAlarms = 4;

  explicit Timer(InterruptLines& lines) : Device("TIMER"), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override;
  void advance(Cycles now) override;
  void reset(Cycles now) override;

  /// The watchdog's divider begins or ends to tick.
  void set_ticking(bool ticks, Cycles now);
  uint64_t microseconds(Cycles now) const;

 private:
  bool runs() const { return ticking_ && !paused_; }
  void set_time(uint64_t microseconds, Cycles now);
  void set_running(bool ticks, bool paused, Cycles now);
  Cycles instant_of(uint32_t lower_word, Cycles now) const;
  void arm(unsigned alarm, uint32_t value, Cycles now);
  void rearm_all(Cycles now);
  void update_lines();

  InterruptLines& lines_;
  bool ticking_ = false, paused_ = false;
  // While it runs the time is that of the cycles since `base_`, at which it was `counted_`.
  Cycles base_ = 0;
  uint64_t counted_ = 0;
  uint32_t latched_high_ = 0, written_low_ = 0;
  std::array<uint32_t, kAlarms> alarm_{};
  std::array<Cycles, kAlarms> fires_at_{kNever, kNever, kNever, kNever};
  uint32_t armed_ = 0, raised_ = 0, enabled_ = 0, forced_ = 0;
  uint32_t debug_pause_ = 7;
};

}  // namespace hocket::rp2040
