#include "simulation/rp2040/devices/watchdog.h"

namespace hocket::rp2040 {
namespace {

enum : uint32_t {
  kControl = 0x00,
  kLoad = 0x04,
  kReason = 0x08,
  kScratch = 0x0c,
  kTick = 0x2c,
};
constexpr uint32_t kTime = 0xff'ffff, kEnable = 1u << 30, kTrigger = 1u << 31;
constexpr uint32_t kTickCycles = 0x1ff, kTickEnable = 1u << 9, kTickRunning = 1u << 10;
constexpr uint32_t kReferencePerMicrosecond = 12;          // of the crystal
constexpr Cycles kCyclesPerCount = kCyclesPerMicrosecond;  // of two
constexpr uint32_t kByTimer = 1, kForced = 2;

constexpr bool is_scratch(uint32_t offset) {
  return offset >= kScratch && offset < kTick;
}

}  // namespace

uint32_t Watchdog::left(Cycles now) const {
  if (expires_at_ == kNever) return held_;
  return static_cast<uint32_t>((expires_at_ - now + kCyclesPerCount - 1) / kCyclesPerCount * 2);
}

void Watchdog::load(uint32_t count, Cycles now) {
  held_ = count & kTime;
  expires_at_ = kNever;
  schedule(now);
}

/// It counts while it is enabled and the divider ticks.
void Watchdog::schedule(Cycles now) {
  const uint32_t count = left(now);
  const bool runs =
      (control_ & kEnable) != 0 && (tick_ & kTickCycles) != 0 && (tick_ & kTickEnable) != 0;
  held_ = count;
  expires_at_ = runs ? now + (Cycles{count} + 1) / 2 * kCyclesPerCount : kNever;
}

void Watchdog::advance(Cycles now) {
  if (expires_at_ > now) return;
  expires_at_ = kNever;
  held_ = 0;
  reason_ = kByTimer;
  effects_.reset({now, 0});
}

uint32_t Watchdog::read(uint32_t offset, Access access) {
  if (is_scratch(offset)) return scratch_[(offset - kScratch) / 4];
  switch (offset) {
    case kControl:
      return control_ | (left(access.now) & kTime);
    case kLoad:
      return 0;  // write only
    case kReason:
      return reason_;
    case kTick:
      return tick_ | ((tick_ & kTickEnable) != 0 && (tick_ & kTickCycles) != 0 ? kTickRunning : 0);
    default:
      no_register(offset);
  }
}

void Watchdog::write(uint32_t offset, Written value, Access access) {
  if (is_scratch(offset)) {
    uint32_t& word = scratch_[(offset - kScratch) / 4];
    word = value.over(word);
    return;
  }
  switch (offset) {
    case kControl:
      set_control(value.over(control_), access);
      break;
    case kLoad:
      load(value.bits, access.now);
      break;
    case kReason:
      break;  // read only
    case kTick:
      set_tick(value.over(tick_), access.now);
      break;
    default:
      no_register(offset);
  }
}

void Watchdog::set_control(uint32_t value, Access access) {
  control_ = value & ~(kTime | kTrigger);
  schedule(access.now);
  if ((value & kTrigger) == 0) return;
  reason_ = kForced;
  effects_.reset(access);
}

/// Only microseconds are of use: all that counts ticks counts them as such.
void Watchdog::set_tick(uint32_t value, Cycles now) {
  const uint32_t cycles = value & kTickCycles;
  const bool enabled = (value & kTickEnable) != 0;
  if (enabled && cycles != 0 && cycles != kReferencePerMicrosecond) {
    not_modelled(kTick, "a tick of " + std::to_string(cycles) + " cycles of 12 MHz, not of 12");
  }
  tick_ = value & (kTickCycles | kTickEnable);
  schedule(now);
  effects_.tick(enabled && cycles != 0, now);
}

}  // namespace hocket::rp2040
