// A core's memory protection unit: its registers, and what they allow as a map
// (Armv6-M ARM, B3.5; RP2040 datasheet, 2.4.6: eight regions).
//
// Regions and their eighths are multiples of 32 bytes, so RAM's verdicts are a table of granules of
// 32 bytes, which an access reads. A write to the registers paints only what it changed. The MPU's
// ENABLE changes no entry: the core then uses the table of the map without MPU.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulation/rp2040/memory_map.h"

namespace hocket::rp2040 {

/// What an access may do: a set of bits.
enum Permission : uint8_t { kNone = 0, kRead = 1, kWrite = 2, kExecute = 4 };

class Mpu {
 public:
  static constexpr unsigned kRegions = 8;
  static constexpr unsigned kGranuleBits = 5;
  static constexpr uint32_t kEnable = 1, kInHardFault = 2, kBackground = 4;  // MPU_CTRL

  Mpu();

  static constexpr uint32_t type() { return kRegions << 8; }
  uint32_t control() const { return control_; }
  void set_control(uint32_t value);
  uint32_t number() const { return number_; }
  void set_number(uint32_t value) { number_ = value % kRegions; }
  uint32_t base() const { return regions_[number_].base | number_; }
  void set_base(uint32_t value);
  uint32_t attributes() const { return regions_[number_].attributes; }
  void set_attributes(uint32_t value);

  /// Whether the regions count, at an execution priority.
  bool counts(int priority) const {
    return (control_ & kEnable) != 0 && (priority >= 0 || (control_ & kInHardFault) != 0);
  }
  /// What the regions allow at an address.
  uint8_t verdict(uint32_t address, bool privileged) const;
  /// What is allowed without MPU: execution outside of devices (Armv6-M ARM, B3.1).
  static uint8_t without(uint32_t address);

  /// verdict() for RAM, one byte for each granule.
  const uint8_t* map(bool privileged) const { return maps_[privileged ? 1 : 0].data(); }
  /// without() for RAM.
  static const uint8_t* open_map();

 private:
  struct Region {
    uint32_t base = 0;
    uint32_t attributes = 0;

    bool enabled() const { return (attributes & 1) != 0 && size_field() >= 7; }
    uint32_t size_field() const { return attributes >> 1 & 31; }
    uint64_t size() const { return uint64_t{2} << size_field(); }
    uint32_t begin() const { return base & ~static_cast<uint32_t>(size() - 1); }
    bool holds(uint32_t address) const;
    uint8_t allows(uint32_t address, bool privileged) const;
  };

  void change(Region to);
  void paint(const Region& region);
  void paint_all();

  uint32_t control_ = 0;
  uint32_t number_ = 0;
  std::array<Region, kRegions> regions_{};
  std::array<std::vector<uint8_t>, 2> maps_;
};

}  // namespace hocket::rp2040
