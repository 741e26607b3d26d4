// The kernel's event log as a file (docs/reference/event-log.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "kernel/trace/event.h"

namespace hocket::program {

/// Receives each event, besides or instead of the file.
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

  /// Opens the log. Returns false if the file cannot be written. Without this call events are
  /// dropped.
  bool open(const std::string& file, unsigned cores);
  /// Whether events are needed.
  bool is_open() const { return file_ != nullptr || listener_ != nullptr; }
  /// Sets the listener from now on; null: none.
  void listen(EventListener* listener) { listener_ = listener; }
  /// Appends whole records.
  void append(const void* records, std::size_t size) {
    if (file_ != nullptr) std::fwrite(records, 1, size, file_);
  }
  /// Appends one event; its times are nanoseconds.
  void append(const Event& event);
  /// Closes the log. Returns false if something could not be written.
  bool close();

 private:
  std::FILE* file_ = nullptr;
  EventListener* listener_ = nullptr;
};

/// Stores an integer in little-endian order. Returns the position after it.
template <class Integer>
unsigned char* put_little_endian(unsigned char* to, Integer value) {
  for (unsigned i = 0; i < sizeof value; ++i) *to++ = static_cast<unsigned char>(value >> (8 * i));
  return to;
}

}  // namespace hocket::program
