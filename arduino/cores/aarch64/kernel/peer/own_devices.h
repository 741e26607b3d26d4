// Devices are the peer's here; asking it is a masked section like all others.
#pragma once

namespace hocket {

inline constexpr bool kOwnDevices = false;

}  // namespace hocket
