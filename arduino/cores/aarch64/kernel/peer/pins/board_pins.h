// The peer's pins with interrupts: each pin that is watched has a line of the board's pin block,
// and the generator makes that line follow the pin (generator.h). The block has one bit for each
// line.
#pragma once

#include "arduino/runtime/system.h"
#include "kernel/base/time.h"
#include "kernel/sched/vcpu_policy.h"
#include "peer_pins.h"

namespace hocket {

/// What the runtime wants of pins (docs/porting/interrupts.md); all masked.
struct PeerPins {
  static constexpr unsigned kPins = 128;
  static constexpr unsigned kLine = peer::kPinBlockInterrupt;
  static constexpr const char* kWhich = "0 to 69 may have, eight of them at once";
  static constexpr bool kCounts = false;
  static constexpr int64_t kBottomHalf = peer::kBottomHalf;
  static constexpr int64_t kTopHalf = peer::kTopHalf;

  struct Edges {
    uint64_t count;
    uint64_t merged;
    BasicInstant<int64_t> first;
  };

  /// It has a line, or may have one: there are as many as the block has.
  static bool has_interrupt(unsigned pin);
  static void watch(unsigned pin, sys::EdgeMode mode);
  static Edges release(unsigned pin);
  static Edges take(unsigned pin);
  static unsigned asking(unsigned from);
  static void mask(unsigned pin);
  static void unmask(unsigned pin);

  /// At the end of a run: what the block has remembered and nobody has taken.
  static uint64_t untaken(unsigned pin);
};

struct PinsOfBoard {
  using Pins = PeerPins;
};

inline constexpr bool kPinsHaveInterrupts = true;
inline uint64_t untaken_edges(unsigned pin) {
  return PeerPins::untaken(pin);
}

template <class Ticks, unsigned kSlots, unsigned kRefills, class Observer, class Charges>
using PolicyWithPins = VcpuWithIoPolicy<Ticks, kSlots, kRefills, Observer, Charges>;

}  // namespace hocket
