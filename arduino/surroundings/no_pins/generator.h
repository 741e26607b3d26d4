// Replaces peer/pins/generator.h: no pin is watched, so no edges are made.
#pragma once

#include "simulation/peer/protocol.h"

namespace hocket::generator {

constexpr bool is_on() {
  return false;
}
inline void follow(const world::Reply&, uint64_t) {}
inline void begin_again() {}

}  // namespace hocket::generator
