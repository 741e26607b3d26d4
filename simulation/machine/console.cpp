// The run's end by what is sent on Serial (see console.h).
#include "simulation/machine/console.h"

#include <algorithm>

#include "ports/host/machine.h"

namespace hocket::sim {
namespace {

const program::Console* watched = nullptr;
const Devices* watched_devices = nullptr;  // not through devices(), which is instrumented
Nanos latest_end = 0;

}  // namespace

void watch_console(const program::Console& console, const Devices& devices, Nanos end) {
  watched = &console;
  watched_devices = &devices;
  latest_end = end;
}
void forget_console() {
  watched = nullptr;
  watched_devices = nullptr;
}

void end_console_at(Nanos end) {
  latest_end = std::min(latest_end, end);
}

void serial_changed() {
  if (watched == nullptr) return;
  auto& machine = host::Machine::instance();
  // Off the caller's stack, so that stack use does not depend on the text that the run waits for.
  const Nanos stop = machine.beside([] { return watched->stops_at(*watched_devices); });
  machine.end_at(std::min(latest_end, stop));
}

Nanos devices_reached() {
  return watched_devices == nullptr ? 0 : watched_devices->reached();
}

}  // namespace hocket::sim
