// What happens at watched pins in the peer's world, made to happen at the board's own pin block.
//
//   a part's edge, at an instant of board time
//     │  the generator's timer fires then, asks the peer and hears of it
//     ▼
//   a line of the pin block changes from inside ─▶ its edge detector ─▶ the block's interrupt
//
// From there on all is as on a board: the latch is the block's, and the interrupt the controller's.
// The generator is no part of the board. On one core what it takes is taken out of the board's
// clock (hypervisor.S), so that an edge costs what it costs from its interrupt on.
#pragma once

#include "kernel/base/atomic.h"
#include "simulation/peer/protocol.h"

namespace hocket::generator {

inline Atomic<bool> on;

/// Some pin is watched.
inline bool is_on() {
  return on.load(order::relaxed);
}

/// Makes the edges that a reply tells of, as of `now` (ns), and sets the timer for what comes next.
/// Masked, with the wire's lock.
void follow(const world::Reply& reply, uint64_t now);

/// After a restart of the sketch: nothing is watched. Before anything runs.
void begin_again();

}  // namespace hocket::generator
