// Runs a program for the RP2040 without a board around it: what it sends through UART0 is shown.
//
//     rp2040_run FILE [--cycles N] [--trace-pins] [--stats]
//
// It ends when both cores sleep for good, after N cycles (default: ten seconds' worth), or where
// the emulator stops. Exit status: 0 at its end, 1 where it was stopped, 2 if the file is unusable.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "simulation/rp2040/chip.h"
#include "simulation/rp2040/image/image.h"

namespace hocket::rp2040 {
namespace {

enum Status { kEnded = 0, kStopped = 1, kUnusable = 2 };

struct Options {
  std::string file;
  Cycles cycles = 10ull * kCyclesPerSecond;
  bool trace_pins = false;
  bool statistics = false;
};

[[noreturn]] void usage() {
  std::fputs("usage: rp2040_run FILE [--cycles N] [--trace-pins] [--stats]\n", stderr);
  std::exit(kUnusable);
}

Options options_of(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--trace-pins") {
      options.trace_pins = true;
    } else if (word == "--stats") {
      options.statistics = true;
    } else if (word == "--cycles" && i + 1 < count) {
      const char* const text = words[++i];
      const char* const end = text + std::strlen(text);
      if (std::from_chars(text, end, options.cycles).ptr != end) usage();
    } else if (options.file.empty() && !word.starts_with("--")) {
      options.file = word;
    } else {
      usage();
    }
  }
  if (options.file.empty()) usage();
  return options;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void print_statistics(const Chip& chip, double seconds) {
  uint64_t instructions = 0;
  for (unsigned i = 0; i < Chip::kCores; ++i) {
    const Core& core = chip.core(i);
    instructions += core.instructions();
    std::fprintf(stderr, "core %u: %llu instructions, at cycle %llu, waited %llu, faults %llu\n", i,
                 static_cast<unsigned long long>(core.instructions()),
                 static_cast<unsigned long long>(core.cycle()),
                 static_cast<unsigned long long>(core.waited()),
                 static_cast<unsigned long long>(core.faults()));
  }
  std::fprintf(stderr, "%.3f s of processor time, %.1f MIPS, %.2f of real time\n", seconds,
               static_cast<double>(instructions) / seconds / 1e6,
               static_cast<double>(chip.cycle()) / kCyclesPerSecond / seconds);
}

int run(const Options& options) {
  const Image image = read_image_file(options.file);
  Chip chip;
  chip.uart(0).on_sent([](Cycles, uint8_t byte) { std::putchar(byte); });
  if (options.trace_pins) {
    chip.pins().on_change([&chip](Cycles now) {
      std::printf("%llu %08x %08x\n", static_cast<unsigned long long>(now), chip.pins().levels(),
                  chip.pins().driven());
    });
  }
  start(image, chip);
  const double before = processor_seconds();
  constexpr Cycles kTurn = kCyclesPerSecond / 100;
  while (!chip.stopped() && !chip.asleep_for_good() && chip.cycle() < options.cycles) {
    chip.run(std::min(options.cycles, chip.cycle() + kTurn));
  }
  std::fflush(stdout);
  if (options.statistics) print_statistics(chip, processor_seconds() - before);
  if (!chip.stopped()) return kEnded;
  std::fprintf(stderr, "hocket: %s\n", chip.stopped()->text.c_str());
  return kStopped;
}

}  // namespace
}  // namespace hocket::rp2040

int main(int count, char** words) {
  using namespace hocket::rp2040;
  const Options options = options_of(count, words);
  try {
    return run(options);
  } catch (const BadImage& error) {
    std::fprintf(stderr, "hocket: %s cannot be run: %s\n", options.file.c_str(), error.what());
    return kUnusable;
  }
}
