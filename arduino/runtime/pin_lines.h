// The lines from a board's pins to its processor. A board has one for all pins, or one for each of
// several I/O virtual CPUs and one for direct handlers; then its pins are routed to a line each.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::runtime {

template <class Pins>
struct PinLines {
  static constexpr bool kRoutes = requires { Pins::kIoLines; };
  static constexpr bool kHasDirect = requires { Pins::kDirectLine; };
  static constexpr unsigned kIo = [] {
    if constexpr (kRoutes) return Pins::kIoLines;
    return 1u;
  }();

  /// By its number among those of I/O virtual CPUs.
  static constexpr auto io(unsigned number) {
    if constexpr (kRoutes) return Pins::kLine + number;
    return Pins::kLine;
  }

  /// That of direct handlers, where there is one.
  static constexpr auto direct() {
    if constexpr (kHasDirect) return Pins::kDirectLine;
    return io(0);
  }

  template <class Line>
  static void watch(unsigned pin, sys::EdgeMode mode, [[maybe_unused]] Line line) {
    if constexpr (kRoutes || kHasDirect) {
      Pins::watch(pin, mode, line);
    } else {
      Pins::watch(pin, mode);
    }
  }
  template <class Line>
  static unsigned asking([[maybe_unused]] Line line, unsigned from) {
    if constexpr (kRoutes || kHasDirect) {
      return Pins::asking(line, from);
    } else {
      return Pins::asking(from);
    }
  }
};

}  // namespace hocket::runtime
