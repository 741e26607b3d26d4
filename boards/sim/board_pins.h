// The edge detectors of the simulated board's pins, for interrupts.h.
//
// The pin block has eight lines to the processor. Each pin is routed to one line, which is high
// while any of its pins asks. Seven lines are for I/O virtual CPUs, the last one is for direct
// handlers. Context of all calls: masked. Each is an access to the pin block.
#pragma once

#include <stdint.h>

#include "arduino/runtime/system.h"
#include "kernel/base/time.h"
#include "kernel/base/types.h"

namespace hocket {

namespace runtime {
class Sketch;
enum class DirectEnd : uint8_t;
}  // namespace runtime

struct SimPins {
  static constexpr unsigned kPins = 70;
  static constexpr unsigned kLine = 0;  // the first of the I/O lines
  static constexpr unsigned kIoLines = 7;
  static constexpr unsigned kDirectLine = kLine + kIoLines;
  static constexpr const char* kWhich = "0 to 69 may have";
  /// The detector counts every edge, also while the pin is masked, so none is merged. 65,535 may
  /// wait in it.
  static constexpr bool kCounts = true;
  /// The bottom half's time for one edge, including the wake-up of its handler; and the top half's,
  /// from vector to return. In ns; worst cases, checked by tests/system/test_interrupts.py.
  static constexpr int64_t kBottomHalf = 6'000;
  static constexpr int64_t kTopHalf = 6'000;

  struct Edges {
    uint64_t count;
    uint64_t merged;
    BasicInstant<int64_t> first;
  };

  static bool has_interrupt(unsigned pin) { return pin < kPins; }
  /// Starts watching the pin for `mode` on a line: unmasked, with a count of 0.
  static void watch(unsigned pin, sys::EdgeMode mode, unsigned line);
  /// Stops watching. Returns what the pin had counted.
  static Edges release(unsigned pin);
  /// Takes all edges that wait; or one, as an I/O virtual CPU does, whose budget so limits how many
  /// are taken.
  static Edges take(unsigned pin);
  static Edges take_one(unsigned pin);
  /// The first pin of a line, from `from` on and wrapping round, that has edges and is not masked;
  /// kPins: none.
  static unsigned asking(unsigned line, unsigned from);
  static void mask(unsigned pin);
  /// Unmasks the pin. It asks at once if it has edges or its level is active.
  static void unmask(unsigned pin);
  /// Calls a direct handler, masked. This board cannot abort one that takes too long.
  static runtime::DirectEnd call_direct(runtime::Sketch& sketch, unsigned pin,
                                        const sys::PinCall& call, int64_t length);
  /// Marks an interrupt whose time is not only the kernel's (a direct handler's, or its alarm's).
  static void note_service();
  /// At the end of a run: all edges that the pin has seen, taken or not; those of them that wait in
  /// its detector; and those for which that had no room.
  static uint64_t counted(unsigned pin);
  static Edges waiting(unsigned pin);
  static uint64_t overflowed(unsigned pin);
};

}  // namespace hocket
