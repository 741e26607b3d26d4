// Executes instructions for test_instructions.py: cases from the standard input, results to the
// standard output, both in words of 32 bits, little-endian.
//
// First come 64 kB that RAM begins with in each case. A case: r0 … r15, APSR, the number of
// instructions to execute, and 16 halfwords that are at pc. A result: r0 … r15, APSR, cycles, the
// fault's kind (0: none; 255: an access to a device), the number of changed bytes, and for each its
// offset and value in two words.
#include <cstdio>
#include <cstring>
#include <vector>

#include "simulation/rp2040/chip.h"

namespace {

using hocket::rp2040::Chip;
using hocket::rp2040::Core;
using hocket::rp2040::kRamBase;

constexpr size_t kWindow = 64 * 1024;
constexpr uint32_t kDevice = 255;  // instead of a fault's kind

bool read_words(uint32_t* words, size_t count) {
  return std::fread(words, sizeof *words, count, stdin) == count;
}
void write_word(uint32_t word) {
  std::fwrite(&word, sizeof word, 1, stdout);
}

void write_changes(const uint8_t* now, const uint8_t* before) {
  std::vector<uint32_t> changes;
  for (size_t i = 0; i < kWindow; i += 8) {
    if (std::memcmp(now + i, before + i, 8) == 0) continue;
    for (size_t at = i; at < i + 8; ++at) {
      if (now[at] == before[at]) continue;
      changes.push_back(static_cast<uint32_t>(at));
      changes.push_back(now[at]);
    }
  }
  write_word(static_cast<uint32_t>(changes.size() / 2));
  for (const uint32_t word : changes) write_word(word);
}

/// Returns at the end of the input.
bool perform(const std::vector<uint8_t>& start) {
  uint32_t head[18];
  if (!read_words(head, 18)) return false;
  uint32_t code[8];
  if (!read_words(code, 8)) return false;
  static Chip chip;
  Core& core = chip.core(0);
  core.start(kRamBase, head[13], head[15] | 1, core.cycle());
  for (unsigned i = 0; i < 15; ++i) core.registers().r[i] = head[i];
  core.registers().flags.set_apsr(head[16]);
  std::vector<uint8_t> before = start;
  std::memcpy(before.data() + (head[15] - kRamBase), code, sizeof code);
  std::memcpy(chip.memory().ram(), before.data(), kWindow);
  const auto began = core.cycle();
  const uint64_t faults = core.faults();
  bool modelled = true;
  try {
    for (uint32_t i = 0; i < head[17] && core.faults() == faults; ++i) core.step();
  } catch (const hocket::rp2040::NotModelled&) {
    modelled = false;  // an address of a device
  }
  for (const uint32_t word : core.registers().r) write_word(word);
  write_word(core.registers().flags.apsr());
  write_word(static_cast<uint32_t>(core.cycle() - began));
  const bool faulted = core.faults() != faults;
  write_word(faulted ? static_cast<uint32_t>(core.last_fault().kind) : modelled ? 0 : kDevice);
  write_changes(chip.memory().ram(), before.data());
  // A fault has entered its handler, which never returns here.
  if (faulted) core.nvic().deactivate(hocket::rp2040::exception::kHardFault);
  return true;
}

}  // namespace

int main() {
  std::vector<uint8_t> start(kWindow);
  if (std::fread(start.data(), 1, kWindow, stdin) != kWindow) return 1;
  while (perform(start)) {
  }
  return 0;
}
