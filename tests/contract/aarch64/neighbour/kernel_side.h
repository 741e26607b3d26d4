// The tests' side of the neighbour: commands, and what it counts.
#pragma once

#include "neighbour/shared.h"
#include "tests/contract/kernel/kernel_bench.h"

namespace hocket::contract {

/// The image was started with a neighbour: the command line ends with this word.
bool neighbour_is_there();

inline volatile neighbour::Shared& shared() {
  // SAFETY: mapped as the other world's memory by the board (secure_machine.cpp).
  return *reinterpret_cast<volatile neighbour::Shared*>(neighbour::kSharedAddress +
                                                        HOCKET_KERNEL_OFFSET);
}

/// Gives a command without waiting for it. A thread.
void tell_neighbour(neighbour::Command command, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                    uint64_t d = 0);
/// …and waits, asleep, until core 0 has done it. False: it does not.
bool command_neighbour(neighbour::Command command, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0,
                       uint64_t d = 0);

/// Registers that were wrong and exceptions that nobody expected, on all of its cores.
uint64_t wrongs_of_neighbour();

}  // namespace hocket::contract
