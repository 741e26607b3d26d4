// Character classes: ASCII without locales, as on every Arduino.
#pragma once

#ifdef __cplusplus

constexpr bool isAscii(int c) {
  return c >= 0 && c < 0x80;
}
constexpr bool isControl(int c) {
  return (c >= 0 && c < ' ') || c == 0x7f;
}
constexpr bool isDigit(int c) {
  return c >= '0' && c <= '9';
}
constexpr bool isUpperCase(int c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool isLowerCase(int c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool isAlpha(int c) {
  return isUpperCase(c) || isLowerCase(c);
}
constexpr bool isAlphaNumeric(int c) {
  return isAlpha(c) || isDigit(c);
}
/// Printable, but not the space.
constexpr bool isGraph(int c) {
  return c > ' ' && c < 0x7f;
}
constexpr bool isPrintable(int c) {
  return c >= ' ' && c < 0x7f;
}
constexpr bool isPunct(int c) {
  return isGraph(c) && !isAlphaNumeric(c);
}
/// Space, form feed, line feed, carriage return, tab, vertical tab.
constexpr bool isSpace(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
/// Space and tab only.
constexpr bool isWhitespace(int c) {
  return c == ' ' || c == '\t';
}
constexpr bool isHexadecimalDigit(int c) {
  return isDigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/// Clears all but the lower seven bits.
constexpr int toAscii(int c) {
  return c & 0x7f;
}
constexpr int toLowerCase(int c) {
  return isUpperCase(c) ? c + ('a' - 'A') : c;
}
constexpr int toUpperCase(int c) {
  return isLowerCase(c) ? c - ('a' - 'A') : c;
}

namespace arduino {
using ::isAlpha;
using ::isAlphaNumeric;
using ::isAscii;
using ::isControl;
using ::isDigit;
using ::isGraph;
using ::isHexadecimalDigit;
using ::isLowerCase;
using ::isPrintable;
using ::isPunct;
using ::isSpace;
using ::isUpperCase;
using ::isWhitespace;
using ::toAscii;
using ::toLowerCase;
using ::toUpperCase;
}  // namespace arduino

#endif
