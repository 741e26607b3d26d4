// How QEMU is started for each board.
#pragma once

#include <string>
#include <vector>

#include "simulation/peer/beside.h"
#include "simulation/peer/conclude.h"

namespace hocket::world {

/// The board of this name; null: it has no emulator.
const BoardInfo* find_board(const std::string& name);

/// The command that runs the image with the world's pipes in `folder`. `hypervisor`: the processor
/// has EL2, and begins there, where virt has it only if asked for. `beside`: another system, if
/// there is one; the image is an ELF file without one, and as it lies in flash with it.
std::vector<std::string> emulator_command(const BoardInfo& board, const std::string& image,
                                          unsigned cores, Timing timing, const std::string& folder,
                                          bool hypervisor = false, const Beside& beside = {});

}  // namespace hocket::world
