// A board by itself has its own UART and pins: their sections are among what delays a loop.
#pragma once

namespace hocket {

inline constexpr bool kOwnDevices = true;
/// Admission counts with them.
inline constexpr bool kCountsOwnDevices = true;

}  // namespace hocket
