// A board by itself drives its own UART and pins. Their masked sections can delay loops.
#pragma once

namespace hocket {

inline constexpr bool kOwnDevices = true;
/// Whether admission counts those sections.
inline constexpr bool kCountsOwnDevices = true;

}  // namespace hocket
