// Devices are the peer's here; asking it is a masked section like all others.
#pragma once

namespace hocket {

inline constexpr bool kOwnDevices = false;
/// …and where there is such a board it is what is admitted for.
inline constexpr bool kCountsOwnDevices = machine::Board::kIsHardware;

}  // namespace hocket
