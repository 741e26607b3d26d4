// What other parts may ask of a vehicle.
#pragma once

#include <cstdint>
#include <optional>

#include "simulation/devices/devices.h"

namespace hocket::sim {

class Vehicle {
 public:
  virtual ~Vehicle() = default;
  /// Distance in nanometres to what stands in the direction of travel; nothing when nothing does.
  virtual std::optional<int64_t> distance_ahead(Nanos now) = 0;
};

}  // namespace hocket::sim
