// What the sketch sends on Serial (see console.h).
#include "boards/program/console.h"

#include <algorithm>
#include <cstdio>

namespace hocket::program {
namespace {
constexpr std::size_t kFlushAt = 64;  // of a line that does not end
}

Console::Console(const Options& options) : fail_(options.fail_texts), limit_(options.serial_limit) {
  for (const std::string& text : options.expect_texts) expect_.push_back({text});
  for (const std::string& text : options.expect_texts) longest_ = std::max(longest_, text.size());
  for (const std::string& text : options.fail_texts) longest_ = std::max(longest_, text.size());
}

void Console::serial_out(Nanos, unsigned port, uint8_t byte) {
  if (port != 0 || over_limit()) return;
  ++sent_;
  if (over_limit()) return stop(StopReason::Failed);
  buffer_ += static_cast<char>(byte);
  if (byte == '\n' || buffer_.size() >= kFlushAt) flush();
  if (longest_ == 0) return;
  recent_ += static_cast<char>(byte);
  if (recent_.size() > 2 * longest_ + kFlushAt) recent_.erase(0, recent_.size() - longest_);
  for (const std::string& text : fail_) {
    if (failed_ != nullptr || !ends_with(text)) continue;
    failed_ = &text;
    stop(StopReason::Failed);
  }
  for (Wanted& wanted : expect_) wanted.seen = wanted.seen || ends_with(wanted.text);
  if (!expect_.empty() && expected()) stop(StopReason::Expected);
}

bool Console::ends_with(const std::string& text) const {
  return recent_.ends_with(text);
}

bool Console::expected() const {
  return std::all_of(expect_.begin(), expect_.end(), [](const Wanted& w) { return w.seen; });
}

void Console::flush() {
  write(buffer_);
  buffer_.clear();
}

void Console::write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace hocket::program
