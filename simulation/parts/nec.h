// Frames of NEC infrared remotes: when the light is on and off.
//
//   9 ms on, 4.5 ms off, 32 bits (560 µs on; off for 560 µs: 0, 1.69 ms: 1), 560 µs on
//   still held: every 110 ms 9 ms on, 2.25 ms off, 560 µs on
//   bits, the lowest first: address, its complement (or 16 bits of address), command, its complement
//
// Source: Vishay application note 80071, "Data formats for IR remote control".
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

struct NecFrame {
  uint16_t address = 0;
  uint8_t command = 0;
  bool repeat = false;
};

inline constexpr Nanos kNecRepeats = 110'000'000;

/// The times of a frame: on, off, on, …; the last one is on.
std::vector<Nanos> nec_times(const NecFrame& frame);

/// Finds frames in the times for which the light is on and off.
class NecReader {
 public:
  /// The light was on for `on`, after it was off for `off`. Returns the frame that this completes.
  std::optional<NecFrame> mark(Nanos off, Nanos on);
  uint64_t broken() const { return broken_; }

 private:
  static bool near(Nanos is, Nanos wanted) { return is * 4 >= wanted * 3 && is * 4 <= wanted * 5; }

  unsigned bits_ = kIdle;
  uint32_t value_ = 0;
  uint64_t broken_ = 0;
  static constexpr unsigned kIdle = 99;
};

}  // namespace hocket::sim
