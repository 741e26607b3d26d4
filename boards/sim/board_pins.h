// The edge detectors of the simulated board's pins, as interrupts.h wants them.
//
// The pin block has eight lines to the processor. Each pin is routed to one, which is high while
// any of its pins asks: seven are for I/O virtual CPUs, the last one is for direct handlers. Calls
// are masked; each is an access to the pin block.
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
  static constexpr unsigned kLine = 0;  // the first one of so many
  static constexpr unsigned kIoLines = 7;
  static constexpr unsigned kDirectLine = kLine + kIoLines;
  static constexpr const char* kWhich = "0 to 69 may have";
  /// The detector counts each edge: nothing is merged while the pin is masked.
  static constexpr bool kCounts = true;
  /// The bottom half's time for one pin, with the wake-up of its handler; and the top half's, from
  /// vector to return: worst cases, checked by tests/system/test_interrupts.py.
  static constexpr int64_t kBottomHalf = 6'000;
  static constexpr int64_t kTopHalf = 6'000;

  struct Edges {
    uint64_t count;
    uint64_t merged;
    BasicInstant<int64_t> first;
  };

  static bool has_interrupt(unsigned pin) { return pin < kPins; }
  /// Looks for this from now on, unmasked, nothing counted, for a line.
  static void watch(unsigned pin, sys::EdgeMode mode, unsigned line);
  /// Looks for nothing from now on. What it had counted.
  static Edges release(unsigned pin);
  static Edges take(unsigned pin);
  /// The first pin of a line from this one on, and round to it again, that has something to take
  /// and is not masked; kPins: none.
  static unsigned asking(unsigned line, unsigned from);
  static void mask(unsigned pin);
  /// Asks again: at once if there is something to take, or the level stands.
  static void unmask(unsigned pin);
  /// Calls a direct handler, masked. One that takes too long is not ended: nobody interrupts it.
  static runtime::DirectEnd call_direct(runtime::Sketch& sketch, unsigned pin,
                                        const sys::PinCall& call, int64_t length);
  /// An interrupt's time is not the kernel's alone (a direct handler's, or its alarm's).
  static void note_service();
  /// At the end of a run: all that it has counted, whether that was taken or not.
  static uint64_t counted(unsigned pin);
};

}  // namespace hocket
