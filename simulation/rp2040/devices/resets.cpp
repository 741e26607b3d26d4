#include "simulation/rp2040/devices/resets.h"

namespace hocket::rp2040 {
namespace {

enum : uint32_t { kReset = 0x0, kByWatchdog = 0x4, kDone = 0x8 };

}  // namespace

uint32_t Resets::read(uint32_t offset, Access) {
  switch (offset) {
    case kReset:
      return held_;
    case kByWatchdog:
      return by_watchdog_;
    case kDone:
      return ~held_ & kAll;
    default:
      no_register(offset);
  }
}

void Resets::write(uint32_t offset, Written value, Access access) {
  if (offset == kByWatchdog) {
    by_watchdog_ = value.over(by_watchdog_) & kAll;
    return;
  }
  if (offset == kDone) return;  // read only
  if (offset != kReset) no_register(offset);
  const uint32_t before = held_;
  held_ = value.over(held_) & kAll;
  for (uint32_t put = held_ & ~before; put != 0; put &= put - 1) {
    put_(static_cast<unsigned>(__builtin_ctz(put)), access.now);
  }
}

}  // namespace hocket::rp2040
