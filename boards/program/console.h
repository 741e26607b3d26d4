// What the sketch sends on Serial: to standard output, searched for texts, and limited.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "boards/program/options.h"
#include "boards/program/verdict.h"

namespace hocket::program {

class Console : public sim::DeviceSink {
 public:
  explicit Console(const Options& options);
  void serial_out(Nanos when, unsigned port, uint8_t byte) override;
  /// Writes what is buffered.
  void flush();

  bool expected() const;
  /// The fail text that was seen; null when none was.
  const std::string* failed() const { return failed_; }
  bool over_limit() const { return sent_ > limit_; }
  /// Whether one of the next `bytes` bytes may end the run.
  bool may_stop_within(uint64_t bytes) const {
    return longest_ > 0 || limit_ - std::min(sent_, limit_) < bytes;
  }

 protected:
  /// The run is to end, because of what was sent. Called at most once for each reason.
  virtual void stop(StopReason reason) = 0;
  /// Where the text goes: to standard output.
  virtual void write(const std::string& text);

 private:
  struct Wanted {
    std::string text;
    bool seen = false;
  };
  bool ends_with(const std::string& text) const;

  std::vector<Wanted> expect_;
  std::vector<std::string> fail_;
  const std::string* failed_ = nullptr;
  std::string recent_;  // the last bytes, as many as the longest text
  std::size_t longest_ = 0;
  std::string buffer_;
  uint64_t sent_ = 0;
  uint64_t limit_;
};

}  // namespace hocket::program
