#include "simulation/rp2040/core/mpu.h"

#include <algorithm>

namespace hocket::rp2040 {
namespace {

constexpr uint32_t kGranules = kRamSize >> Mpu::kGranuleBits;

/// By the field AP (Armv6-M ARM, table B3-15). 4 is reserved.
constexpr std::array<uint8_t, 8> kPrivilegedAccess = {
    kNone, kRead | kWrite, kRead | kWrite, kRead | kWrite, kNone, kRead, kRead, kRead};
constexpr std::array<uint8_t, 8> kUnprivilegedAccess = {kNone, kNone, kRead, kRead | kWrite,
                                                        kNone, kNone, kRead, kRead};

constexpr bool in_private_peripherals(uint32_t address) {
  return address >> 20 == 0xe00;
}

}  // namespace

/// In the default map code is fetched from the lower half of each gigabyte but devices', which are
/// at 0x40000000 and from 0xa0000000 on.
uint8_t Mpu::without(uint32_t address) {
  const uint32_t block = address >> 29;
  const bool device = block == 2 || block >= 5;
  return kRead | kWrite | (device ? kNone : kExecute);
}

const uint8_t* Mpu::open_map() {
  static const std::vector<uint8_t> map(kGranules, kRead | kWrite | kExecute);
  return map.data();
}

Mpu::Mpu() {
  for (auto& map : maps_) map.resize(kGranules);
  paint_all();
}

bool Mpu::Region::holds(uint32_t address) const {
  if (!enabled() || uint64_t{address} - begin() >= size() || address < begin()) return false;
  const auto eighth = static_cast<uint32_t>((address - begin()) / (size() / 8));
  return (attributes >> (8 + eighth) & 1) == 0;
}

uint8_t Mpu::Region::allows(uint32_t address, bool privileged) const {
  const uint32_t field = attributes >> 24 & 7;
  const bool never = (attributes >> 28 & 1) != 0 || (without(address) & kExecute) == 0;
  const uint8_t data = privileged ? kPrivilegedAccess[field] : kUnprivilegedAccess[field];
  return data | ((data & kRead) != 0 && !never ? kExecute : kNone);
}

uint8_t Mpu::verdict(uint32_t address, bool privileged) const {
  if (in_private_peripherals(address)) return without(address);
  // The region with the highest number decides.
  for (unsigned i = kRegions; i-- > 0;) {
    if (regions_[i].holds(address)) return regions_[i].allows(address, privileged);
  }
  return privileged && (control_ & kBackground) != 0 ? without(address) : uint8_t{kNone};
}

void Mpu::set_control(uint32_t value) {
  constexpr uint32_t kWritable = kEnable | kInHardFault | kBackground;
  const bool repaint = ((control_ ^ value) & kBackground) != 0;
  control_ = value & kWritable;
  if (repaint) paint_all();
}

void Mpu::set_base(uint32_t value) {
  constexpr uint32_t kValid = 0x10, kAddress = 0xffff'ff00;
  if ((value & kValid) != 0) set_number(value & 0xf);
  Region to = regions_[number_];
  to.base = value & kAddress;
  change(to);
}

void Mpu::set_attributes(uint32_t value) {
  constexpr uint32_t kWritable = 0x1707'ff3f;
  Region to = regions_[number_];
  to.attributes = value & kWritable;
  change(to);
}

void Mpu::change(Region to) {
  const Region from = regions_[number_];
  regions_[number_] = to;
  paint(from);
  paint(to);
}

/// The granules of RAM that the region can have a say in.
void Mpu::paint(const Region& region) {
  if (!region.enabled()) return;
  const uint64_t begin = std::max<uint64_t>(region.begin(), kRamBase);
  const uint64_t end = std::min<uint64_t>(region.begin() + region.size(), kRamBase + kRamSize);
  for (uint64_t at = begin; at < end; at += 1u << kGranuleBits) {
    const auto address = static_cast<uint32_t>(at);
    for (unsigned privileged = 0; privileged < 2; ++privileged) {
      maps_[privileged][(address - kRamBase) >> kGranuleBits] = verdict(address, privileged != 0);
    }
  }
}

void Mpu::paint_all() {
  Region everything;
  everything.attributes = 31 << 1 | 1;
  paint(everything);
}

}  // namespace hocket::rp2040
