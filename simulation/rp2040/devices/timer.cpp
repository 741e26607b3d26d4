#include "simulation/rp2040/devices/timer.h"

#include <algorithm>

namespace hocket::rp2040 {
namespace {

// Registers (datasheet, 4.6.5).
enum : uint32_t {
  kTimeHighWrite = 0x00,
  kTimeLowWrite = 0x04,
  kTimeHighRead = 0x08,
  kTimeLowRead = 0x0c,
  kAlarm0 = 0x10,
  kArmed = 0x20,
  kRawHigh = 0x24,
  kRawLow = 0x28,
  kDebugPause = 0x2c,
  kPause = 0x30,
  kRaised = 0x34,
  kEnabled = 0x38,
  kForced = 0x3c,
  kStatus = 0x40,
};
constexpr uint32_t kAll = (1u << Timer::kAlarms) - 1;

constexpr bool is_alarm(uint32_t offset) {
  return offset >= kAlarm0 && offset < kArmed;
}
constexpr unsigned alarm_of(uint32_t offset) {
  return (offset - kAlarm0) / 4;
}

}  // namespace

uint64_t Timer::microseconds(Cycles now) const {
  return counted_ + (runs() && now > base_ ? (now - base_) / kCyclesPerMicrosecond : 0);
}

void Timer::set_time(uint64_t microseconds, Cycles now) {
  counted_ = microseconds;
  base_ = now;
  rearm_all(now);
}

void Timer::set_running(bool ticks, bool paused, Cycles now) {
  if (ticks == ticking_ && paused == paused_) return;
  counted_ = microseconds(now);
  base_ = now;
  ticking_ = ticks;
  paused_ = paused;
  rearm_all(now);
}

void Timer::set_ticking(bool ticks, Cycles now) {
  set_running(ticks, paused_, now);
}

/// When the lower word becomes this value.
Cycles Timer::instant_of(uint32_t lower_word, Cycles now) const {
  if (!runs()) return kNever;
  const uint64_t time = microseconds(now);
  const uint32_t ahead = lower_word - static_cast<uint32_t>(time);
  return ahead == 0 ? now : base_ + (time - counted_ + ahead) * kCyclesPerMicrosecond;
}

void Timer::arm(unsigned alarm, uint32_t value, Cycles now) {
  alarm_[alarm] = value;
  armed_ |= 1u << alarm;
  fires_at_[alarm] = instant_of(value, now);
}

void Timer::rearm_all(Cycles now) {
  for (unsigned i = 0; i < kAlarms; ++i) {
    if ((armed_ >> i & 1) != 0) fires_at_[i] = instant_of(alarm_[i], now);
  }
}

Cycles Timer::next() const {
  Cycles first = kNever;
  for (unsigned i = 0; i < kAlarms; ++i) {
    if ((armed_ >> i & 1) != 0) first = std::min(first, fires_at_[i]);
  }
  return first;
}

void Timer::advance(Cycles now) {
  uint32_t fired = 0;
  for (unsigned i = 0; i < kAlarms; ++i) {
    if ((armed_ >> i & 1) != 0 && fires_at_[i] <= now) fired |= 1u << i;
  }
  if (fired == 0) return;
  armed_ &= ~fired;
  raised_ |= fired;
  update_lines();
}

void Timer::update_lines() {
  const uint32_t status = (raised_ & enabled_) | forced_;
  for (unsigned i = 0; i < kAlarms; ++i) lines_.set(irq::kTimer0 + i, (status >> i & 1) != 0);
}

uint32_t Timer::read(uint32_t offset, Access access) {
  const uint64_t time = microseconds(access.now);
  if (is_alarm(offset)) return alarm_[alarm_of(offset)];
  switch (offset) {
    case kTimeHighWrite:
    case kTimeLowWrite:
      return 0;  // write only
    case kTimeHighRead:
      return latched_high_;
    case kTimeLowRead:
      latched_high_ = static_cast<uint32_t>(time >> 32);
      return static_cast<uint32_t>(time);
    case kArmed:
      return armed_;
    case kRawHigh:
      return static_cast<uint32_t>(time >> 32);
    case kRawLow:
      return static_cast<uint32_t>(time);
    case kDebugPause:
      return debug_pause_;
    case kPause:
      return paused_ ? 1 : 0;
    case kRaised:
      return raised_;
    case kEnabled:
      return enabled_;
    case kForced:
      return forced_;
    case kStatus:
      return (raised_ & enabled_) | forced_;
    default:
      no_register(offset);
  }
}

void Timer::write(uint32_t offset, Written value, Access access) {
  if (is_alarm(offset)) {
    const unsigned alarm = alarm_of(offset);
    arm(alarm, value.over(alarm_[alarm]), access.now);
    advance(access.now);
    return;
  }
  switch (offset) {
    case kTimeLowWrite:
      written_low_ = value.bits;
      break;
    case kTimeHighWrite:  // takes effect with the upper word (4.6.2)
      set_time(uint64_t{value.bits} << 32 | written_low_, access.now);
      break;
    case kArmed:
      armed_ &= ~value.bits;
      break;  // disarms
    case kDebugPause:
      debug_pause_ = value.over(debug_pause_) & 7;
      break;
    case kPause:
      set_running(ticking_, (value.over(paused_ ? 1 : 0) & 1) != 0, access.now);
      break;
    case kRaised:
      raised_ &= ~value.bits;
      break;
    case kEnabled:
      enabled_ = value.over(enabled_) & kAll;
      break;
    case kForced:
      forced_ = value.over(forced_) & kAll;
      break;
    case kTimeHighRead:
    case kTimeLowRead:
    case kRawHigh:
    case kRawLow:
    case kStatus:
      break;  // read only
    default:
      no_register(offset);
  }
  update_lines();
}

void Timer::reset(Cycles now) {
  armed_ = raised_ = enabled_ = forced_ = 0;
  paused_ = false;
  alarm_ = {};
  set_time(0, now);
  update_lines();
}

}  // namespace hocket::rp2040
