#include "simulation/rp2040/core/sys_tick.h"

namespace hocket::rp2040 {

uint32_t SysTick::control(Cycles now) {
  advance(now);
  const uint32_t value = control_ | (flag_ ? kCountFlag : 0);
  flag_ = false;
  return value;
}

void SysTick::set_control(uint32_t value, Cycles now) {
  constexpr uint32_t kWritable = kEnable | kInterrupt | kProcessorClock;
  advance(now);
  const uint32_t before = count(now);
  const bool ran = enabled();
  const Cycles old_unit = unit();
  control_ = value & kWritable;
  if (!enabled()) {
    held_ = before;
    zero_at_ = kNever;
  } else if (!ran || unit() != old_unit) {
    run_from(before, now);
  }
}

uint32_t SysTick::count(Cycles now) const {
  if (!enabled()) return held_;
  if (zero_at_ == kNever || now < loads_at_) return 0;
  return static_cast<uint32_t>((zero_at_ - now + unit() - 1) / unit());
}

/// Where the count is 0, the new value is the one that follows.
void SysTick::set_reload(uint32_t value, Cycles now) {
  advance(now);
  reload_ = value & kMask;
  if (!enabled() || count(now) != 0) return;
  if (now >= loads_at_) loads_at_ = now + unit();
  zero_at_ = reload_ == 0 ? kNever : loads_at_ + unit() * reload_;
}

void SysTick::clear(Cycles now) {
  held_ = 0;
  flag_ = false;
  if (enabled()) run_from(0, now);
}

/// A count of 0 is followed by RELOAD; with a RELOAD of 0 it stays.
void SysTick::run_from(uint32_t count, Cycles now) {
  loads_at_ = count == 0 ? now + unit() : now;
  if (count == 0 && reload_ == 0) {
    zero_at_ = kNever;
  } else {
    zero_at_ = now + unit() * (count != 0 ? count : reload_ + 1);
  }
}

bool SysTick::advance(Cycles now) {
  if (!enabled() || zero_at_ > now) return false;
  flag_ = true;
  const Cycles period = unit() * (reload_ + 1);
  const Cycles last = zero_at_ + (now - zero_at_) / period * period;
  loads_at_ = last + unit();
  zero_at_ = reload_ == 0 ? kNever : last + period;
  return asks();
}

}  // namespace hocket::rp2040
