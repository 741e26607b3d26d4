// A fixed amount of plain work: what the simulator's processor time is compared with.
//
// 200 million steps of a linear congruential generator, each needing the result of the one before.
#include <cstdint>
#include <cstdio>

int main() {
  std::uint64_t value = 1;
  for (unsigned step = 0; step < 200'000'000; ++step) {
    value = value * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    asm volatile("" : "+r"(value));  // no step may be left out or joined to another
  }
  std::printf("%llu\n", static_cast<unsigned long long>(value));
  return 0;
}
