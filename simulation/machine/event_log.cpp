// The kernel's event log on the simulated board (see event_log.h).
#include "simulation/machine/event_log.h"

#include "board.h"
#include "ports/host/machine.h"
#include "simulation/program/log_file.h"

namespace hocket {
namespace {

program::LogFile log_file;
program::EventListener* watch = nullptr;

}  // namespace

void EventLog::record(const Event& event) {
  const auto append = [&] {
    if (watch != nullptr) watch->event(event);
    if (log_file.is_open()) log_file.append(event);
  };
  if (host::Machine::exists()) {
    host::Machine::instance().beside(append);
  } else {
    append();
  }
}

namespace sim {

bool open_event_log(const std::string& file, unsigned cores) {
  return log_file.open(file, cores);
}

void listen_to_events(program::EventListener* listener) {
  log_file.listen(listener);
}

void watch_events(program::EventListener* listener) {
  watch = listener;
}

bool close_event_log() {
  return log_file.close();
}

}  // namespace sim
}  // namespace hocket
