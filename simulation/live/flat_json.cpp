// Flat JSON objects: see flat_json.h.
#include "simulation/live/flat_json.h"

#include <algorithm>
#include <cctype>

namespace hocket::live {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool object(Object& members) {
    if (!take('{')) return fail("it is no object");
    if (take('}')) return end();
    do {
      std::string name;
      Value value;
      space();
      if (!string(name)) return fail("a name is missing");
      if (!take(':')) return fail("a colon is missing");
      space();
      if (!this->value(value))
        return fail("the value of " + name + " is not a text, a number, true, false or null");
      if (!members.emplace(std::move(name), std::move(value)).second)
        return fail("a name is there twice");
    } while (take(','));
    return take('}') ? end() : fail("a comma or a brace is missing");
  }
  const std::string& why() const { return why_; }

 private:
  bool fail(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return false;
  }
  bool end() {
    space();
    return rest_.empty() || fail("something follows the object");
  }
  void space() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_[0]) != std::string_view::npos)
      rest_.remove_prefix(1);
  }
  bool take(char c) {
    space();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool value(Value& value) {
    if (!rest_.empty() && rest_[0] == '"') {
      value.kind = Value::Kind::Text;
      return string(value.text);
    }
    if (word("null")) return true;
    value.kind = Value::Kind::Truth;
    value.truth = rest_.starts_with("true");
    if (word("true") || word("false")) return true;
    value.kind = Value::Kind::Number;
    return number(value.text);
  }

  bool number(std::string& text) {
    size_t i = 0;
    const auto at = [&](size_t place) { return place < rest_.size() ? rest_[place] : '\0'; };
    const auto digits = [&] {
      const size_t begin = i;
      while (is_digit(at(i))) ++i;
      return i > begin;
    };
    if (at(i) == '-') ++i;
    const bool zero = at(i) == '0';
    if (!digits() || (zero && i > (rest_[0] == '-' ? 2u : 1u))) return false;
    if (at(i) == '.') {
      ++i;
      if (!digits()) return false;
    }
    if (at(i) == 'e' || at(i) == 'E') {
      ++i;
      if (at(i) == '+' || at(i) == '-') ++i;
      if (!digits()) return false;
    }
    text = rest_.substr(0, i);
    rest_.remove_prefix(i);
    return true;
  }

  bool string(std::string& text) {
    if (!word("\"")) return false;
    while (!rest_.empty() && rest_[0] != '"') {
      const char c = rest_[0];
      rest_.remove_prefix(1);
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\')
        text += c;
      else if (!escape(text))
        return false;
    }
    return word("\"") && is_utf8(text);
  }

  bool escape(std::string& text) {
    if (rest_.empty()) return false;
    const char c = rest_[0];
    rest_.remove_prefix(1);
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (const size_t known = kNames.find(c); known != std::string_view::npos) {
      text += kMeanings[known];
      return true;
    }
    uint32_t code = 0, low = 0;
    if (c != 'u' || !hex(code)) return false;
    if (code >= 0xdc00 && code < 0xe000) return false;
    if (code >= 0xd800 && code < 0xdc00) {
      if (!word("\\u") || !hex(low) || low < 0xdc00 || low >= 0xe000) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    put(text, code);
    return true;
  }

  bool hex(uint32_t& code) {
    if (rest_.size() < 4) return false;
    for (const char c : rest_.substr(0, 4)) {
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return false;
      code = code * 16 + static_cast<uint32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    rest_.remove_prefix(4);
    return true;
  }

  static void put(std::string& text, uint32_t code) {
    const auto add = [&text](uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) return add(code);
    if (code < 0x800) {
      add(0xc0 | code >> 6);
    } else {
      if (code < 0x10000) {
        add(0xe0 | code >> 12);
      } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
      }
      add(0x80 | (code >> 6 & 0x3f));
    }
    add(0x80 | (code & 0x3f));
  }

  std::string_view rest_;
  std::string why_;
};

}  // namespace

std::optional<Object> read_object(std::string_view line, std::string& wrong) {
  Object members;
  Reader reader(line);
  if (reader.object(members)) return members;
  wrong = reader.why();
  return std::nullopt;
}

std::optional<uint64_t> whole(const Value& value) {
  constexpr size_t kDigits = 18;
  if (value.kind != Value::Kind::Number || value.text.size() > kDigits) return std::nullopt;
  uint64_t result = 0;
  for (const char c : value.text) {
    if (!is_digit(c)) return std::nullopt;
    result = result * 10 + static_cast<uint64_t>(c - '0');
  }
  return result;
}

std::optional<int64_t> millionths(const Value& value) {
  if (value.kind != Value::Kind::Number) return std::nullopt;
  constexpr int64_t kMost = 1'000'000'000'000, kMillion = 1'000'000;
  const std::string& text = value.text;
  const bool negative = text[0] == '-';
  // The digits, and the position of the decimal point among them.
  std::string digits;
  int64_t point = 0;
  size_t i = negative ? 1 : 0;
  bool fraction = false;
  for (; i < text.size() && (is_digit(text[i]) || text[i] == '.'); ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    digits += text[i];
    if (!fraction) ++point;
  }
  if (i < text.size()) {  // after the exponent character
    const bool down = text[i + 1] == '-';
    int64_t exponent = 0;
    for (++i; i < text.size(); ++i)
      if (is_digit(text[i])) exponent = std::min<int64_t>(exponent * 10 + text[i] - '0', 100'000);
    point += down ? -exponent : exponent;
  }
  // The digits before the point, and six after it.
  __int128 result = 0;
  const int64_t wanted = point + 6;
  for (int64_t place = 0; place < wanted; ++place) {
    const bool given = place < static_cast<int64_t>(digits.size());
    if (!given && result == 0) break;
    result = result * 10 + (given ? digits[static_cast<size_t>(place)] - '0' : 0);
    if (result > static_cast<__int128>(kMost) * kMillion) return std::nullopt;
  }
  return static_cast<int64_t>(negative ? -result : result);
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<uint8_t>(text[0]);
    const size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) return false;
    if (text.size() < length) return false;
    for (size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<uint8_t>(text[i]);
      // Unicode 15, table 3-7.
      const uint8_t low = i > 1 ? 0x80 : first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
      const uint8_t high = i > 1 ? 0xbf : first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
      if (byte < low || byte > high) return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace hocket::live
