// A board by itself starts no alarms of the kernel.
#pragma once

namespace hocket {
inline constexpr unsigned kAlarmsOfSurroundings = 0;
}
