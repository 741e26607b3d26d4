#include "simulation/rp2040/devices/divider.h"

namespace hocket::rp2040 {

void Divider::set_dividend(uint32_t value, bool is_signed, Cycles now) {
  dividend_ = value;
  divide(is_signed, now);
}

void Divider::set_divisor(uint32_t value, bool is_signed, Cycles now) {
  divisor_ = value;
  divide(is_signed, now);
}

void Divider::set_quotient(uint32_t value) {
  quotient_ = value;
  dirty_ = true;
}

void Divider::set_remainder(uint32_t value) {
  remainder_ = value;
  dirty_ = true;
}

uint32_t Divider::take_quotient() {
  dirty_ = false;
  return quotient_;
}

/// Division by 0 gives the dividend as remainder, and all ones or (signed, negative) 1.
void Divider::divide(bool is_signed, Cycles now) {
  ready_at_ = now + kCycles;
  dirty_ = true;
  const auto a = static_cast<int32_t>(dividend_), b = static_cast<int32_t>(divisor_);
  if (divisor_ == 0) {
    quotient_ = is_signed && a < 0 ? 1 : UINT32_MAX;
    remainder_ = dividend_;
  } else if (is_signed) {
    // In 64 bits, since INT32_MIN / -1 has no result in 32.
    quotient_ = static_cast<uint32_t>(int64_t{a} / b);
    remainder_ = static_cast<uint32_t>(int64_t{a} % b);
  } else {
    quotient_ = dividend_ / divisor_;
    remainder_ = dividend_ % divisor_;
  }
}

}  // namespace hocket::rp2040
