// How QEMU is started for each board.
#pragma once

#include <string>
#include <vector>

#include "simulation/peer/conclude.h"

namespace hocket::world {

/// The board of this name; null: it has no emulator.
const BoardInfo* find_board(const std::string& name);

/// The command that runs the image with the world's pipes in `folder`.
std::vector<std::string> emulator_command(const BoardInfo& board, const std::string& image,
                                          unsigned cores, Timing timing, const std::string& folder);

}  // namespace hocket::world
