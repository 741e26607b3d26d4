// ADC: five inputs of 12 bits, one by one, in turn, or at a rate into a FIFO (datasheet, 4.9).
//
// A conversion takes 96 cycles of 48 MHz, which are 250 here. The value is that of its beginning.
// DMA is not modelled, nor are the converter's errors.
#pragma once

#include <array>
#include <deque>
#include <functional>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/interrupt_lines.h"

namespace hocket::rp2040 {

class Adc : public Device {
 public:
  static constexpr unsigned kInputs = 5, kTemperature = 4, kFifoDepth = 4;
  static constexpr Cycles kConversion = 250;

  explicit Adc(InterruptLines& lines) : Device("ADC"), lines_(lines) {}

  uint32_t read(uint32_t offset, Access access) override;
  void write(uint32_t offset, Written value, Access access) override;
  Cycles next() const override { return done_at_ < starts_at_ ? done_at_ : starts_at_; }
  void advance(Cycles now) override;
  void reset(Cycles now) override;

  /// Calls `function(input, now)` for the voltage in millivolts at the beginning of a conversion.
  void on_convert(std::function<uint32_t(unsigned input, Cycles now)> function) {
    ask_ = std::move(function);
  }

 private:
  void begin(Cycles now);
  void finish(Cycles now);
  void set_control(uint32_t value, Cycles now);
  uint32_t fifo_status() const;
  uint32_t take();
  void update_line();
  Cycles period() const;

  InterruptLines& lines_;
  std::function<uint32_t(unsigned, Cycles)> ask_;
  uint32_t control_ = 0, fifo_control_ = 0, divisor_ = 0, result_ = 0;
  uint32_t enabled_ = 0, forced_ = 0;
  uint32_t sample_ = 0;
  std::deque<uint16_t> fifo_;
  bool overflowed_ = false, underflowed_ = false;
  Cycles starts_at_ = kNever, done_at_ = kNever;
};

}  // namespace hocket::rp2040
