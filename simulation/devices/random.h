// Random streams that depend only on the run's seed and a name.
//
// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014,
// figure 17): one addition and one mixing function per number. A stream starts at the seed mixed
// with a hash of its owner's name, so adding or replacing other owners does not change it.
#pragma once

#include <cstdint>
#include <string_view>

namespace hocket::sim {

class Random {
 public:
  Random(uint64_t seed, std::string_view owner) : state_(mix(seed) ^ hash(owner)) {}

  uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }

  /// A number from `lowest` to `highest`, inclusive, uniformly distributed (to within 2^-64 of the
  /// span).
  uint64_t between(uint64_t lowest, uint64_t highest) {
    const auto span = static_cast<unsigned __int128>(highest - lowest) + 1;
    return lowest + static_cast<uint64_t>((span * next()) >> 64);
  }

 private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// FNV-1a, 64 bits.
  static uint64_t hash(std::string_view text) {
    uint64_t h = 0xcbf29ce484222325u;
    for (const char c : text) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
    return mix(h);
  }

  uint64_t state_;
};

}  // namespace hocket::sim
