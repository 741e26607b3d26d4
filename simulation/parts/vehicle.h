// The interface of a vehicle for other parts.
#pragma once

#include <cstdint>
#include <optional>

#include "simulation/devices/devices.h"

namespace hocket::sim {

class Vehicle {
 public:
  virtual ~Vehicle() = default;
  /// The distance in nanometres to the obstacle in the direction of travel; nullopt: there is none.
  virtual std::optional<int64_t> distance_ahead(Nanos now) = 0;
};

}  // namespace hocket::sim
