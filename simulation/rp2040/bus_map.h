// Which device has an address: all that the chip has, modelled or not (datasheet, 2.2).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulation/rp2040/device.h"
#include "simulation/rp2040/devices/resets.h"

namespace hocket::rp2040 {

class BusMap {
 public:
  struct Slot {
    Device* device = nullptr;
    unsigned reset_bit = Resets::kNone;
  };
  struct Place {
    Slot slot;
    uint32_t offset;  // of the register
    Written::Alias alias;
  };

  /// With what is not modelled in each place: a device that ends the run when it is used.
  BusMap();

  void add(Device& device, uint32_t base, unsigned reset_bit = Resets::kNone);
  /// The place with an address. Its device is nullptr where there is none.
  Place find(uint32_t address) const;
  /// nullptr: no device that is modelled has it.
  Device* by_reset_bit(unsigned bit) const;
  /// The devices that are modelled.
  const std::vector<Device*>& devices() const { return devices_; }

 private:
  static constexpr uint32_t kApbStep = 0x4000, kAhbStep = 0x10'0000;
  static constexpr unsigned kApbSlots = 28, kAhbSlots = 5;
  static Slot* slot(BusMap& map, uint32_t base);

  std::array<Slot, kApbSlots> apb_{};
  std::array<Slot, kAhbSlots> ahb_{};
  std::vector<Device*> devices_;
  std::vector<std::unique_ptr<Device>> missing_;
};

}  // namespace hocket::rp2040
