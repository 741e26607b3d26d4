// The devices are the peer's. A request to it is a masked section like any other.
#pragma once

namespace hocket {

inline constexpr bool kOwnDevices = false;
/// On a hardware board admission counts own devices.
inline constexpr bool kCountsOwnDevices = machine::Board::kIsHardware;

}  // namespace hocket
