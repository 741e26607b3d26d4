// How QEMU is started: see emulator.h.
//
// Sources: QEMU 7.2's manual, «Invocation», «virt» and «Raspberry Pi boards»; what -icount does
// with several cores was measured (docs/reference/world-program.md).
#include "simulation/peer/emulator.h"

#include <algorithm>

namespace hocket::world {
namespace {

constexpr BoardInfo kBoards[] = {{"virt", 8, false, true}, {"rpi3", 4, true, false}};

/// In an option of QEMU a comma is written twice.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == ',' ? std::string(",,") : std::string(1, c);
  return result;
}

}  // namespace

const BoardInfo* find_board(const std::string& name) {
  const auto* found = std::find_if(std::begin(kBoards), std::end(kBoards),
                                   [&name](const BoardInfo& board) { return name == board.name; });
  return found == std::end(kBoards) ? nullptr : found;
}

std::vector<std::string> emulator_command(const BoardInfo& board, const std::string& image,
                                          unsigned cores, Timing timing, const std::string& folder,
                                          bool hypervisor) {
  std::vector<std::string> command = {"qemu-system-aarch64"};
  const auto add = [&command](std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  };
  if (board.all_cores_run) {
    add({"-M", "raspi3b", "-global", "cortex-a53-arm-cpu.cntfrq=19200000"});
  } else {
    // One tick of the counter is one nanosecond: one instruction.
    const char* const machine = "virt,gic-version=3";
    add({"-M", hypervisor ? std::string(machine) + ",virtualization=on" : machine, "-cpu",
         "cortex-a53,cntfrq=1000000000"});
    add({"-smp", std::to_string(cores), "-m", "128M"});
  }
  if (timing == Timing::Counted) add({"-icount", "shift=0,sleep=off"});
  add({"-nodefaults", "-display", "none", "-serial", "none", "-monitor", "none"});
  add({"-semihosting-config", "enable=on,target=native,arg=hocket,arg=world=" + escaped(folder)});
  add({"-kernel", image});
  return command;
}

}  // namespace hocket::world
