// The kernel's event log on the simulated board (see event_log.h).
#include "boards/sim/event_log.h"

#include "board_kernel.h"
#include "boards/program/log_file.h"

namespace hocket {
namespace {

program::LogFile log_file;

}  // namespace

void EventLog::record(const Event& event) {
  if (!log_file.is_open()) return;
  using program::put_little_endian;
  unsigned char record[program::LogFile::kRecord];
  unsigned char* end = put_little_endian(record, event.time);
  *end++ = event.core;
  *end++ = static_cast<unsigned char>(event.kind);
  end = put_little_endian(end, event.thread);
  end = put_little_endian(end, event.arg);
  put_little_endian(end, event.value);
  log_file.append(record, sizeof record);
}

namespace sim {

bool open_event_log(const std::string& file, unsigned cores) {
  return log_file.open(file, cores);
}

bool close_event_log() {
  return log_file.close();
}

}  // namespace sim
}  // namespace hocket
