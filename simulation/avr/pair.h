// Two boards, wired pin to pin, on a common time line.
//
//   here ── pin 3 ───────── pin 2 ── there      what one side makes of a wire drives the other side
//        ── TX ──────────── RX ──               and a wire from TX to RX carries bytes as well
//
// The board that is behind steps. A sleeping board jumps no farther than the other could wake it.
// So a change reaches the other board at its own instant, or at the end of the instruction in
// progress, some cycles later. Both runs depend only on the images, the scenario and the seed.
#pragma once

#include <deque>
#include <vector>

#include "simulation/avr/board.h"

namespace hocket::avr {

/// Pins by the simulated parts' numbers (device_pin in wiring.cpp).
struct Wire {
  unsigned here, there;
};

class Pair {
 public:
  Pair(Board& here, Board& there, const std::vector<Wire>& wires);
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  /// One of the two steps; neither goes beyond `end`.
  void step(Cycles end);
  /// The time of the board that is behind.
  Cycles cycle() const { return std::min(sides_[0].board.cycle(), sides_[1].board.cycle()); }
  std::optional<program::StopReason> ended() const;

 private:
  /// What has left one board and has not reached the other.
  struct Change {
    Nanos when;
    bool is_byte;
    size_t line;
    sim::LineState state;
    uint8_t byte;
  };
  struct Side {
    Board& board;
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

}  // namespace hocket::avr
