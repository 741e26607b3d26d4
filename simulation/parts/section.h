// One part's lines of the flat scenario, parsed with all checks repeated.
//
//   hocket-scenario 1
//   part hcsr04 sonar            a section: type and name
//   trigger 11                   a value
//   left.forward 4               a value of a group
//   distance at=0 is=300000000   an item of a list: fields
//
// All numbers are whole: pins, nanoseconds, nanometres (and per second), millihertz, millionths,
// microdegrees; text is hexadecimal. A part takes its keys; finish() rejects keys that were not
// taken. All functions throw ScenarioError with the line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulation/devices/devices.h"

namespace hocket::sim {

/// Limits of a scenario's values, which keep all later arithmetic within 64 bits.
inline constexpr int64_t kLongestTime = 10'000'000'000'000'000;   // ns: 115 days
inline constexpr int64_t kLongestLength = 1'000'000'000'000'000;  // nm: 1,000 km
inline constexpr int64_t kHighestSpeed = 1'000'000'000'000;       // nm/s: 1 km/s
inline constexpr int64_t kMillion = 1'000'000;

enum class PinUse { Digital, Analog, Pwm };

/// One item of a list: `field=value` pairs, or one bare value under the field "".
class Item {
 public:
  Item(unsigned line, const std::string& key, std::string_view words);
  unsigned line() const { return line_; }
  bool has(const std::string& field) const { return fields_.contains(field); }
  int64_t number(const std::string& field, int64_t lowest, int64_t highest) const;
  std::optional<int64_t> optional(const std::string& field, int64_t lowest, int64_t highest) const;
  std::string text(const std::string& field) const;
  const std::string& word(const std::string& field) const;
  /// Throws if a field is not one of `known`.
  void only(std::initializer_list<std::string_view> known) const;
  [[noreturn]] void fail(const std::string& why) const;

 private:
  unsigned line_;
  std::string key_;
  std::map<std::string, std::string> fields_;
};

class Section {
 public:
  Section(unsigned line, std::string type, std::string name)
      : line_(line), type_(std::move(type)), name_(std::move(name)) {}

  const std::string& type() const { return type_; }
  const std::string& name() const { return name_; }
  unsigned line() const { return line_; }
  void add(unsigned line, const std::string& key, std::string_view words);

  bool has(const std::string& key) const { return items_.contains(key); }
  unsigned pin(const std::string& key, PinUse use = PinUse::Digital);
  int64_t number(const std::string& key, int64_t lowest, int64_t highest);
  int64_t number_or(const std::string& key, int64_t otherwise, int64_t lowest, int64_t highest);
  Nanos time_or(const std::string& key, Nanos otherwise) {
    return static_cast<Nanos>(number_or(key, static_cast<int64_t>(otherwise), 0, kLongestTime));
  }
  /// The index of one of the words.
  size_t choice_or(const std::string& key, size_t otherwise,
                   std::initializer_list<std::string_view> words);
  std::string word(const std::string& key);
  std::string text_or(const std::string& key, const std::string& otherwise);
  /// All items of a list; none if the key is missing.
  std::vector<Item> list(const std::string& key);

  /// The pins that the part has taken, by key; in a list the key is followed by a number.
  const std::vector<std::pair<std::string, unsigned>>& wiring() const { return wiring_; }
  void wire(const std::string& key, unsigned pin) { wiring_.emplace_back(key, pin); }

  /// Throws if a key was not taken.
  void finish() const;
  [[noreturn]] void fail(const std::string& why) const;

 private:
  const Item& single(const std::string& key);

  unsigned line_;
  std::string type_, name_;
  std::map<std::string, std::vector<Item>> items_;
  std::map<std::string, bool> taken_;
  std::vector<std::pair<std::string, unsigned>> wiring_;
};

/// The sections of a flat scenario, sorted by name. Throws ScenarioError.
std::vector<Section> read_sections(const std::string& text);

/// A pin number with its use checked, for lists of pins.
unsigned checked_pin(const Item& item, const std::string& field, PinUse use);

}  // namespace hocket::sim
