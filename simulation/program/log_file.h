// The kernel's event log as a file (docs/reference/event-log.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "kernel/trace/event.h"

namespace hocket::program {

/// Hears of each event, besides or instead of the file.
class EventListener {
 public:
  virtual ~EventListener() = default;
  virtual void event(const Event& event) = 0;
};

class LogFile {
 public:
  static constexpr std::size_t kRecord = 24;

  LogFile() = default;
  ~LogFile() { close(); }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Starts the log; false when the file cannot be written. Without this call nothing is kept.
  bool open(const std::string& file, unsigned cores);
  /// Somebody wants to know of events.
  bool is_open() const { return file_ != nullptr || listener_ != nullptr; }
  /// From now on; null: nobody.
  void listen(EventListener* listener) { listener_ = listener; }
  /// Appends whole records.
  void append(const void* records, std::size_t size) {
    if (file_ != nullptr) std::fwrite(records, 1, size, file_);
  }
  /// Appends one event; its times are nanoseconds.
  void append(const Event& event);
  /// Ends the log; false when something could not be written.
  bool close();

 private:
  std::FILE* file_ = nullptr;
  EventListener* listener_ = nullptr;
};

/// Appends an integer, least significant byte first, whatever the host's order; the place behind
/// it.
template <class Integer>
unsigned char* put_little_endian(unsigned char* to, Integer value) {
  for (unsigned i = 0; i < sizeof value; ++i) *to++ = static_cast<unsigned char>(value >> (8 * i));
  return to;
}

}  // namespace hocket::program
