// Facts for the report: see facts.h.

#include "simulation/devices/facts.h"

#include <algorithm>
#include <array>

#include "simulation/devices/waves.h"

namespace hocket::sim {
namespace {

/// The length of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7); 0
/// if there is none.
size_t utf8_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  const uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const char c = text[0];
    if (length == 0) {
      result += "\\ufffd";
    } else if (static_cast<uint8_t>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      result += escape.data();
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result + "\"";
}

void Facts::count(const std::string& key, uint64_t value) {
  members_[key] = std::to_string(value);
}
void Facts::flag(const std::string& key, bool value) {
  members_[key] = value ? "true" : "false";
}
void Facts::text(const std::string& key, std::string_view value) {
  members_[key] = json_string(value);
}

void Facts::micros(const std::string& key, std::optional<Nanos> value) {
  if (value)
    fixed(key, static_cast<int64_t>(*value), 3);
  else
    members_[key] = "null";
}

void Facts::fixed(const std::string& key, std::optional<int64_t> value, unsigned decimals) {
  members_[key] = value ? decimal(*value, decimals) : "null";
}

std::string Facts::str() const {
  std::string result = "{";
  for (const auto& [key, value] : members_) {
    if (result.size() > 1) result += ", ";
    result += json_string(key) + ": " + value;
  }
  return result + "}";
}

void Spans::add(Nanos span) {
  ++count_;
  sum_ += span;
  least_ = std::min(least_, span);
  greatest_ = std::max(greatest_, span);
}

void Spans::facts(Facts& facts, const std::string& name) const {
  const bool any = count_ > 0;
  const auto mean = any ? std::optional(static_cast<Nanos>(sum_ / count_)) : std::nullopt;
  facts.micros("min_" + name + "_us", any ? std::optional(least_) : std::nullopt);
  facts.micros("mean_" + name + "_us", mean);
  facts.micros("max_" + name + "_us", any ? std::optional(greatest_) : std::nullopt);
}

}  // namespace hocket::sim
