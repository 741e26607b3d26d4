#include "simulation/parts/net_peer.h"

#include <algorithm>

namespace hocket::sim {
namespace {

constexpr int64_t kHighestPort = 65'535;
constexpr size_t kKept = 4'000;  // received bytes that are kept for the report

std::string text_of(const Item& item) {
  if (item.has("text") && item.has("hex")) item.fail("needs either text or hex");
  if (item.has("text")) return item.text("text");
  return item.has("hex") ? item.text("hex") : std::string();
}

}  // namespace

std::optional<Ip> read_ip(const std::string& text) {
  Ip ip{};
  size_t place = 0, digits = 0;
  unsigned value = 0;
  for (const char c : text + '.') {
    if (c >= '0' && c <= '9' && digits < 3) {
      value = value * 10 + static_cast<unsigned>(c - '0');
      ++digits;
    } else if (c == '.' && digits > 0 && value <= 255 && place < ip.size()) {
      ip[place++] = static_cast<uint8_t>(value);
      value = 0;
      digits = 0;
    } else {
      return {};
    }
  }
  if (place != ip.size()) return {};
  return ip;
}

std::string ip_text(const Ip& ip) {
  return std::to_string(ip[0]) + "." + std::to_string(ip[1]) + "." + std::to_string(ip[2]) + "." +
         std::to_string(ip[3]);
}

NetPeer::NetPeer(Section& section) {
  for (const Item& item : section.list("answers")) {
    item.only({"port", "after", "wait", "text", "hex", "closes"});
    Answer answer;
    answer.port = static_cast<uint16_t>(item.number("port", 1, kHighestPort));
    if (item.has("after")) answer.after = item.text("after");
    answer.wait = static_cast<Nanos>(item.optional("wait", 0, kLongestTime).value_or(0));
    answer.text = text_of(item);
    answer.closes = item.has("closes") && item.word("closes") == "true";
    answers_.push_back(std::move(answer));
  }
  for (const Item& item : section.list("calls")) {
    item.only({"at", "port", "udp", "text", "hex", "for"});
    Call call;
    call.at = static_cast<Nanos>(item.number("at", 0, kLongestTime));
    if (!calls_.empty() && call.at < calls_.back().at) item.fail("must have ascending times");
    call.port = static_cast<uint16_t>(item.number("port", 1, kHighestPort));
    call.udp = item.has("udp") && item.word("udp") == "true";
    call.text = text_of(item);
    if (const auto lasts = item.optional("for", 1, kLongestTime))
      call.lasts = static_cast<Nanos>(*lasts);
    calls_.push_back(std::move(call));
  }
  for (const Item& item : section.list("expect")) {
    const std::string text = item.text("");
    if (text.empty()) item.fail("must not be empty");
    expected_.want(text);
  }
}

bool NetPeer::answers_at(uint16_t port) const {
  return std::any_of(answers_.begin(), answers_.end(),
                     [port](const Answer& each) { return each.port == port; });
}

void NetPeer::hear(const std::string& bytes) {
  for (const char byte : bytes) expected_.take(static_cast<uint8_t>(byte));
  bytes_ += bytes.size();
  if (heard_.size() < kKept) heard_ += bytes.substr(0, kKept - heard_.size());
}

const NetPeer::Answer* NetPeer::to_packet(uint16_t port, const std::string& bytes) const {
  for (const Answer& each : answers_)
    if (each.port == port && bytes.find(each.after) != bytes.npos &&
        !(each.text.empty() && each.after.empty()))
      return &each;
  return nullptr;
}

NetPeer::Talk::Talk(const NetPeer& peer, uint16_t port) {
  for (const Answer& each : peer.answers_)
    if (each.port == port) left_.push_back(&each);
}

std::vector<const NetPeer::Answer*> NetPeer::Talk::hears(const std::string& bytes) {
  std::vector<const Answer*> due;
  heard_ += bytes;
  while (next_ < left_.size()) {
    const Answer& answer = *left_[next_];
    const size_t found = heard_.find(answer.after);
    if (found == heard_.npos) break;
    heard_.erase(0, found + answer.after.size());
    due.push_back(&answer);
    ++next_;
  }
  if (next_ == left_.size()) heard_.clear();
  return due;
}

void NetPeer::facts(Facts& facts) const {
  const bool all = expected_.matched() == expected_.wanted();
  facts.count("bytes_heard", bytes_);
  facts.text("heard", heard_);
  facts.count("expected", expected_.wanted());
  facts.count("seen", expected_.matched());
  facts.flag("all_seen", all);
  facts.json("missing", all ? "null" : json_string(expected_.text(expected_.matched())));
}

}  // namespace hocket::sim
