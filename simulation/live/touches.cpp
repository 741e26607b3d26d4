// Touches as text: see touches.h.
#include "simulation/live/touches.h"

#include <algorithm>

#include "simulation/devices/facts.h"
#include "simulation/devices/waves.h"

namespace hocket::live {
namespace {

using Kind = Value::Kind;

constexpr size_t kLongestText = 4096;
constexpr uint64_t kMostTime = INT64_MAX / 2;

const Value* member(const Object& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &found->second;
}
const std::string* text(const Object& object, const char* name) {
  const Value* const value = member(object, name);
  return value != nullptr && value->kind == Kind::Text ? &value->text : nullptr;
}
std::optional<unsigned> small(const Object& object, const char* name) {
  constexpr uint64_t kMost = 1000;
  const Value* const value = member(object, name);
  const auto number = value == nullptr ? std::nullopt : whole(*value);
  if (!number || *number > kMost) return std::nullopt;
  return static_cast<unsigned>(*number);
}

std::optional<Touch> set_of(const Object& command, std::string& wrong) {
  const std::string *part = text(command, "part"), *name = text(command, "name");
  const Value* const to = member(command, "to");
  if (part == nullptr || name == nullptr || to == nullptr) {
    wrong = "set needs part, name and to";
    return std::nullopt;
  }
  Touch touch{.what = Touch::What::Set, .part = *part, .name = *name};
  touch.is_number = to->kind == Kind::Number;
  touch.value = to->truth ? 1 : 0;
  if (touch.is_number) {
    const auto number = millionths(*to);
    if (!number) wrong = "to is too large";
    touch.value = number.value_or(0);
  } else if (to->kind != Kind::Truth) {
    wrong = "to is a number, true or false";
  }
  return wrong.empty() ? std::optional(touch) : std::nullopt;
}

std::optional<Touch> pin_of(const Object& command, std::string& wrong) {
  const auto pin = small(command, "pin");
  const Value* const to = member(command, "to");
  const auto level = to != nullptr && to->kind == Kind::Number ? whole(*to) : std::nullopt;
  const bool lets_go = to != nullptr && to->kind == Kind::Null;
  if (!pin || (!lets_go && (!level || *level > 1))) {
    wrong = "pin needs pin, and to: 0, 1 or null";
    return std::nullopt;
  }
  Touch touch{.what = Touch::What::Pin, .number = *pin};
  if (!lets_go) touch.level = *level == 1;
  return touch;
}

int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Parses an even number of hexadecimal digits.
std::optional<std::string> bytes_of(const std::string& hex) {
  std::string bytes;
  if (hex.size() % 2 != 0) return std::nullopt;
  for (size_t i = 0; i < hex.size(); i += 2) {
    if (digit(hex[i]) < 0 || digit(hex[i + 1]) < 0) return std::nullopt;
    bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  }
  return bytes;
}

std::optional<Touch> serial_of(const Object& command, std::string& wrong) {
  const auto port = member(command, "port") == nullptr ? std::optional(0u) : small(command, "port");
  const std::string *given = text(command, "text"), *hex = text(command, "hex");
  const auto bytes = given != nullptr ? std::optional(*given)
                     : hex != nullptr ? bytes_of(*hex)
                                      : std::nullopt;
  if (!port || !bytes || (given != nullptr && hex != nullptr)) {
    wrong = "serial needs port, and a text (or hex, two digits a byte)";
  } else if (bytes->empty() || bytes->size() > kLongestText) {
    wrong = "a text has 1 to 4096 bytes";
  } else {
    return Touch{.what = Touch::What::Serial, .number = *port, .text = *bytes};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Touch> touch_of(const Object& command, std::string& wrong) {
  const std::string* const what = text(command, "do");
  if (what == nullptr) return std::nullopt;
  if (*what == "set") return set_of(command, wrong);
  if (*what == "pin") return pin_of(command, wrong);
  if (*what == "serial") return serial_of(command, wrong);
  if (*what == "end") return Touch{};
  return std::nullopt;
}

std::string to_text(const Touch& touch) {
  std::string line = "{\"at\": " + std::to_string(touch.at) + ", \"do\": ";
  switch (touch.what) {
    case Touch::What::Set:
      line += "\"set\", \"part\": " + sim::json_string(touch.part) +
              ", \"name\": " + sim::json_string(touch.name) + ", \"to\": ";
      line += touch.is_number ? sim::decimal(touch.value, 6) : touch.value != 0 ? "true" : "false";
      break;
    case Touch::What::Pin:
      line += "\"pin\", \"pin\": " + std::to_string(touch.number) + ", \"to\": " +
              (!touch.level   ? "null"
               : *touch.level ? "1"
                              : "0");
      break;
    case Touch::What::Serial:
      line += "\"serial\", \"port\": " + std::to_string(touch.number);
      if (is_utf8(touch.text)) {
        line += ", \"text\": " + sim::json_string(touch.text);
      } else {
        line += ", \"hex\": \"";
        for (const char byte : touch.text) {
          line += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
          line += "0123456789abcdef"[byte & 15];
        }
        line += '"';
      }
      break;
    case Touch::What::End:
      line += "\"end\"";
      break;
  }
  return line + "}";
}

std::vector<Touch> read_touches(const std::string& file) {
  const std::string all = program::read_file(file, "touches");
  std::vector<Touch> touches;
  std::string_view rest = all;
  for (unsigned number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::string wrong;
    const auto fail = [&](const std::string& why) {
      std::string text = "line " + std::to_string(number) + " of the touches ";
      text.append(file).append(": ").append(why);
      throw program::UsageError{text};
    };
    const auto object = read_object(line, wrong);
    if (!object) fail(wrong);
    if (object->contains("is") && touches.empty()) continue;  // the heading, which the tool reads
    const Value* const at = member(*object, "at");
    const auto instant = at == nullptr ? std::nullopt : whole(*at);
    if (!instant || *instant > kMostTime) fail("at is missing, or no time in nanoseconds");
    auto touch = touch_of(*object, wrong);
    if (!touch) fail(wrong.empty() ? "it is no touch" : wrong);
    touch->at = *instant;
    if (!touches.empty() && touches.back().at > touch->at) fail("it comes before the one above it");
    if (!touches.empty() && touches.back().what == Touch::What::End) fail("it comes after the end");
    if (touch->what == Touch::What::End && touch->at == 0)
      fail("a run cannot end at its beginning");
    touches.push_back(std::move(*touch));
  }
  return touches;
}

}  // namespace hocket::live
