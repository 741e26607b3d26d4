// PWM: eight slices with two outputs each (datasheet, 4.5).
//
// A counter is not stepped: it follows from the cycle at which it was set. Outputs change at the
// comparators' counts; levels and tops that are written while a slice runs count from its next turn
// on. Gating and counting by the second pin are not modelled, nor is DMA.
#pragma once

#include <array>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/devices/pins.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

/// One slice: counts from 0 to its top, and down again where it is phase-correct.
class PwmSlice {
 public:
  static constexpr uint32_t kEnable = 1, kPhaseCorrect = 2;

  uint32_t control = 0, divisor = 1 << 4, compare = 0, top = 0xffff;  // as written

  bool runs() const { return (control & kEnable) != 0; }
  void set_control(uint32_t value, Cycles now);
  void set_divisor(uint32_t value, Cycles now);
  void set_count(uint32_t value, Cycles now);
  void set_compare(uint32_t value);
  void set_top(uint32_t value);
  uint32_t count(Cycles now) const;
  /// The outputs A (bit 0) and B (bit 1).
  uint32_t outputs(Cycles now) const;

  /// When an output next changes or it begins a turn.
  Cycles next(Cycles now) const;
  /// Returns whether it has begun a turn up to now.
  bool advance(Cycles now);

 private:
  bool phase_correct() const { return (control & kPhaseCorrect) != 0; }
  uint64_t turn() const { return phase_correct() ? 2ull * (top_ + 1) : top_ + 1ull; }
  /// Counts since `base_`, at 256 / 16 parts of a divisor.
  uint64_t counts(Cycles now) const;
  Cycles instant(uint64_t counts) const;
  uint32_t count_at(uint64_t counts) const;
  void hold(Cycles now);

  Cycles base_ = 0;                      // the beginning of this turn
  uint64_t offset_ = 0;                  // counts of this turn before base_
  uint32_t top_ = 0xffff, compare_ = 0;  // that count in this turn
};

class Pwm : public Device {
 public:
  static constexpr unsigned kSlices = 8;

  Pwm(Pins& pins, InterruptLines& lines) : Device("PWM"), pins_(pins), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override { return next_; }
  void advance(Cycles now) override;
  void reset(Cycles now) override;

 private:
  void write_slice(unsigned slice, uint32_t offset, Written value, Cycles now);
  void update(Cycles now);

  Pins& pins_;
  InterruptLines& lines_;
  std::array<PwmSlice, kSlices> slices_{};
  uint32_t raised_ = 0, enabled_ = 0, forced_ = 0;
  Cycles next_ = kNever;
};

}  // namespace hocket::rp2040
