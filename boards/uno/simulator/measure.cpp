// Measures an image from outside, to the cycle:
//
//   uno_measure IMAGE response N SEED    N rising edges on pin 2 at random instants, each until pin
//   3 rises uno_measure IMAGE pulse N            N times how long pin 3 is high
//
// Prints `n min mean max` in cycles. Pin 3 is to go down by itself before the next edge (4,000
// cycles at least). An edge counts from the cycle in which it comes; the two cycles of a real
// chip's input synchroniser are added (data sheet, 14.2.4), the library has none.
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

std::vector<Cycles> responses(Mcu& mcu, size_t count, uint64_t seed) {
  sim::Random random(seed, "edges");
  Edge out(mcu, 3);
  std::vector<Cycles> samples;
  Cycles next = kStart;
  while (mcu.cycle() < next) step(mcu, next);
  while (samples.size() < count && mcu.cycle() < kLongest) {
    const Cycles rise = next + random.between(0, 16'000);
    next = rise + 8'000;
    while (mcu.cycle() < rise) step(mcu, rise), out.update();
    const Cycles raised = mcu.cycle();
    mcu.set_pin('D', 2, true);
    bool seen = false;
    while (mcu.cycle() < next) {
      if (mcu.cycle() > raised + 1'000) mcu.set_pin('D', 2, false);
      step(mcu, next);
      if (out.update() <= 0 || seen) continue;
      samples.push_back(mcu.cycle() - raised + kSynchroniser);
      seen = true;
    }
    if (!seen) throw BadFirmware("pin 3 did not answer");
  }
  return samples;
}

std::vector<Cycles> pulses(Mcu& mcu, size_t count) {
  Edge out(mcu, 3);
  std::vector<Cycles> samples;
  std::optional<Cycles> rose;
  while (samples.size() < count && mcu.cycle() < kLongest) {
    step(mcu, kLongest);
    const int change = out.update();
    if (change > 0) rose = mcu.cycle();
    if (change < 0 && rose) samples.push_back(mcu.cycle() - *rose);
  }
  return samples;
}

void tell(const std::vector<Cycles>& samples) {
  if (samples.empty()) throw BadFirmware("nothing was to be measured");
  Cycles least = samples.front(), most = 0, sum = 0;
  for (const Cycles sample : samples) {
    least = sample < least ? sample : least;
    most = sample > most ? sample : most;
    sum += sample;
  }
  std::printf("%zu %llu %.2f %llu\n", samples.size(), static_cast<unsigned long long>(least),
              static_cast<double>(sum) / static_cast<double>(samples.size()),
              static_cast<unsigned long long>(most));
}

}  // namespace
}  // namespace hocket::uno

int main(int count, char** arguments) {
  using namespace hocket::uno;
  const bool response = count == 5 && std::strcmp(arguments[2], "response") == 0;
  const bool pulse = count == 4 && std::strcmp(arguments[2], "pulse") == 0;
  if (!response && !pulse) {
    std::fputs("usage: uno_measure IMAGE response N SEED | uno_measure IMAGE pulse N\n", stderr);
    return 2;
  }
  try {
    Mcu mcu(Firmware{std::string(arguments[1])});
    const auto n = static_cast<size_t>(std::strtoul(arguments[3], nullptr, 10));
    tell(response ? responses(mcu, n, std::strtoull(arguments[4], nullptr, 10)) : pulses(mcu, n));
  } catch (const BadFirmware& problem) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], problem.what());
    return 2;
  }
}
