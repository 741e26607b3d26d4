// JSON values as text: see json.h.
#include "simulation/program/json.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "simulation/devices/facts.h"

namespace hocket::program {

Json::Json(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text_.assign(digits.data(), end);
  if (text_.find_first_of(".e") == std::string::npos) text_ += ".0";
}

Json::Json(const char* text) : text_(sim::json_string(text)) {}
Json::Json(const std::string& text) : text_(sim::json_string(text)) {}

Json Json::written(std::string json) {
  Json result(nullptr);
  result.text_ = std::move(json);
  return result;
}

Json& Json::operator[](const std::string& key) {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&key](const Member& member) { return member.first == key; });
  if (found != members_.end()) return found->second;
  return members_.emplace_back(key, nullptr).second;
}

std::string Json::str() const {
  std::string result;
  append_to(result, 0);
  return result;
}

void Json::append_to(std::string& result, unsigned level) const {
  if (kind_ == Kind::Scalar) {
    result += text_;
    return;
  }
  const bool object = kind_ == Kind::Object;
  result += object ? '{' : '[';
  const char* separator = "\n";
  for (const auto& [name, value] : members_) {
    result.append(separator).append(level + 1, ' ');
    if (object) result.append(sim::json_string(name)).append(": ");
    value.append_to(result, level + 1);
    separator = ",\n";
  }
  if (!members_.empty()) result.append("\n").append(level, ' ');
  result += object ? '}' : ']';
}

}  // namespace hocket::program
