// What a loop is told that breaks the rules of spinlocks, wherever they are kept: by the runtime
// (spinlock.cpp), or by the sketch and a kernel apart (arduino/cores/protected).
#pragma once

namespace hocket::runtime::spinlock {

inline constexpr unsigned kMostHeld = 4;
inline constexpr const char* kTwice = "locks a spinlock that it holds already";
inline constexpr const char* kTooMany = "holds too many spinlocks at once (4)";
inline constexpr const char* kNotHeld =
    "unlocks a spinlock that it does not hold, or not as the last one it took";

}  // namespace hocket::runtime::spinlock
