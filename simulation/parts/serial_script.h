// What a device sends and expects on a serial line, for any kind of line.
//
// Items with `at` are sent at their times. Items with `after` are a dialogue: each waits, in order,
// for its text (counted from the end of the one before), then for `wait`, and sends. `expect` is a
// list of texts that must arrive in this order, with anything between them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "simulation/devices/event_queue.h"
#include "simulation/devices/facts.h"
#include "simulation/parts/section.h"

namespace hocket::sim {

/// Finds texts one after another in a stream of bytes.
class TextMatcher {
 public:
  void want(std::string text) { texts_.push_back(std::move(text)); }
  /// Returns true if this byte completes the expected text; its number is matched() - 1.
  bool take(uint8_t byte);
  size_t matched() const { return matched_; }
  size_t wanted() const { return texts_.size(); }
  const std::string& text(size_t i) const { return texts_[i]; }

 private:
  std::vector<std::string> texts_;
  std::string heard_;
  size_t matched_ = 0;
};

class SerialScript {
 public:
  /// Its event tokens are below this; a part's own may be above.
  static constexpr uint64_t kTokens = uint64_t{1} << 33;

  /// Takes `send` and `expect`. Throws ScenarioError.
  explicit SerialScript(Section& section);

  /// Schedules its events for `owner`.
  void start(EventQueue& events, EventTarget& owner) const;
  /// For an event of its own: the text to send now.
  const std::string& due(uint64_t token);
  void hear(Nanos now, uint8_t byte, EventQueue& events, EventTarget& owner);
  void facts(Facts& facts) const;

  /// Whether something that the sketch sends may be answered.
  bool may_answer() const { return triggers_.matched() < triggers_.wanted(); }
  /// When the next text is sent; kNever: only after input, or not at all.
  Nanos sends_at() const;

 private:
  static constexpr uint64_t kAnswer = uint64_t{1} << 32;
  struct Sending {
    Nanos at;  // or the delay of an answer
    std::string text;
  };

  void add_sending(const Item& item);

  std::vector<Sending> timed_, answers_;
  size_t next_timed_ = 0;
  std::deque<Nanos> pending_;  // instants of pending answers
  TextMatcher triggers_, expected_;
  uint64_t bytes_sent_ = 0, bytes_heard_ = 0;
};

}  // namespace hocket::sim
