// The pin block behind which `hocket run` puts the peer's pins where another system is beside the
// kernel: the secure PL061, which that one cannot reach. Its outputs 0 and 1 are the board's power
// (board.h); the other lines are wired to nothing.
//
// Source: QEMU 7.2, hw/arm/virt.c, where it makes its devices for pins and for power. The block's
// interrupt is not in the board's table of them (a15irqmap), and so is the first one.
#pragma once

#include "board.h"
#include "drivers/pl061/pl061.h"

namespace hocket::peer {

using PinBlock = drivers::Pl061<machine::device(machine::Board::kPower)>;
inline constexpr uint32_t kPinBlockInterrupt = 32 + 0;
inline constexpr unsigned kFirstLine = 2;
inline constexpr const char* kWhichPins = "0 to 69 may have, six of them at once";

/// As those of ../peer_pins.h, with a change of worlds both ways in each.
inline constexpr int64_t kBottomHalf = 2'200;
inline constexpr int64_t kTopHalf = 1'400;

}  // namespace hocket::peer
