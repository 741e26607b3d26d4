#include "simulation/parts/serial_script.h"

#include <algorithm>

namespace hocket::sim {
namespace {

std::string some_text(const Item& item, const std::string& field) {
  std::string text = item.text(field);
  if (text.empty()) item.fail("must not be empty");
  return text;
}

}  // namespace

bool TextMatcher::take(uint8_t byte) {
  if (matched_ >= texts_.size()) return false;
  const std::string& text = texts_[matched_];
  heard_ += static_cast<char>(byte);
  if (heard_.size() > text.size()) heard_.erase(0, heard_.size() - text.size());
  if (heard_ != text) return false;
  heard_.clear();
  ++matched_;
  return true;
}

SerialScript::SerialScript(Section& section) {
  for (const Item& item : section.list("send")) add_sending(item);
  for (const Item& item : section.list("expect")) expected_.want(some_text(item, ""));
}

void SerialScript::add_sending(const Item& item) {
  item.only({"at", "after", "wait", "text", "hex"});
  if (item.has("at") == item.has("after")) item.fail("needs either at or after");
  if (item.has("text") == item.has("hex")) item.fail("needs either text or hex");
  std::string text = some_text(item, item.has("text") ? "text" : "hex");
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

void SerialScript::start(EventQueue& events, EventTarget& owner) const {
  for (size_t i = 0; i < timed_.size(); ++i) events.schedule(timed_[i].at, owner, i);
}

const std::string& SerialScript::due(uint64_t token) {
  const bool answer = token >= kAnswer;
  if (answer)
    pending_.pop_front();
  else
    next_timed_ = token + 1;
  const std::string& text = answer ? answers_[token - kAnswer].text : timed_[token].text;
  bytes_sent_ += text.size();
  return text;
}

void SerialScript::hear(Nanos now, uint8_t byte, EventQueue& events, EventTarget& owner) {
  ++bytes_heard_;
  expected_.take(byte);
  if (!triggers_.take(byte)) return;
  const size_t answer = triggers_.matched() - 1;
  // Answers leave in their order, a short wait never before an earlier long one.
  const Nanos at = std::max(now + answers_[answer].at, pending_.empty() ? 0 : pending_.back());
  pending_.push_back(at);
  events.schedule(at, owner, kAnswer + answer);
}

Nanos SerialScript::sends_at() const {
  const Nanos timed = next_timed_ < timed_.size() ? timed_[next_timed_].at : kNever;
  return pending_.empty() ? timed : std::min(timed, pending_.front());
}

void SerialScript::facts(Facts& facts) const {
  const bool all = expected_.matched() == expected_.wanted();
  facts.count("bytes_sent", bytes_sent_);
  facts.count("bytes_heard", bytes_heard_);
  facts.count("expected", expected_.wanted());
  facts.count("seen", expected_.matched());
  facts.flag("all_seen", all);
  facts.json("missing", all ? "null" : json_string(expected_.text(expected_.matched())));
  facts.count("answers", triggers_.matched());
}

}  // namespace hocket::sim
