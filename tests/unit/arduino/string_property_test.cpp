// String against std::string: random texts over a small alphabet, so that parts repeat and overlap.
#include <Arduino.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace {

using Text = std::string;

rc::Gen<Text> texts() {
  return rc::gen::container<Text>(rc::gen::element('a', 'b', 'A', ' '));
}
String made(const Text& text) {
  return String(text.data(), static_cast<unsigned>(text.size()));
}
Text plain(const String& text) {
  return {text.c_str(), text.length()};
}
int position(size_t found) {
  return found == Text::npos ? -1 : static_cast<int>(found);
}

RC_GTEST_PROP(StringModel, Searches, ()) {
  const Text text = *texts();
  const Text part = *texts();
  const auto from = *rc::gen::inRange(0u, 30u);
  const String string = made(text);
  const String what = made(part);
  const bool inside = from < text.size();
  RC_ASSERT(string.indexOf(what, from) == (inside ? position(text.find(part, from)) : -1));
  RC_ASSERT(string.indexOf('b', from) == (inside ? position(text.find('b', from)) : -1));
  RC_ASSERT(string.lastIndexOf('b', from) == (inside ? position(text.rfind('b', from)) : -1));
  const int last = part.empty() ? -1 : position(text.rfind(part));
  RC_ASSERT(string.lastIndexOf(what) == last);
  if (!part.empty()) RC_ASSERT(string.lastIndexOf(what, from) == position(text.rfind(part, from)));
  RC_ASSERT(string.startsWith(what) == text.starts_with(part));
  RC_ASSERT(string.endsWith(what) == text.ends_with(part));
}

RC_GTEST_PROP(StringModel, Parts, ()) {
  const Text text = *texts();
  auto from = *rc::gen::inRange(0u, 30u);
  auto to = *rc::gen::inRange(0u, 30u);
  const String string = made(text);
  const auto low = std::min<size_t>(std::min(from, to), text.size());
  const auto high = std::min<size_t>(std::max(from, to), text.size());
  RC_ASSERT(plain(string.substring(from, to)) == text.substr(low, high - low));
  String removed = string;
  removed.remove(from, to);
  Text rest = text;
  if (from < rest.size()) rest.erase(from, to);
  RC_ASSERT(plain(removed) == rest);
}

RC_GTEST_PROP(StringModel, Replace, ()) {
  const Text text = *texts();
  const Text find = *rc::gen::resize(3, texts());
  const Text replacement = *texts();
  String string = made(text);
  string.replace(made(find), made(replacement));
  Text expected;
  for (size_t i = 0; i < text.size();) {
    if (!find.empty() && text.compare(i, find.size(), find) == 0) {
      expected += replacement;
      i += find.size();
    } else {
      expected += text[i++];
    }
  }
  RC_ASSERT(plain(string) == expected);
  RC_ASSERT(string.c_str()[string.length()] == '\0');
}

RC_GTEST_PROP(StringModel, CompareAndJoin, ()) {
  const Text a = *texts();
  const Text b = *texts();
  const String left = made(a);
  const String right = made(b);
  RC_ASSERT((left < right) == (a < b));
  RC_ASSERT((left == right) == (a == b));
  RC_ASSERT((left >= right.c_str()) == (a >= b));
  RC_ASSERT(plain(left + right) == a + b);
  String sum = left;
  sum += right;
  sum += sum;
  RC_ASSERT(plain(sum) == a + b + a + b);
  String trimmed = left;
  trimmed.trim();
  const size_t first = a.find_first_not_of(' ');
  RC_ASSERT(plain(trimmed) ==
            (first == Text::npos ? "" : a.substr(first, a.find_last_not_of(' ') - first + 1)));
}

RC_GTEST_PROP(StringModel, NumbersReadBack, (int64_t n)) {
  RC_ASSERT(String(static_cast<long>(n)).toInt() == n);
  RC_ASSERT(plain(String(static_cast<int>(n))) == std::to_string(static_cast<int>(n)));
  RC_ASSERT(plain(String(static_cast<unsigned long>(n))) ==
            std::to_string(static_cast<uint64_t>(n)));
}

}  // namespace
