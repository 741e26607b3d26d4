// Arm PrimeCell GPIO PL061: eight lines, each input or output, with interrupts on edges and levels.
//
// Invariants
// - Writing or reading lines touches those lines only (the address carries their mask). Changes of
//   registers that lines share (direction, edges) are made masked, on one core at a time.
// - An edge is remembered in one bit until it is cleared; a second one changes nothing. The chip
// has
//   one interrupt, which is active while an enabled line has an edge or its level.
// - A masked line still remembers edges.
// - A line that changes from output to input takes the level that drives it from outside. In QEMU,
//   where nothing drives it, it keeps its last output level. make_edge() uses that.
//
// Source: PrimeCell General Purpose Input/Output (PL061) Technical Reference Manual (DDI 0190B),
// chapter 3: 3.3.1 data, 3.3.2 direction, 3.3.3 to 3.3.9 interrupts.
#pragma once

#include "drivers/mmio.h"

namespace hocket::drivers {

enum class Edges : uint8_t { None, Rising, Falling, Both };

template <uintptr_t kBase, class Bus = MemoryBus>
class Pl061 {
 public:
  using Lines = uint8_t;  // one bit for each line
  static constexpr unsigned kLines = 8;

  /// Makes all lines inputs without interrupts or edges. Context: once, masked.
  static void init() {
    Enabled::write(0);
    Alternate::write(0);
    Direction::write(0);
    LevelSense::write(0);
    Clear::write(0xff);
  }

  static void set_output(Lines lines) { Direction::set_bits(lines); }
  static void set_input(Lines lines) { Direction::clear_bits(lines); }

  /// Sets the `lines` (outputs) to the levels in `high`; other lines do not change. Any context.
  static void write(Lines lines, Lines high) { Data::write(lines, high); }
  /// The levels of the `lines`; other bits are 0. Any context.
  static Lines read(Lines lines) { return static_cast<Lines>(Data::read(lines)); }

  /// Selects which edges of these lines interrupt from now on. Earlier edges are forgotten.
  static void set_edges(Lines lines, Edges edges) {
    Enabled::clear_bits(lines);
    if (edges == Edges::None) return;
    LevelSense::clear_bits(lines);
    if (edges == Edges::Both) {
      BothEdges::set_bits(lines);
    } else {
      BothEdges::clear_bits(lines);
      if (edges == Edges::Rising) {
        RisingEdge::set_bits(lines);
      } else {
        RisingEdge::clear_bits(lines);
      }
    }
    Clear::write(lines);  // changing the kind may itself look like an edge
    Enabled::set_bits(lines);
  }

  /// These lines interrupt while they have this level. (QEMU 7.2 remembers a level like an edge:
  /// clear() it before reading it again.)
  static void set_level(Lines lines, bool high) {
    Enabled::clear_bits(lines);
    BothEdges::clear_bits(lines);
    if (high) {
      RisingEdge::set_bits(lines);
    } else {
      RisingEdge::clear_bits(lines);
    }
    LevelSense::set_bits(lines);
    Clear::write(lines);  // forgets an earlier edge
    Enabled::set_bits(lines);
  }

  /// Masks these lines until unmask(). Remembered edges stay.
  static void mask(Lines lines) { Enabled::clear_bits(lines); }
  static void unmask(Lines lines) { Enabled::set_bits(lines); }

  /// Lines with a remembered edge or with their level, masked or not.
  static Lines remembered() { return static_cast<Lines>(Raw::read()); }
  /// Those of them that interrupt.
  [[gnu::always_inline]] static Lines pending() { return static_cast<Lines>(Masked::read()); }
  /// Clears those edges. Pass what pending() returned, so that no later edge is lost.
  [[gnu::always_inline]] static void clear(Lines lines) { Clear::write(lines); }

  /// Produces a level on input lines from inside, in an emulator without anything connected. On
  /// hardware it drives the lines for two accesses.
  static void make_edge(Lines lines, Lines high) {
    set_output(lines);
    write(lines, high);
    set_input(lines);
  }

 private:
  using Data = Registers<Bus, uint32_t, kBase + 0x000>;  // the index is the mask
  using Direction = Register<Bus, uint32_t, kBase + 0x400>;
  using LevelSense = Register<Bus, uint32_t, kBase + 0x404>;
  using BothEdges = Register<Bus, uint32_t, kBase + 0x408>;
  using RisingEdge = Register<Bus, uint32_t, kBase + 0x40c>;
  using Enabled = Register<Bus, uint32_t, kBase + 0x410>;
  using Raw = Register<Bus, uint32_t, kBase + 0x414>;
  using Masked = Register<Bus, uint32_t, kBase + 0x418>;
  using Clear = Register<Bus, uint32_t, kBase + 0x41c>;
  using Alternate = Register<Bus, uint32_t, kBase + 0x420>;
};

}  // namespace hocket::drivers
