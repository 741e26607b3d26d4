// The alarms of a run on each core (surroundings.cpp): the next look at the world, and the end of
// the run.
#pragma once

namespace hocket {
inline constexpr unsigned kAlarmsOfSurroundings = 2;
}
