// The output of Serial (see console.h).
#include "simulation/program/console.h"

#include <algorithm>
#include <cstdio>

namespace hocket::program {
namespace {
constexpr std::size_t kFlushAt = 64;  // bytes of a line without an end
constexpr std::size_t kForget = 256;  // bytes by which the buffer may exceed what is needed
}  // namespace

TextSearch::TextSearch(const Options& options)
    : fail_(options.fail_texts), limit_(options.serial_limit) {
  for (const std::string& text : options.expect_texts) expect_.push_back({text});
  for (const std::string& text : options.expect_texts) longest_ = std::max(longest_, text.size());
  for (const std::string& text : options.fail_texts) longest_ = std::max(longest_, text.size());
}

void TextSearch::sent(uint8_t byte) {
  ++sent_;
  if (over_limit()) return stop(StopReason::Failed);
  if (longest_ == 0) return;
  recent_ += static_cast<char>(byte);
  if (recent_.size() > longest_ + kForget) recent_.erase(0, recent_.size() - longest_);
  for (std::size_t i = 0; i < fail_.size() && !failed_; ++i) {
    if (!recent_.ends_with(fail_[i])) continue;
    failed_ = i;
    stop(StopReason::Failed);
  }
  for (Wanted& wanted : expect_) wanted.seen = wanted.seen || recent_.ends_with(wanted.text);
  if (!expect_.empty() && expected()) stop(StopReason::Expected);
}

bool TextSearch::expected() const {
  return std::all_of(expect_.begin(), expect_.end(), [](const Wanted& w) { return w.seen; });
}

void Console::serial_out(Nanos when, unsigned port, uint8_t byte) {
  notes_.sent(when, port, byte);
  if (port != 0 || search_.over_limit()) return;
  search_.sent(byte);
  if (search_.over_limit()) return;
  buffer_ += static_cast<char>(byte);
  if (byte == '\n' || buffer_.size() >= kFlushAt) flush();
}

Nanos Console::stops_at(const sim::Devices& devices) const {
  constexpr std::size_t kWholeBuffer = 64;
  if (!search_.may_stop_within(kWholeBuffer)) return kNever;
  const std::vector<uint8_t> waiting = devices.serial_waiting(0);
  TextSearch ahead = search_;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    ahead.sent(waiting[i]);
    if (!ahead.wants_stop()) continue;
    return devices.serial_room_at(0, kWholeBuffer - waiting.size() + i + 1);
  }
  return kNever;
}

void Console::flush() {
  if (buffer_.empty()) return;
  write(buffer_);
  buffer_.clear();
}

void Console::write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace hocket::program
