// The interface of an aircraft for its instruments.
#pragma once

#include <array>

#include "simulation/devices/devices.h"

namespace hocket::sim {

/// Radians, metres, seconds. Body axes are forward, right, down: a positive roll is to the right, a
/// positive pitch nose up, a positive yaw to the right, from north. Place and speed: north, east,
/// up.
struct Motion {
  double roll = 0, pitch = 0, yaw = 0;
  std::array<double, 3> rates{};  // of roll, pitch and yaw
  std::array<double, 3>
      specific{};  // as accelerometers measure it, forward, right, up: hover (0, 0, g)
  std::array<double, 3> place{}, speed{};
};

class Aircraft {
 public:
  virtual ~Aircraft() = default;
  virtual const Motion& motion(Nanos now) = 0;
  /// The packet with the present attitude has this number.
  virtual void attitude_told(Nanos now, uint16_t number) = 0;
};

}  // namespace hocket::sim
