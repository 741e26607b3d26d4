// The kernel's event log on the simulated board (see event_log.h).
#include "boards/sim/event_log.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "board_kernel.h"

namespace hocket {
namespace {

std::FILE* log_file = nullptr;

/// Appends an integer, least significant byte first, whatever the host's order.
template <class Integer>
unsigned char* put(unsigned char* to, Integer value) {
  for (unsigned i = 0; i < sizeof value; ++i) *to++ = static_cast<unsigned char>(value >> (8 * i));
  return to;
}

}  // namespace

void EventLog::record(const Event& event) {
  if (log_file == nullptr) return;
  unsigned char record[24];
  unsigned char* end = put(record, event.time);
  *end++ = event.core;
  *end++ = static_cast<unsigned char>(event.kind);
  end = put(end, event.thread);
  end = put(end, event.arg);
  put(end, event.value);
  std::fwrite(record, sizeof record, 1, log_file);
}

namespace sim {

bool open_event_log(const std::string& file, unsigned cores) {
  log_file = std::fopen(file.c_str(), "wb");
  if (log_file == nullptr) return false;
  unsigned char header[16];
  std::memcpy(header, "HKLOG1\0\0", 8);
  put(put(header + 8, std::uint32_t{cores}), std::uint32_t{0});
  return std::fwrite(header, sizeof header, 1, log_file) == 1;
}

bool close_event_log() {
  if (log_file == nullptr) return true;
  const bool written = std::ferror(log_file) == 0;
  const bool closed = std::fclose(log_file) == 0;
  log_file = nullptr;
  return written && closed;
}

}  // namespace sim
}  // namespace hocket
