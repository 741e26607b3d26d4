// Reads what comes from outside: one flat JSON object (RFC 8259) a line, whose values are texts,
// numbers, truths or null.
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
  std::string text;  // of a text, in UTF-8; of a number, as it was written
};

using Object = std::map<std::string, Value>;

/// Nothing when the line is no such object; `wrong` says why then.
std::optional<Object> read_object(std::string_view line, std::string& wrong);

/// A number as a whole one from 0 on; nothing when it is none, or larger than an int64.
std::optional<uint64_t> whole(const Value& value);
/// A number in millionths, what is smaller cut off; nothing when it is none or beyond 10^12.
std::optional<int64_t> millionths(const Value& value);
/// Whether these bytes are UTF-8.
bool is_utf8(std::string_view text);

}  // namespace hocket::live
