// The lines from a board's pins to its processor. A board has one for all pins, or one for each of
// several I/O virtual CPUs and one for direct handlers; then its pins are routed to a line each.
#pragma once

#include "arduino/runtime/system.h"

namespace hocket::runtime {

/// How a call of a direct handler ended.
enum class DirectEnd : uint8_t { Returned, TooLong, Faulted };

template <class Pins>
struct PinLines {
  static constexpr bool kRoutes = requires { Pins::kIoLines; };
  static constexpr bool kHasDirect = requires { Pins::kDirectLine; };
  static constexpr unsigned kIo = [] {
    if constexpr (kRoutes) return Pins::kIoLines;
    return 1u;
  }();

  /// Pins that a sketch can name; those beyond are only room in the board's tables.
  static constexpr unsigned kNamed = [] {
    if constexpr (requires { Pins::kNamed; }) return Pins::kNamed;
    return Pins::kPins;
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

  /// The board knows which pin asks when it is the only one of all lines
  /// (lone_edges.h).
  static constexpr bool kKnowsEdges = requires { typename Pins::Edge; };

  /// The board tells its lines apart itself, behind one interrupt of the processor: all bottom
  /// halves and direct handlers are on one core.
  static constexpr bool kOneInterrupt = requires { Pins::kOneInterrupt; };

  /// As Port::line_mask and line_unmask.
  template <class Port, class Line>
  static void mask(Line line) {
    if constexpr (kOneInterrupt) {
      Pins::mask_line(line);
    } else {
      Port::line_mask(line);
    }
  }
  template <class Port, class Line>
  static void unmask(Line line) {
    if constexpr (kOneInterrupt) {
      Pins::unmask_line(line);
    } else {
      Port::line_unmask(line);
    }
  }

  /// Calls a pin's direct handler, for so long at most where a board can end it.
  template <class Sketch, class Ticks>
  static DirectEnd call_direct([[maybe_unused]] Sketch& sketch, [[maybe_unused]] unsigned pin,
                               const sys::PinCall& call, [[maybe_unused]] Ticks length) {
    if constexpr (requires { Pins::call_direct(sketch, pin, call, length); }) {
      return Pins::call_direct(sketch, pin, call, length);
    } else {
      call.handler(call.parameter);
      return DirectEnd::Returned;
    }
  }

  /// Direct handlers that were ended may have left something behind that others wait for: what can
  /// be put right now is. True: it is to be asked again.
  static bool pass_turns() {
    if constexpr (requires { Pins::pass_turns(); }) return Pins::pass_turns();
    return false;
  }

  /// A board that knows lone edges keeps `known` for them (lone_edges.h).
  template <class Line>
  static void watch(unsigned pin, sys::EdgeMode mode, [[maybe_unused]] Line line,
                    [[maybe_unused]] void* known) {
    if constexpr (kKnowsEdges) {
      Pins::watch(pin, mode, line, known);
    } else if constexpr (kRoutes || kHasDirect) {
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

  /// A pin that asks has its turn: what its detector has counted is taken. `more`: another one asks
  /// as well, where that was wanted to know (`kFurther`).
  template <class Edges>
  struct Turn {
    unsigned pin;  // Pins::kPins: none asks
    bool more;
    Edges edges;
  };
  /// The first pin of a line from this one on, and round to it again. (Some boards know all of it
  /// with one look.)
  template <bool kFurther, class Line>
  HOCKET_IN_LINE static auto take_turn(Line line, unsigned from) {
    using Turn = PinLines::Turn<typename Pins::Edges>;
    if constexpr (requires { Pins::template take_turn<Turn>(line, from); }) {
      return Pins::template take_turn<Turn>(line, from);
    } else {
      const unsigned pin = asking(line, from);
      if (pin >= Pins::kPins) return Turn{.pin = pin, .more = false, .edges = {}};
      const auto edges = Pins::take(pin);
      const bool more = kFurther && asking(line, pin + 1) < Pins::kPins;
      return Turn{.pin = pin, .more = more, .edges = edges};
    }
  }
};

}  // namespace hocket::runtime
