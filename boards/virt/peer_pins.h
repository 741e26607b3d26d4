// The pin block behind which `hocket run` puts the peer's pins: virt's PL061, wired to nothing
// else.
#pragma once

#include "board.h"
#include "drivers/pl061/pl061.h"

namespace hocket::peer {

using PinBlock = drivers::Pl061<machine::device(0x0903'0000)>;
inline constexpr uint32_t kPinBlockInterrupt = 32 + 7;
/// The EL1 physical timer, which the kernel leaves alone: the generator of edges has it.
inline constexpr uint32_t kGeneratorInterrupt = 30;

/// In instructions, worst cases: one pin's turn of the bottom half with the wake-up of its handler,
/// and the top half from vector to return. tests/system/test_interrupts.py holds them.
inline constexpr int64_t kBottomHalf = 2'000;
inline constexpr int64_t kTopHalf = 1'000;

}  // namespace hocket::peer
