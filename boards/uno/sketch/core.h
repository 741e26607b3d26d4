// The clock of a sketch on the Uno, with or without a kernel.
#pragma once

#include "ports/avr8/clock.h"

namespace hocket::uno {

using Clock = avr8::Clock<8>;
inline constexpr uint32_t kTicksPerMicrosecond = F_CPU / 8 / 1'000'000;
inline constexpr uint32_t kTicksPerMillisecond = 1000 * kTicksPerMicrosecond;

/// The calling loop waits until this instant, at most half a turn away; without a kernel, and in
/// setup(), the processor does.
void wait_until(uint32_t instant);

}  // namespace hocket::uno
