// Another system beside the kernel, in the same machine: what QEMU is told of it. The kernel is at
// EL3 then, and finds its image in flash and its memory in the machine's secure part.
//
// Invariant: runs repeat. The other system's clock is the board's and begins at the same date in
// every run; no device of it waits for this computer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hocket::world {

/// A file that lies in the memory of the other system when the machine starts.
struct Program {
  uint64_t address;
  std::string file;
};

struct Beside {
  unsigned memory = 0;            // MiB; 0: there is no other system
  std::vector<Program> programs;  // the first is where it begins
  std::string console;            // the file that gets what it writes to its UART

  bool there() const { return memory != 0; }
};

/// The values of the options `--beside MIB` and `--load ADDRESS:FILE` (hexadecimal). Throw
/// UsageError.
unsigned parse_memory(const std::string& text);
Program parse_program(const std::string& text);
/// Throws UsageError when the options do not make a whole.
void check(const Beside& beside);

/// In an option of QEMU a comma is written twice.
std::string escaped(const std::string& text);
/// QEMU's words for its programs, its clock and its console.
std::vector<std::string> emulator_words(const Beside& beside);
/// What the kernel is told of it, as a word of its command line: where its programs lie.
std::string kernel_word(const Beside& beside);

/// The other system's programs in the folder of the world's pipes, as `program-0`, `program-1` and
/// so on in their order: the kernel puts them back from there when that system starts again.
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
