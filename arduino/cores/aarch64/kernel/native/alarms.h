// The kernel's alarms that a board by itself starts: one lets its UART ask again.
#pragma once

namespace hocket {
inline constexpr unsigned kAlarmsOfSurroundings = 1;
}
