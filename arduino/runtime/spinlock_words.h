// The messages to a loop that breaks the rules of spinlocks. The runtime (spinlock.cpp) and the
// protected core (arduino/cores/protected) check the rules in different ways and say the same.
#pragma once

namespace hocket::runtime::spinlock {

inline constexpr unsigned kMostHeld = 4;
inline constexpr const char* kTwice = "locks a spinlock that it holds already";
inline constexpr const char* kTooMany = "holds too many spinlocks at once (4)";
inline constexpr const char* kNotHeld =
    "unlocks a spinlock that it does not hold, or not as the last one it took";

}  // namespace hocket::runtime::spinlock
