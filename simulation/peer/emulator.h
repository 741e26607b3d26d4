// The command line of QEMU for each board.
#pragma once

#include <string>
#include <vector>

#include "simulation/peer/beside.h"
#include "simulation/peer/conclude.h"

namespace hocket::world {

/// The command that runs the image with the world's pipes in `folder`. `hypervisor`: the processor
/// has EL2 and starts there (where a machine has it on request). `beside`: another system, if there
/// is one. The image is an ELF file; with another system it is the content of the flash.
std::vector<std::string> emulator_command(const BoardInfo& board, const std::string& image,
                                          unsigned cores, Timing timing, const std::string& folder,
                                          bool hypervisor = false, const Beside& beside = {});

}  // namespace hocket::world
