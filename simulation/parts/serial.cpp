// A device on a serial port: sends texts at given times or in answer to what it hears, and expects
// texts.
//
// Items with `at` are sent at their times. Items with `after` are a dialogue: each waits, in order,
// until its text has come (counted from the end of the one before), then `wait` longer, and sends.
// `expect` is a list of texts that are to come in this order, with anything between them.

#include <deque>

#include "simulation/parts/part.h"

namespace hocket::sim {
namespace {

/// Finds texts one after the other in a stream of bytes.
class Matcher {
 public:
  void want(std::string text) { texts_.push_back(std::move(text)); }
  /// True when this byte completed the wanted text; its number is matched() - 1.
  bool take(uint8_t byte) {
    if (matched_ >= texts_.size()) return false;
    const std::string& text = texts_[matched_];
    heard_ += static_cast<char>(byte);
    if (heard_.size() > text.size()) heard_.erase(0, heard_.size() - text.size());
    if (heard_ != text) return false;
    heard_.clear();
    ++matched_;
    return true;
  }
  size_t matched() const { return matched_; }
  size_t wanted() const { return texts_.size(); }
  const std::string& text(size_t i) const { return texts_[i]; }

 private:
  std::vector<std::string> texts_;
  std::string heard_;
  size_t matched_ = 0;
};

class Serial final : public Part, private SerialListener {
 public:
  Serial(Workbench& bench, Section& section) : Part(bench, section), port_(port(section)) {
    for (const Item& item : section.list("send")) add_sending(item);
    for (const Item& item : section.list("expect")) {
      expected_.want(some_text(item, ""));
    }
    if (section.has("send") && !port_.claim_sender())
      section.fail("is on a port to which another part sends");
    port_.connect(*this);
  }

  void start() override {
    for (size_t i = 0; i < timed_.size(); ++i) bench_.events.schedule(timed_[i].at, *this, i);
  }

  void due(Nanos now, uint64_t token) override {
    if (token >= kAnswer) {
      pending_.pop_front();
      send(now, answers_[token - kAnswer].text);
    } else {
      next_timed_ = token + 1;
      send(now, timed_[token].text);
    }
  }

  void facts(Facts& facts, Nanos) override {
    facts.count("bytes_sent", bytes_sent_);
    facts.count("bytes_heard", bytes_heard_);
    facts.count("expected", expected_.wanted());
    facts.count("seen", expected_.matched());
    facts.flag("all_seen", expected_.matched() == expected_.wanted());
    facts.json("missing", expected_.matched() == expected_.wanted()
                              ? "null"
                              : json_string(expected_.text(expected_.matched())));
    facts.count("answers", triggers_.matched());
  }

 private:
  static constexpr uint64_t kAnswer = uint64_t{1} << 32;
  struct Sending {
    Nanos at;  // or the wait of an answer
    std::string text;
  };

  static std::string some_text(const Item& item, const std::string& field) {
    std::string text = item.text(field);
    if (text.empty()) item.fail("must not be empty");
    return text;
  }

  void add_sending(const Item& item) {
    item.only({"at", "after", "wait", "text"});
    if (item.has("at") == item.has("after")) item.fail("needs either at or after");
    std::string text = some_text(item, "text");
    if (item.has("at")) {
      if (item.has("wait")) item.fail("has wait without after");
      const auto at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
      if (!timed_.empty() && at < timed_.back().at) item.fail("must have ascending times");
      timed_.push_back({at, std::move(text)});
      return;
    }
    triggers_.want(some_text(item, "after"));
    answers_.push_back(
        {static_cast<Nanos>(item.optional("wait", 0, kLongestTime).value_or(0)), std::move(text)});
  }

  void send(Nanos now, const std::string& text) {
    bytes_sent_ += text.size();
    port_.put(now, text);
  }

  void port_sent(Nanos now, uint8_t byte) override {
    ++bytes_heard_;
    expected_.take(byte);
    if (!triggers_.take(byte)) return;
    const size_t answer = triggers_.matched() - 1;
    // Answers leave in their order, a short wait never before an earlier long one.
    const Nanos at = std::max(now + answers_[answer].at, pending_.empty() ? 0 : pending_.back());
    pending_.push_back(at);
    bench_.events.schedule(at, *this, kAnswer + answer);
  }
  bool may_answer() const override { return triggers_.matched() < triggers_.wanted(); }
  Nanos sends_at() const override {
    const Nanos timed = next_timed_ < timed_.size() ? timed_[next_timed_].at : kNever;
    return pending_.empty() ? timed : std::min(timed, pending_.front());
  }

  SerialPort& port_;
  std::vector<Sending> timed_, answers_;
  size_t next_timed_ = 0;
  std::deque<Nanos> pending_;  // instants of answers under way
  Matcher triggers_, expected_;
  uint64_t bytes_sent_ = 0, bytes_heard_ = 0;
};

}  // namespace

std::unique_ptr<Part> make_serial(Workbench& bench, Section& section) {
  return std::make_unique<Serial>(bench, section);
}

}  // namespace hocket::sim
