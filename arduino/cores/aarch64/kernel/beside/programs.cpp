// The other system's programs (see programs.h).
#include "arduino/cores/aarch64/kernel/beside/programs.h"

#include "arduino/surroundings/peer/command_line.h"
#include "board.h"
#include "drivers/semihosting/semihosting.h"

namespace hocket::programs {
namespace {

using drivers::Semihosting;
using MachineBoard = machine::Board;

constexpr unsigned kMostPrograms = 8;

[[gnu::section(".kept_zero")]] uint64_t programs[kMostPrograms];
[[gnu::section(".kept_zero")]] unsigned program_count;
[[gnu::section(".kept_zero")]] void (*begins_again)();

bool in_its_memory(uint64_t address) {
  return address >= MachineBoard::kNormalBegin && address < MachineBoard::kNormalEnd;
}

/// Parses "0x40400000" and returns the text after it.
[[gnu::cold]] const char* read_address(const char* text, uint64_t& value) {
  value = 0;
  for (text += 2;; ++text) {
    const char c = *text;
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) return text;
    value = value << 4 | static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
}

[[gnu::cold]] bool read_programs(const char* text) {
  while (program_count < kMostPrograms) {
    if (text[0] != '0' || text[1] != 'x') return false;
    text = read_address(text, programs[program_count]);
    if (!in_its_memory(programs[program_count])) return false;
    ++program_count;
    if (*text != ':') return *text == '\0' || *text == ' ';
    ++text;
  }
  return false;
}

[[gnu::cold]] bool load(const char* folder, unsigned number) {
  char name[] = "/program-0";
  name[sizeof name - 2] = static_cast<char>('0' + number);
  const Semihosting::File file =
      Semihosting::open(command_line::Path(folder, name).text(), Semihosting::Mode::Read);
  if (!file.ok()) return false;
  const int64_t length = Semihosting::length(file);
  const uint64_t address = programs[number];
  bool done = length >= 0 && static_cast<uint64_t>(length) <= MachineBoard::kNormalEnd - address;
  if (done) {
    const auto size = static_cast<size_t>(length);
    auto* const memory = reinterpret_cast<void*>(machine::device(address));
    done = Semihosting::read(file, memory, size) == size;
  }
  Semihosting::close(file);
  return done;
}

[[gnu::cold]] bool restore() {
  const char* const folder = command_line::after("world=");
  for (unsigned i = 0; i < program_count; ++i) {
    if (folder == nullptr || !load(folder, i)) return false;
  }
  if (begins_again != nullptr) begins_again();
  return true;
}

}  // namespace

[[gnu::cold]] bool find() {
  const char* const word = command_line::after("beside=");
  return word != nullptr && read_programs(word);
}

aarch64::normal_world::Start start(unsigned cores, void (*again)()) {
  begins_again = again;
  return {.entry = programs[0],
          .argument = program_count > 1 ? programs[1] : 0,
          .memory_begin = MachineBoard::kNormalBegin,
          .memory_end = MachineBoard::kNormalEnd,
          .cores = cores,
          .restore = &restore};
}

}  // namespace hocket::programs
