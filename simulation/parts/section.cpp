// The flat scenario's reader: see section.h.

#include "simulation/parts/section.h"

#include <algorithm>
#include <charconv>

#include "simulation/devices/pinout.h"

namespace hocket::sim {
namespace {

constexpr size_t kMostParts = 256;
constexpr size_t kMostItems = 100'000;  // in one list

/// Cuts the first word (up to a space) off `text`.
std::string_view take_word(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool is_name(std::string_view word) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto inner = [letter](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !word.empty() && word.size() <= 64 && letter(word[0]) &&
         std::all_of(word.begin(), word.end(), inner);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Item::Item(unsigned line, const std::string& key, std::string_view words) : line_(line), key_(key) {
  if (words.empty()) fail("has no value");
  if (words.find('=') == std::string_view::npos) {
    fields_[""] = words;
    return;
  }
  while (!words.empty()) {
    const std::string_view word = take_word(words);
    const size_t equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) fail("must consist of field=value");
    if (!fields_.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
      fail("says " + std::string(word.substr(0, equals)) + " twice");
  }
}

void Item::fail(const std::string& why) const {
  throw ScenarioError(line_, key_ + " " + why);
}

const std::string& Item::word(const std::string& field) const {
  const auto found = fields_.find(field);
  if (found == fields_.end())
    fail(field.empty() ? "takes one value, not field=value" : "needs the field " + field);
  return found->second;
}

int64_t Item::number(const std::string& field, int64_t lowest, int64_t highest) const {
  const std::string& text = word(field);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail("needs a whole number, not " + text);
  if (value < lowest || value > highest)
    fail("is " + text + ", outside of " + std::to_string(lowest) + " to " +
         std::to_string(highest));
  return value;
}

std::optional<int64_t> Item::optional(const std::string& field, int64_t lowest,
                                      int64_t highest) const {
  return has(field) ? std::optional(number(field, lowest, highest)) : std::nullopt;
}

std::string Item::text(const std::string& field) const {
  const std::string& hex = word(field);
  if (hex.size() % 2 != 0) fail("needs an even number of hexadecimal digits");
  std::string result;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) fail("needs text as hexadecimal digits");
    result += static_cast<char>(high << 4 | low);
  }
  return result;
}

void Item::only(std::initializer_list<std::string_view> known) const {
  for (const auto& [field, value] : fields_)
    if (std::find(known.begin(), known.end(), field) == known.end())
      fail(field.empty() ? "needs field=value" : "has no field " + field);
}

unsigned checked_pin(const Item& item, const std::string& field, PinUse use) {
  const auto pin = static_cast<unsigned>(item.number(field, 0, pinout::kPins - 1));
  if (use == PinUse::Analog && !pinout::is_analog(pin)) item.fail("needs an analog input");
  if (use == PinUse::Pwm && !pinout::has_pwm(pin)) item.fail("needs a pin with PWM");
  return pin;
}

void Section::fail(const std::string& why) const {
  throw ScenarioError(line_, "part " + name_ + " (" + type_ + ") " + why);
}

void Section::add(unsigned line, const std::string& key, std::string_view words) {
  auto& list = items_[key];
  if (list.size() >= kMostItems) throw ScenarioError(line, key + " has too many items");
  list.emplace_back(line, key, words);
}

const Item& Section::single(const std::string& key) {
  const auto found = items_.find(key);
  if (found == items_.end()) fail("needs " + key);
  if (found->second.size() > 1) found->second[1].fail("is said twice");
  taken_[key] = true;
  return found->second[0];
}

unsigned Section::pin(const std::string& key, PinUse use) {
  wire(key, checked_pin(single(key), "", use));
  return wiring_.back().second;
}

int64_t Section::number(const std::string& key, int64_t lowest, int64_t highest) {
  return single(key).number("", lowest, highest);
}

int64_t Section::number_or(const std::string& key, int64_t otherwise, int64_t lowest,
                           int64_t highest) {
  return has(key) ? number(key, lowest, highest) : otherwise;
}

size_t Section::choice_or(const std::string& key, size_t otherwise,
                          std::initializer_list<std::string_view> words) {
  if (!has(key)) return otherwise;
  const std::string& chosen = single(key).word("");
  const auto found = std::find(words.begin(), words.end(), chosen);
  if (found == words.end()) single(key).fail("cannot be " + chosen);
  return static_cast<size_t>(found - words.begin());
}

std::string Section::word(const std::string& key) {
  return single(key).word("");
}

std::string Section::text_or(const std::string& key, const std::string& otherwise) {
  return has(key) ? single(key).text("") : otherwise;
}

std::vector<Item> Section::list(const std::string& key) {
  taken_[key] = true;
  const auto found = items_.find(key);
  return found == items_.end() ? std::vector<Item>{} : found->second;
}

void Section::finish() const {
  for (const auto& [key, list] : items_)
    if (!taken_.contains(key))
      throw ScenarioError(list[0].line(), "part type " + type_ + " has no key " + key);
}

std::vector<Section> read_sections(const std::string& text) {
  std::map<std::string, Section> sections;
  Section* current = nullptr;
  std::string_view rest = text;
  bool begun = false;
  for (unsigned line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view words = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (words.empty() || words[0] == '#') continue;
    const std::string_view key = take_word(words);
    if (!begun) {
      if (key != "hocket-scenario" || words != "1")
        throw ScenarioError(line, "a flat scenario begins with: hocket-scenario 1");
      begun = true;
    } else if (key == "part") {
      const std::string type(take_word(words)), name(words);
      if (type.empty() || !is_name(name)) throw ScenarioError(line, "must be: part TYPE NAME");
      const auto [found, fresh] = sections.try_emplace(name, line, type, name);
      if (!fresh) throw ScenarioError(line, "there is a part " + name + " already");
      if (sections.size() > kMostParts) throw ScenarioError(line, "there are more than 256 parts");
      current = &found->second;
    } else if (current == nullptr) {
      throw ScenarioError(line, "a key must follow a part");
    } else {
      current->add(line, std::string(key), words);
    }
  }
  std::vector<Section> result;
  result.reserve(sections.size());
  for (auto& [name, section] : sections) result.push_back(std::move(section));
  return result;
}

}  // namespace hocket::sim
