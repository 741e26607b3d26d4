// The pin block for the peer's pins if another system is beside the kernel: the secure PL061, which
// that system cannot access. Its outputs 0 and 1 control the board's power (board.h); the other
// lines are not connected.
//
// Source: QEMU 7.2, hw/arm/virt.c, where it creates the devices for pins and for power. The block's
// interrupt is not in the board's table (a15irqmap), so it is the first one.
#pragma once

#include "board.h"
#include "drivers/pl061/pl061.h"

namespace hocket::peer {

using PinBlock = drivers::Pl061<machine::device(machine::Board::kPower)>;
inline constexpr uint32_t kPinBlockInterrupt = 32 + 0;
inline constexpr unsigned kFirstLine = 2;
inline constexpr const char* kWhichPins = "0 to 69 may have, six of them at once";

/// Like those of ../peer_pins.h, plus a change of worlds in both directions.
inline constexpr int64_t kBottomHalf = 2'200;
inline constexpr int64_t kTopHalf = 1'400;

}  // namespace hocket::peer
