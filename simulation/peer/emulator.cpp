// The command line of QEMU: see emulator.h.
//
// Sources: QEMU 7.2's manual, «Invocation», «virt» and «Raspberry Pi boards»; what -icount does
// with several cores was measured (docs/reference/world-program.md).
#include "simulation/peer/emulator.h"

#include <algorithm>

namespace hocket::world {
namespace {

constexpr BoardInfo kBoards[] = {{"virt", 8, false, true}, {"rpi3", 4, true, false}};

}  // namespace

const BoardInfo* find_board(const std::string& name) {
  const auto* found = std::find_if(std::begin(kBoards), std::end(kBoards),
                                   [&name](const BoardInfo& board) { return name == board.name; });
  return found == std::end(kBoards) ? nullptr : found;
}

std::vector<std::string> emulator_command(const BoardInfo& board, const std::string& image,
                                          unsigned cores, Timing timing, const std::string& folder,
                                          bool hypervisor, const Beside& beside) {
  std::vector<std::string> command = {"qemu-system-aarch64"};
  const auto add = [&command](std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  };
  if (board.all_cores_run) {
    add({"-M", "raspi3b", "-global", "cortex-a53-arm-cpu.cntfrq=19200000"});
  } else {
    // One tick of the counter is one nanosecond and one instruction.
    std::string machine = "virt,gic-version=3";
    if (hypervisor || beside.there()) machine += ",virtualization=on";
    if (beside.there()) machine += ",secure=on,acpi=off,dtb-randomness=off";
    add({"-M", machine, "-cpu", "cortex-a53,cntfrq=1000000000"});
    const unsigned memory = beside.there() ? beside.memory : 128;
    add({"-smp", std::to_string(cores), "-m", std::to_string(memory) + "M"});
  }
  if (timing == Timing::Counted) add({"-icount", "shift=0,sleep=off"});
  add({"-nodefaults", "-display", "none", "-monitor", "none"});
  std::string words = "enable=on,target=native,arg=hocket,arg=world=" + escaped(folder);
  if (!beside.there()) {
    add({"-serial", "none", "-semihosting-config", words, "-kernel", image});
    return command;
  }
  const std::vector<std::string> more = emulator_words(beside);
  command.insert(command.end(), more.begin(), more.end());
  words += ",arg=" + escaped(kernel_word(beside));
  add({"-serial", "none", "-semihosting-config", words, "-bios", image});
  return command;
}

}  // namespace hocket::world
