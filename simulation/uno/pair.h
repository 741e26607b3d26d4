// Two Unos, wired pin to pin, in one time.
//
//   here ── pin 3 ───────── pin 2 ── there      what one side makes of a wire drives the other side
//        ── TX ──────────── RX ──               and a wire from TX to RX carries bytes as well
//
// The one that is behind steps; one that sleeps jumps no farther than the other could wake it. So a
// change reaches the other board at its own instant, or at the end of the instruction that it is in
// then: some cycles later. Both runs depend on the images, the scenario and the seed, on nothing
// else.
#pragma once

#include <deque>
#include <vector>

#include "simulation/uno/uno.h"

namespace hocket::uno {

/// Pins by the simulated parts' numbers (device_pin in wiring.cpp).
struct Wire {
  unsigned here, there;
};

class Pair {
 public:
  Pair(Uno& here, Uno& there, const std::vector<Wire>& wires);
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  /// One of the two steps; `end`: neither goes beyond it.
  void step(Cycles end);
  /// The one that is behind.
  Cycles cycle() const { return std::min(sides_[0].uno.cycle(), sides_[1].uno.cycle()); }
  std::optional<program::StopReason> ended() const;

 private:
  /// What has left one board and has not come to the other.
  struct Change {
    Nanos when;
    bool is_byte;
    size_t line;
    sim::LineState state;
    uint8_t byte;
  };
  struct Side {
    Uno& uno;
    std::vector<unsigned> lines;           // its devices' number of each wire
    std::vector<sim::LineState> states{};  // as the other side was told
    std::deque<Change> coming{};
    bool warned = false;
  };

  void connect_serial(Side& from, Side& to);
  static void deliver(Side& to, const Side& from);
  static void arrive(Side& to, const Side& from, const Change& change);
  static void collect(Side& from, Side& to);

  Side sides_[2];
};

}  // namespace hocket::uno
