// A core's integer divider in SIO (datasheet, 2.3.1.5): 8 cycles beside the core.
#pragma once

#include <cstdint>

#include "simulation/rp2040/core/cycles.h"

namespace hocket::rp2040 {

class Divider {
 public:
  static constexpr Cycles kCycles = 8;

  /// Writing an operand begins a division of its kind.
  void set_dividend(uint32_t value, bool is_signed, Cycles now);
  void set_divisor(uint32_t value, bool is_signed, Cycles now);
  /// Restores a result that an interrupt's handler has saved.
  void set_quotient(uint32_t value);
  void set_remainder(uint32_t value);

  uint32_t dividend() const { return dividend_; }
  uint32_t divisor() const { return divisor_; }
  bool ready(Cycles now) const { return now >= ready_at_; }
  /// Reading the quotient clears "dirty": an interrupt's handler need not save it.
  uint32_t take_quotient();
  uint32_t remainder() const { return remainder_; }
  uint32_t control(Cycles now) const { return (ready(now) ? 1u : 0u) | (dirty_ ? 2u : 0u); }

 private:
  void divide(bool is_signed, Cycles now);

  uint32_t dividend_ = 0, divisor_ = 0, quotient_ = 0, remainder_ = 0;
  Cycles ready_at_ = 0;
  bool dirty_ = false;
};

}  // namespace hocket::rp2040
