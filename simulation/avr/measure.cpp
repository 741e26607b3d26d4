// Measures an image from outside, to the cycle: `avr_measure IMAGE …`
//
//   response N SEED [FILE]         N rising edges on pin 2 at random instants, until pin 3 rises
//   sparse N SEED [FILE]           the same with more time between the edges
//   during VECTOR N SEED [FILE]    the same; the edges are aimed at a periodic interrupt, at random
//                                  from shortly before it begins until after its handler
//   pulse N [FILE]                 N times how long pin 3 is high
//
// Prints `n min median mean max` in cycles. FILE gets a line for each: its cycles, and for an edge
// also the program counter (in bytes) and 1 if interrupts were masked when it came: what was in its
// way. Pin 3 is to go down by itself before the next edge (3,000 cycles at least). An edge counts
// from its own cycle, which may be in the middle of an instruction; the two cycles of a real chip's
// input synchroniser are added (data sheet, 14.2.4), the library has none.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simulation/avr/mcu.h"
#include "simulation/devices/random.h"

namespace hocket::avr {
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
  if (state != Mcu::State::Running) throw uno::BadFirmware("it crashed, or sleeps for good");
}

struct Sample {
  Cycles cycles;
  uint32_t pc = 0;
  bool masked = false;
};

/// Pin 2, and what went on when it last rose. To be called from Mcu::at: the library does that at
/// the end of the instruction that the edge falls into, and looks for interrupts after that, as the
/// real processor does.
class Input {
 public:
  explicit Input(Mcu& mcu) : mcu_(mcu) {}

  void rise(Cycles now) {
    if (open_) return;
    mcu_.set_pin('D', 2, true);
    edge_ = {.cycles = now, .pc = mcu_.pc(), .masked = mcu_.masked()};
    open_ = true;
  }
  void fall() { mcu_.set_pin('D', 2, false); }

  bool open() const { return open_; }
  /// Pin 3 has risen.
  Sample answered(Cycles now) {
    open_ = false;
    return {.cycles = now - edge_.cycles + kSynchroniser, .pc = edge_.pc, .masked = edge_.masked};
  }

 private:
  Mcu& mcu_;
  Sample edge_{};
  bool open_ = false;
};

constexpr Cycles kHigh = 1'000;  // how long pin 2 stays high

/// Runs until `count` edges have been answered; `after_step` may arrange for the next one.
std::vector<Sample> answers(Mcu& mcu, Input& input, size_t count,
                            const std::function<void()>& after_step) {
  Edge out(mcu, 3);
  std::vector<Sample> samples;
  while (samples.size() < count && mcu.cycle() < kLongest) {
    step(mcu, kLongest);
    if (out.update() > 0 && input.open()) samples.push_back(input.answered(mcu.cycle()));
    after_step();
  }
  if (samples.size() < count) throw uno::BadFirmware("pin 3 did not answer");
  return samples;
}

struct Gaps {
  Cycles least, most;  // from edge to edge
};
constexpr Gaps kDense{3'000, 7'000}, kSparse{8'000, 24'000};

std::vector<Sample> responses(Mcu& mcu, const Gaps& gaps, size_t count, uint64_t seed) {
  sim::Random random(seed, "edges");
  Input input(mcu);
  bool high = false;
  mcu.at(kStart, [&](Cycles now) {
    high = !high;
    if (high) {
      input.rise(now);
      return now + kHigh;
    }
    input.fall();
    return now - kHigh + random.between(gaps.least, gaps.most);
  });
  return answers(mcu, input, count, [] {});
}

/// The interrupt is foreseen from its first two times, so that edges fall into its response, too;
/// an edge just before it delays it, and must not count.
std::vector<Sample> responses_during(Mcu& mcu, unsigned vector, size_t count, uint64_t seed) {
  constexpr Cycles kBefore = 20, kAfter = 140;
  constexpr Cycles kGrain = 256 * 8;  // overflows come every so many cycles, or a multiple
  sim::Random random(seed, "edges");
  Input input(mcu);
  Cycles first = 0, foreseen = 0, period = 0;
  bool high = false;
  const auto next = [&] {
    foreseen += period;
    return foreseen - kBefore + random.between(0, kBefore + kAfter);
  };
  const auto change = [&](Cycles now) {
    high = !high;
    if (high) {
      input.rise(now);
      return now + kHigh;
    }
    input.fall();
    return next();
  };
  return answers(mcu, input, count, [&] {
    if (period != 0 || mcu.cycle() < kStart || mcu.pc() != vector * 4) return;
    foreseen = mcu.cycle();
    if (first == 0) {
      first = foreseen;
    } else if (foreseen > first + 2 * kHigh) {
      period = (foreseen - first + kGrain / 2) / kGrain * kGrain;
      mcu.at(next(), change);
    }
  });
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
  if (samples.empty()) throw uno::BadFirmware("nothing was to be measured");
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
}  // namespace hocket::avr

int main(int count, char** arguments) {
  using namespace hocket::avr;
  const std::vector<std::string> words(arguments + 1, arguments + count);
  const auto is = [&](const char* kind, size_t least) {
    return words.size() >= least && words.size() <= least + 1 && words[1] == kind;
  };
  const auto number = [&](size_t i) { return std::strtoull(words[i].c_str(), nullptr, 10); };
  const bool sparse = is("sparse", 4), response = sparse || is("response", 4);
  const bool during = is("during", 5), pulse = is("pulse", 3);
  if (!response && !during && !pulse) {
    std::fputs(
        "usage: avr_measure IMAGE response N SEED [FILE]\n"
        "       avr_measure IMAGE during VECTOR N SEED [FILE]\n"
        "       avr_measure IMAGE pulse N [FILE]\n",
        stderr);
    return 2;
  }
  try {
    Mcu mcu(hocket::uno::Firmware{words[0]});
    const auto samples =
        response ? responses(mcu, sparse ? kSparse : kDense, number(2), number(3))
        : during ? responses_during(mcu, static_cast<unsigned>(number(2)), number(3), number(4))
                 : pulses(mcu, number(2));
    tell(samples);
    const size_t file = response ? 4 : during ? 5 : 3;
    if (words.size() > file && !write(words[file].c_str(), samples, !pulse)) {
      std::fprintf(stderr, "%s cannot be written\n", words[file].c_str());
      return 2;
    }
  } catch (const hocket::uno::BadFirmware& problem) {
    std::fprintf(stderr, "%s: %s\n", words[0].c_str(), problem.what());
    return 2;
  }
}
