// Measures an image from outside, to the cycle:
//
//   uno_measure IMAGE response N SEED [FILE]   N rising edges on pin 2 at random instants, each
//   until
//                                              pin 3 rises
//   uno_measure IMAGE pulse N [FILE]           N times how long pin 3 is high
//
// Prints `n min median mean max` in cycles. FILE gets a line for each: its cycles, and for a
// response also the program counter (in bytes) and 1 if interrupts were masked when the edge came:
// who was in its way. Pin 3 is to go down by itself before the next edge (4,000 cycles at least).
// An edge counts from its own cycle, which may be in the middle of an instruction; the two cycles
// of a real chip's input synchroniser are added (data sheet, 14.2.4), the library has none.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "boards/sim/devices/random.h"
#include "boards/uno/simulator/mcu.h"

namespace hocket::uno {
namespace {

constexpr Cycles kSynchroniser = 2;
constexpr Cycles kLongest = 600ull * kCyclesPerSecond;
constexpr Cycles kStart = kCyclesPerSecond / 10;  // the firmware has started by then

/// Rising and falling instants of a pin of port D, polled after each instruction.
class Edge {
 public:
  Edge(const Mcu& mcu, unsigned bit) : mcu_(mcu), bit_(bit) {}
  /// +1: it rose in the last step, -1: it fell.
  int update() {
    constexpr uint16_t kPortD = 0x2b;
    const bool high = (mcu_.data(kPortD) >> bit_ & 1) != 0;
    const int change = static_cast<int>(high) - static_cast<int>(high_);
    high_ = high;
    return change;
  }

 private:
  const Mcu& mcu_;
  unsigned bit_;
  bool high_ = false;
};

void step(Mcu& mcu, Cycles end) {
  const auto state = mcu.step(mcu.sleeping() ? end : mcu.cycle() + 1);
  if (state != Mcu::State::Running) throw BadFirmware("it crashed, or sleeps for good");
}

struct Sample {
  Cycles cycles;
  uint32_t pc = 0;
  bool masked = false;
};

/// Raises pin 2 at random instants and lowers it again; when it last rose, and what went on then.
class Edges {
 public:
  Edges(Mcu& mcu, uint64_t seed) : mcu_(mcu), random_(seed, "edges") {
    // The library calls at the end of the instruction that the edge falls into, and looks for
    // interrupts after that: as the real processor does.
    mcu_.at(kStart, [this](Cycles now) { return change(now); });
  }
  /// The edge that has not been answered; null: there is none.
  const Sample* open() const { return open_ ? &edge_ : nullptr; }
  void answered() { open_ = false; }

 private:
  static constexpr Cycles kHigh = 1'000, kLeast = 3'000,
                          kMost = 7'000;  // high; until the next edge

  Cycles change(Cycles now) {
    high_ = !high_;
    mcu_.set_pin('D', 2, high_);
    if (!high_) return now + random_.between(kLeast, kMost) - kHigh;
    if (open_) throw BadFirmware("pin 3 did not answer");
    edge_ = {.cycles = now, .pc = mcu_.pc(), .masked = mcu_.masked()};
    open_ = true;
    return now + kHigh;
  }

  Mcu& mcu_;
  sim::Random random_;
  Sample edge_{};
  bool high_ = false;
  bool open_ = false;
};

std::vector<Sample> responses(Mcu& mcu, size_t count, uint64_t seed) {
  Edges edges(mcu, seed);
  Edge out(mcu, 3);
  std::vector<Sample> samples;
  while (samples.size() < count && mcu.cycle() < kLongest) {
    step(mcu, kLongest);
    if (out.update() <= 0 || edges.open() == nullptr) continue;
    Sample sample = *edges.open();
    sample.cycles = mcu.cycle() - sample.cycles + kSynchroniser;
    samples.push_back(sample);
    edges.answered();
  }
  return samples;
}

std::vector<Sample> pulses(Mcu& mcu, size_t count) {
  Edge out(mcu, 3);
  std::vector<Sample> samples;
  std::optional<Cycles> rose;
  while (samples.size() < count && mcu.cycle() < kLongest) {
    step(mcu, kLongest);
    const int change = out.update();
    if (change > 0) rose = mcu.cycle();
    if (change < 0 && rose) samples.push_back({.cycles = mcu.cycle() - *rose});
  }
  return samples;
}

void tell(const std::vector<Sample>& samples) {
  if (samples.empty()) throw BadFirmware("nothing was to be measured");
  std::vector<Cycles> sorted;
  Cycles sum = 0;
  for (const Sample& sample : samples) {
    sorted.push_back(sample.cycles);
    sum += sample.cycles;
  }
  std::sort(sorted.begin(), sorted.end());
  std::printf("%zu %llu %llu %.2f %llu\n", sorted.size(),
              static_cast<unsigned long long>(sorted.front()),
              static_cast<unsigned long long>(sorted[(sorted.size() - 1) / 2]),
              static_cast<double>(sum) / static_cast<double>(sorted.size()),
              static_cast<unsigned long long>(sorted.back()));
}

/// False when the file cannot be written.
bool write(const char* file, const std::vector<Sample>& samples, bool response) {
  std::FILE* out = std::fopen(file, "w");
  if (out == nullptr) return false;
  for (const Sample& s : samples) {
    std::fprintf(out, "%llu", static_cast<unsigned long long>(s.cycles));
    if (response) std::fprintf(out, " %u %d", s.pc, s.masked ? 1 : 0);
    std::fputc('\n', out);
  }
  return std::fclose(out) == 0;
}

}  // namespace
}  // namespace hocket::uno

int main(int count, char** arguments) {
  using namespace hocket::uno;
  const bool response = (count == 5 || count == 6) && std::strcmp(arguments[2], "response") == 0;
  const bool pulse = (count == 4 || count == 5) && std::strcmp(arguments[2], "pulse") == 0;
  if (!response && !pulse) {
    std::fputs(
        "usage: uno_measure IMAGE response N SEED [FILE] | uno_measure IMAGE pulse N [FILE]\n",
        stderr);
    return 2;
  }
  try {
    Mcu mcu(Firmware{std::string(arguments[1])});
    const auto n = static_cast<size_t>(std::strtoul(arguments[3], nullptr, 10));
    const auto samples =
        response ? responses(mcu, n, std::strtoull(arguments[4], nullptr, 10)) : pulses(mcu, n);
    tell(samples);
    const int file = response ? 5 : 4;
    if (count > file && !write(arguments[file], samples, response)) {
      std::fprintf(stderr, "%s cannot be written\n", arguments[file]);
      return 2;
    }
  } catch (const BadFirmware& problem) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], problem.what());
    return 2;
  }
}
