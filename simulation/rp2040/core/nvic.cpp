#include "simulation/rp2040/core/nvic.h"

#include <algorithm>
#include <bit>

namespace hocket::rp2040 {

void Nvic::set_line(unsigned line, bool high) {
  const uint32_t mask = 1u << line;
  if (high && (lines_ & mask) == 0) pend(exception::kFirstInterrupt + line);
  lines_ = high ? lines_ | mask : lines_ & ~mask;
}

/// A level that still stands asks again at once, unless its handler is active: then after that.
void Nvic::unpend_interrupts(uint32_t bits) {
  const auto active = static_cast<uint32_t>(active_ >> exception::kFirstInterrupt);
  pending_ &= ~(uint64_t{bits & ~(lines_ & ~active)} << exception::kFirstInterrupt);
}

void Nvic::set_priority(uint32_t number, uint32_t byte) {
  constexpr uint32_t kImplemented = 0xc0;
  priority_[number] = static_cast<int16_t>(byte & kImplemented);
  update_active_priority();
}

Nvic::Next Nvic::next() const {
  constexpr uint64_t kAlwaysEnabled = bit(exception::kFirstInterrupt) - 1;
  Next best{0, kThread};
  uint64_t candidates =
      pending_ & (kAlwaysEnabled | uint64_t{enabled_} << exception::kFirstInterrupt);
  for (; candidates != 0; candidates &= candidates - 1) {
    const auto number = static_cast<uint32_t>(std::countr_zero(candidates));
    // Of equal ones the lower number comes first.
    if (priority_[number] < best.priority) best = {number, priority_[number]};
  }
  return best;
}

void Nvic::activate(uint32_t number) {
  unpend(number);
  active_ |= bit(number);
  active_priority_ = std::min<int>(active_priority_, priority_[number]);
}

void Nvic::deactivate(uint32_t number) {
  active_ &= ~bit(number);
  if (number >= exception::kFirstInterrupt &&
      (lines_ >> (number - exception::kFirstInterrupt) & 1) != 0) {
    pend(number);
  }
  update_active_priority();
}

void Nvic::update_active_priority() {
  active_priority_ = kThread;
  for (uint64_t rest = active_; rest != 0; rest &= rest - 1) {
    active_priority_ = std::min<int>(active_priority_, priority_[std::countr_zero(rest)]);
  }
}

}  // namespace hocket::rp2040
