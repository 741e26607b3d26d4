// The alarms that a run has on a core (surroundings.cpp): a look at the world, the end of the run.
#pragma once

namespace hocket {
inline constexpr unsigned kAlarmsOfSurroundings = 2;
}
