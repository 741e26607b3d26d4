// The kernel's event log as a file: see log_file.h.
#include "simulation/program/log_file.h"

#include <cstring>

namespace hocket::program {

bool LogFile::open(const std::string& file, unsigned cores) {
  file_ = std::fopen(file.c_str(), "wb");
  if (file_ == nullptr) return false;
  unsigned char header[16];
  std::memcpy(header, "HKLOG1\0\0", 8);
  put_little_endian(put_little_endian(header + 8, std::uint32_t{cores}), std::uint32_t{0});
  return std::fwrite(header, sizeof header, 1, file_) == 1;
}

void LogFile::append(const Event& event) {
  if (listener_ != nullptr) listener_->event(event);
  if (file_ == nullptr) return;
  unsigned char record[kRecord];
  unsigned char* end = put_little_endian(record, event.time);
  *end++ = event.core;
  *end++ = static_cast<unsigned char>(event.kind);
  end = put_little_endian(end, event.thread);
  end = put_little_endian(end, event.arg);
  put_little_endian(end, event.value);
  append(record, sizeof record);
}

bool LogFile::close() {
  if (file_ == nullptr) return true;
  const bool written = std::ferror(file_) == 0;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  return written && closed;
}

}  // namespace hocket::program
