// Reproduces what happens at watched pins in the peer's world on the board's own pin block.
//
//   a part's edge, at an instant of board time
//     │  the generator's timer fires then, asks the peer and hears of it
//     ▼
//   a line of the pin block changes from inside ─▶ its edge detector ─▶ the block's interrupt
//
// From there on everything is as on a board: the latch is the block's, and the interrupt the
// controller's. The generator is not part of the board. On one core its time is subtracted from the
// board's clock (hypervisor.S), so that an edge costs only what follows its interrupt.
#pragma once

#include "kernel/base/atomic.h"
#include "simulation/peer/protocol.h"

namespace hocket::generator {

inline Atomic<bool> on;

/// Whether some pin is watched.
inline bool is_on() {
  return on.load(order::relaxed);
}

/// Makes the edges in a reply, as of `now` (ns), and sets the timer for the next change. Masked,
/// with the wire's lock.
void follow(const world::Reply& reply, uint64_t now);

/// After a restart of the sketch: nothing is watched. Before anything runs.
void begin_again();

}  // namespace hocket::generator
