// The output of Serial: written to standard output, searched for texts, and limited in length.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "simulation/program/options.h"
#include "simulation/program/text_notes.h"
#include "simulation/program/verdict.h"

namespace hocket::program {

/// Examines the output byte by byte, and says when it ends the run.
class TextSearch {
 public:
  explicit TextSearch(const Options& options);

  void sent(uint8_t byte);

  bool expected() const;
  /// The fail text that was seen; null: none.
  const std::string* failed() const { return failed_ ? &fail_[*failed_] : nullptr; }
  bool over_limit() const { return sent_ > limit_; }
  /// Why the run must end; the first reason counts.
  const std::optional<StopReason>& wants_stop() const { return wants_stop_; }
  /// Whether one of the next `bytes` bytes may end the run.
  bool may_stop_within(uint64_t bytes) const {
    return !wants_stop_ && (longest_ > 0 || limit_ - std::min(sent_, limit_) < bytes);
  }

 private:
  struct Wanted {
    std::string text;
    bool seen = false;
  };
  void stop(StopReason reason) {
    if (!wants_stop_) wants_stop_ = reason;
  }

  std::vector<Wanted> expect_;
  std::vector<std::string> fail_;
  std::optional<std::size_t> failed_;
  std::string recent_;  // the last bytes; at least as many as the longest text
  std::size_t longest_ = 0;
  uint64_t sent_ = 0;
  uint64_t limit_;
  std::optional<StopReason> wants_stop_;
};

class Console : public sim::DeviceSink {
 public:
  explicit Console(const Options& options) : search_(options), notes_(options.note_texts) {}
  void serial_out(Nanos when, unsigned port, uint8_t byte) override;
  /// Writes the buffered text.
  void flush();

  const TextSearch& search() const { return search_; }
  const TextNotes& notes() const { return notes_; }
  const std::optional<StopReason>& wants_stop() const { return search_.wants_stop(); }
  /// When the last bit of the byte that ends the run will have been sent, among the bytes waiting
  /// at the port; kNever: none of them ends it. Devices only advance on request, so the program
  /// that runs the board must advance them then.
  Nanos stops_at(const sim::Devices& devices) const;

  static constexpr Nanos kNever = UINT64_MAX;

 protected:
  /// Writes the text to standard output.
  virtual void write(const std::string& text);

 private:
  TextSearch search_;
  TextNotes notes_;
  std::string buffer_;
};

}  // namespace hocket::program
