// The command line of QEMU: see emulator.h.
//
// Sources: QEMU 7.2's manual, «Invocation», «virt» and «Raspberry Pi boards»; what -icount does
// with several cores was measured (docs/reference/world-program.md).
#include "simulation/peer/emulator.h"

#include <sstream>
#include <utility>

namespace hocket::world {
namespace {

/// The words of the board's machine, filled in.
std::vector<std::string> machine_words(const BoardInfo& board, const std::string& more,
                                       const std::string& cores, const std::string& memory) {
  const std::pair<std::string, const std::string*> places[] = {
      {"{more}", &more}, {"{cores}", &cores}, {"{memory}", &memory}};
  std::vector<std::string> words;
  std::istringstream text(board.qemu);
  for (std::string word; text >> word;) {
    for (const auto& [place, filled] : places) {
      if (const size_t at = word.find(place); at != std::string::npos) {
        word.replace(at, place.size(), *filled);
      }
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace

std::vector<std::string> emulator_command(const BoardInfo& board, const std::string& image,
                                          unsigned cores, Timing timing, const std::string& folder,
                                          bool hypervisor, const Beside& beside) {
  std::vector<std::string> command = {"qemu-system-aarch64"};
  const auto add = [&command](std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  };
  std::string more;
  if (hypervisor || beside.there()) more += ",virtualization=on";
  if (beside.there()) more += ",secure=on,acpi=off,dtb-randomness=off";
  const std::string memory = std::to_string(beside.there() ? beside.memory : board.memory) + "M";
  const std::vector<std::string> machine =
      machine_words(board, more, std::to_string(cores), memory);
  command.insert(command.end(), machine.begin(), machine.end());
  if (timing == Timing::Counted) add({"-icount", "shift=0,sleep=off"});
  add({"-nodefaults", "-display", "none", "-monitor", "none"});
  std::string words = "enable=on,target=native,arg=hocket,arg=world=" + escaped(folder);
  if (!beside.there()) {
    add({"-serial", "none", "-semihosting-config", words, "-kernel", image});
    return command;
  }
  const std::vector<std::string> others = emulator_words(beside);
  command.insert(command.end(), others.begin(), others.end());
  words += ",arg=" + escaped(kernel_word(beside));
  add({"-serial", "none", "-semihosting-config", words, "-bios", image});
  return command;
}

}  // namespace hocket::world
