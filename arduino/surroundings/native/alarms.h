// The kernel's alarms on a board by itself: one, which unmasks the UART's line.
#pragma once

namespace hocket {
inline constexpr unsigned kAlarmsOfSurroundings = 1;
}
