// Parses external input: each line is one flat JSON object (RFC 8259) whose values are strings,
// numbers, booleans or null.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hocket::live {

struct Value {
  enum class Kind : uint8_t { Null, Truth, Number, Text };
  Kind kind = Kind::Null;
  bool truth = false;
  std::string text;  // of a string, in UTF-8; of a number, as it was written
};

using Object = std::map<std::string, Value>;

/// nullopt if the line is not such an object; `wrong` then says why.
std::optional<Object> read_object(std::string_view line, std::string& wrong);

/// A non-negative whole number; nullopt if it is not one, or exceeds an int64.
std::optional<uint64_t> whole(const Value& value);
/// A number in millionths, truncated; nullopt if it is not a number or is beyond 10^12.
std::optional<int64_t> millionths(const Value& value);
/// Whether these bytes are valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace hocket::live
