// What the kernel costs on the Uno, in ticks of half a microsecond: for the image, and for the
// computer that does the admission test. tests/contract/avr8 measures them.
#pragma once

#include "port/contract.h"

namespace hocket::uno {

inline constexpr uint32_t kTickHz = 2'000'000;
inline constexpr port::Costs<int32_t> kCosts = {
    .context_switch = 120, .timer_interrupt = 300, .timer_lateness = 20, .longest_masked = 600};
inline constexpr int32_t kMinimumBudget = 2 * kCosts.longest_masked;
inline constexpr unsigned kMostLoops = 7;
inline constexpr unsigned kRefills = 3;

}  // namespace hocket::uno
