// Another system beside the kernel, in the same machine: its QEMU options. The kernel then runs at
// EL3, with its image in flash and its memory in the machine's secure part.
//
// Invariant: runs repeat. The other system's clock is the board's and begins at the same date in
// every run; none of its devices waits for the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hocket::world {

/// A file to load into the other system's memory before the machine starts.
struct Program {
  uint64_t address;
  std::string file;
};

struct Beside {
  unsigned memory = 0;            // MiB; 0: there is no other system
  std::vector<Program> programs;  // the first is the entry point
  std::string console;            // the file that receives the output of its UART

  bool there() const { return memory != 0; }
};

/// Parse the options `--beside MIB` and `--load ADDRESS:FILE` (hexadecimal). Throw UsageError.
unsigned parse_memory(const std::string& option, const std::string& text, unsigned long most);
Program parse_program(const std::string& text);
/// Throws UsageError if the options are incomplete or contradictory.
void check(const Beside& beside);

/// In an option of QEMU a comma is doubled.
std::string escaped(const std::string& text);
/// QEMU's words for its programs, its clock and its console.
std::vector<std::string> emulator_words(const Beside& beside);
/// A word of the kernel's command line: where the programs are.
std::string kernel_word(const Beside& beside);

/// Links to the other system's programs in the folder of the world's pipes: `program-0`,
/// `program-1` and so on, in order. The kernel restores the programs from there when that system
/// restarts.
class ProgramLinks {
 public:
  /// Throws UsageError.
  ProgramLinks(const Beside& beside, const std::string& folder);
  ~ProgramLinks();
  ProgramLinks(const ProgramLinks&) = delete;
  ProgramLinks& operator=(const ProgramLinks&) = delete;

 private:
  void remove_links();

  std::vector<std::string> links_;
};

}  // namespace hocket::world
