// The pin block for the peer's pins under `hocket run`: virt's PL061, which is not connected to
// anything else.
#pragma once

#include "board.h"
#include "drivers/pl061/pl061.h"

namespace hocket::peer {

using PinBlock = drivers::Pl061<machine::device(0x0903'0000)>;
inline constexpr uint32_t kPinBlockInterrupt = 32 + 7;
inline constexpr unsigned kFirstLine = 0;  // of the block's eight lines
inline constexpr const char* kWhichPins = "0 to 69 may have, eight of them at once";

/// In instructions, worst cases: one pin's turn of the bottom half including the wake-up of its
/// handler, and the top half from vector to return. tests/system/test_interrupts.py checks them.
inline constexpr int64_t kBottomHalf = 2'000;
inline constexpr int64_t kTopHalf = 1'000;

}  // namespace hocket::peer
