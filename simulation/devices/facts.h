// Facts for the report as JSON: exact decimal numbers, keys sorted, the same bytes for the same
// values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "simulation/devices/devices.h"

namespace hocket::sim {

/// A string as JSON text. Bytes that are not UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

/// One JSON object.
class Facts {
 public:
  void count(const std::string& key, uint64_t value);
  void flag(const std::string& key, bool value);
  void text(const std::string& key, std::string_view value);
  void micros(const std::string& key, std::optional<Nanos> value);
  /// value / 10^decimals; null when there is none.
  void fixed(const std::string& key, std::optional<int64_t> value, unsigned decimals);
  void json(const std::string& key, std::string value) { members_[key] = std::move(value); }
  std::string str() const;

 private:
  std::map<std::string, std::string> members_;
};

/// The least, greatest and mean of durations, for the report.
class Spans {
 public:
  void add(Nanos span);
  uint64_t count() const { return count_; }
  /// Writes min_<name>_us, mean_<name>_us and max_<name>_us; null if there were no durations.
  void facts(Facts& facts, const std::string& name) const;

 private:
  uint64_t count_ = 0;
  Nanos least_ = UINT64_MAX, greatest_ = 0;
  unsigned __int128 sum_ = 0;
};

}  // namespace hocket::sim
