// The lines from a board's pins to its processor, as the runtime uses them. A board has either one
// line for all pins, or one line for each I/O virtual CPU and one for direct handlers. In the
// second case each pin is routed to a line.
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

  /// Pins that a sketch can name. Further pins only take room in the board's tables.
  static constexpr unsigned kNamed = [] {
    if constexpr (requires { Pins::kNamed; }) return Pins::kNamed;
    return Pins::kPins;
  }();

  /// The line of the I/O virtual CPU with this number.
  static constexpr auto io(unsigned number) {
    if constexpr (kRoutes) return Pins::kLine + number;
    return Pins::kLine;
  }

  /// The line of direct handlers, on a board that has one.
  static constexpr auto direct() {
    if constexpr (kHasDirect) return Pins::kDirectLine;
    return io(0);
  }

  /// The board knows which pin asks when only one pin on all its lines does (lone_edges.h).
  static constexpr bool kKnowsEdges = requires { typename Pins::Edge; };

  /// All lines share one interrupt of the processor and the board tells them apart itself. Then all
  /// bottom halves and direct handlers are on one core.
  static constexpr bool kOneInterrupt = requires { Pins::kOneInterrupt; };

  /// Like Port::line_mask and Port::line_unmask.
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

  /// Calls a pin's direct handler. A board that can abort it does so after `length` ticks.
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

  /// Cleans up what aborted direct handlers have left and others wait for, such as a ticket.
  /// Returns true if it must be called again later.
  static bool pass_turns() {
    if constexpr (requires { Pins::pass_turns(); }) return Pins::pass_turns();
    return false;
  }

  /// Watches a pin. A board that knows lone edges stores `known` for them (lone_edges.h).
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

  /// What a turn takes from a detector: one edge, where the board can take edges one by one. So the
  /// budget of the I/O virtual CPU, which pays for the turns, limits how many edges are taken.
  static auto take_in_turn(unsigned pin) {
    if constexpr (requires { Pins::take_one(pin); }) {
      return Pins::take_one(pin);
    } else {
      return Pins::take(pin);
    }
  }

  /// The result of one pin's turn: its number, what its detector had counted, and whether another
  /// pin asks as well (only valid with `kFurther`).
  template <class Edges>
  struct Turn {
    unsigned pin;  // Pins::kPins: none asks
    bool more;
    Edges edges;
  };
  /// Serves the first pin that asks, searching from `from` and wrapping round. (Some boards find
  /// pin and edges with one access.)
  template <bool kFurther, class Line>
  HOCKET_IN_LINE static auto take_turn(Line line, unsigned from) {
    using Turn = PinLines::Turn<typename Pins::Edges>;
    if constexpr (requires { Pins::template take_turn<Turn>(line, from); }) {
      return Pins::template take_turn<Turn>(line, from);
    } else {
      const unsigned pin = asking(line, from);
      if (pin >= Pins::kPins) return Turn{.pin = pin, .more = false, .edges = {}};
      const auto edges = take_in_turn(pin);
      const bool more = kFurther && asking(line, pin + 1) < Pins::kPins;
      return Turn{.pin = pin, .more = more, .edges = edges};
    }
  }
};

}  // namespace hocket::runtime
