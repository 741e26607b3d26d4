// Stands for Board::Pins on a board whose pins have no interrupts.
#pragma once

#include "arduino/runtime/system.h"
#include "kernel/base/time.h"

namespace hocket::runtime {

template <class Ticks>
struct NoPins {
  static constexpr unsigned kPins = 1;
  static constexpr unsigned kLine = 0;
  static constexpr const char* kWhich = "no pin has one";
  static constexpr bool kCounts = true;
  static constexpr Ticks kBottomHalf = 0;
  static constexpr Ticks kTopHalf = 0;

  struct Edges {
    uint64_t count;
    uint64_t merged;
    BasicInstant<Ticks> first;
  };

  static bool has_interrupt(unsigned) { return false; }
  static void watch(unsigned, sys::EdgeMode) {}
  static Edges release(unsigned) { return {}; }
  static Edges take(unsigned) { return {}; }
  static Edges waiting(unsigned) { return {}; }
  static unsigned asking(unsigned) { return kPins; }
  static void mask(unsigned) {}
  static void unmask(unsigned) {}
};

template <class Board>
struct PinsOf {
  using Type = NoPins<typename Board::Port::Ticks>;
};
template <class Board>
  requires requires { typename Board::Pins; }
struct PinsOf<Board> {
  using Type = typename Board::Pins;
};

}  // namespace hocket::runtime
