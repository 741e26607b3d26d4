// Random task sets: the same seed gives the same set on every machine.
#pragma once

#include "task_set.h"

namespace hocket::test {

/// A small repeatable source of random numbers (SplitMix64; Steele, Lea, Flood 2014). The standard
/// library's distributions may differ between implementations, so none is used.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits();
  /// Whole number in [least, most].
  Ticks between(Ticks least, Ticks most);
  /// In [0, 1).
  double unit();
  bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t state_;
};

/// `count` utilisations that sum to `total`, uniform over all such vectors
/// (UUniFast: Bini and Buttazzo, "Measuring the performance of schedulability tests", 2005).
std::vector<double> uunifast(Random& random, std::size_t count, double total);

enum class Profile {
  Mixed,     ///< everything: phases, bursts, early completion, gaps, overruns, tiny budgets, full
             ///< lists
  Punctual,  ///< as Mixed, without late timers: where the exact guarantees can be checked
  Naps,  ///< as Punctual, with periods of hundreds of ticks and many naps: a head moves, and is put
         ///< down when it has moved too far
  Periodic,   ///< work of exactly C every T from a phase on, distinct periods, nothing late
  Io,         ///< as Mixed, where about half of the servers are I/O virtual CPUs
  Admission,  ///< servers only, 1 to 4 of them, with a small hyperperiod and load around 1
};

TaskSet generate(std::uint64_t seed, Profile profile);

/// Replaces the server's work by that of a server gone wrong: it spins, floods, or falls silent.
TaskSet misbehave(const TaskSet& set, std::size_t server, std::uint64_t seed);

}  // namespace hocket::test
