// The pin block behind which `hocket run` puts the peer's pins: virt's PL061, wired to nothing
// else.
#pragma once

#include "board.h"
#include "drivers/pl061/pl061.h"

namespace hocket::peer {

using PinBlock = drivers::Pl061<machine::device(0x0903'0000)>;
inline constexpr uint32_t kPinBlockInterrupt = 32 + 7;
inline constexpr unsigned kFirstLine = 0;  // of the block's, all eight
inline constexpr const char* kWhichPins = "0 to 69 may have, eight of them at once";

/// In instructions, worst cases: one pin's turn of the bottom half with the wake-up of its handler,
/// and the top half from vector to return. tests/system/test_interrupts.py holds them.
inline constexpr int64_t kBottomHalf = 2'000;
inline constexpr int64_t kTopHalf = 1'000;

}  // namespace hocket::peer
