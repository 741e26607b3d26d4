// String: text that grows.
//
// A String is *valid* when it has memory for its text, even an empty one; `if (text)` tests that.
// Running out of memory never damages a text: an assignment makes it invalid; concat() leaves it
// unchanged and returns false. Memory grows in steps of 16 bytes, so appending single characters
// seldom moves the text.
#pragma once

#ifdef __cplusplus

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#include "deprecated-avr-comp/avr/pgmspace.h"
#endif

/// The type of F("text"): text in program memory, on processors that have a separate one.
class __FlashStringHelper;  // NOLINT(bugprone-reserved-identifier): Arduino's name
#define F(string_literal) (reinterpret_cast<const __FlashStringHelper*>(PSTR(string_literal)))
#define FPSTR(address) (reinterpret_cast<const __FlashStringHelper*>(address))

// clang 19 for AVR copies a class that is passed by value bit by bit, and the caller destroys the
// original. If the called function changes its copy, the caller then frees memory that is already
// gone. With this attribute the called function destroys its argument.
#if defined(__AVR__) && defined(__clang__)
#define HOCKET_OWN_ARGUMENT_ [[clang::trivial_abi]]
#else
#define HOCKET_OWN_ARGUMENT_
#endif

class StringSumHelper;

class HOCKET_OWN_ARGUMENT_ String {
  using Truth = void (String::*)() const;
  void yes() const {}

 public:
  String(const char* text = "");  // NOLINT(google-explicit-constructor)
  String(const char* text, unsigned int length);
  String(const uint8_t* text, unsigned int length);
  String(const __FlashStringHelper* text);  // NOLINT(google-explicit-constructor)
  String(const String& other);
  String(String&& other) noexcept;
  explicit String(char c);
  explicit String(unsigned char n, unsigned char base = 10);
  explicit String(int n, unsigned char base = 10);
  explicit String(unsigned int n, unsigned char base = 10);
  explicit String(long n, unsigned char base = 10);
  explicit String(unsigned long n, unsigned char base = 10);
  explicit String(long long n, unsigned char base = 10);
  explicit String(unsigned long long n, unsigned char base = 10);
  /// At least `decimalPlaces` + 2 characters wide, as on AVR: String(5.0, 0) is " 5".
  explicit String(float n, unsigned char decimalPlaces = 2);
  explicit String(double n, unsigned char decimalPlaces = 2);
  ~String() { free(buffer); }

  String& operator=(const String& other);
  String& operator=(String&& other) noexcept;
  String& operator=(const char* text);
  String& operator=(const __FlashStringHelper* text);

  /// Reserves room for `size` characters. On false there is no memory, and nothing has changed.
  bool reserve(unsigned int size);
  unsigned int length() const { return len; }
  bool isEmpty() const { return len == 0; }
  // A pointer to member, as in Arduino's own class: usable as a condition but not as a number.
  operator Truth() const { return buffer != nullptr ? &String::yes : nullptr; }

  bool concat(const String& text);
  bool concat(const char* text);
  bool concat(const char* text, unsigned int length);
  bool concat(const uint8_t* text, unsigned int length);
  bool concat(const __FlashStringHelper* text);
  bool concat(char c);
  bool concat(unsigned char n);
  bool concat(int n);
  bool concat(unsigned int n);
  bool concat(long n);
  bool concat(unsigned long n);
  bool concat(long long n);
  bool concat(unsigned long long n);
  bool concat(float n);
  bool concat(double n);

  String& operator+=(const String& text) { return concat(text), *this; }
  String& operator+=(const char* text) { return concat(text), *this; }
  String& operator+=(const __FlashStringHelper* text) { return concat(text), *this; }
  String& operator+=(char c) { return concat(c), *this; }
  String& operator+=(unsigned char n) { return concat(n), *this; }
  String& operator+=(int n) { return concat(n), *this; }
  String& operator+=(unsigned int n) { return concat(n), *this; }
  String& operator+=(long n) { return concat(n), *this; }
  String& operator+=(unsigned long n) { return concat(n), *this; }
  String& operator+=(long long n) { return concat(n), *this; }
  String& operator+=(unsigned long long n) { return concat(n), *this; }
  String& operator+=(float n) { return concat(n), *this; }
  String& operator+=(double n) { return concat(n), *this; }

  /// Negative, 0 or positive; an invalid text counts as empty.
  int compareTo(const String& other) const;
  int compareTo(const char* other) const;
  bool equals(const String& other) const;
  bool equals(const char* other) const;
  bool equalsIgnoreCase(const String& other) const;
  bool startsWith(const String& prefix) const;
  bool startsWith(const String& prefix, unsigned int offset) const;
  bool endsWith(const String& suffix) const;

  friend bool operator==(const String& a, const String& b) { return a.equals(b); }
  friend bool operator==(const String& a, const char* b) { return a.equals(b); }
  friend bool operator==(const char* a, const String& b) { return b.equals(a); }
  friend bool operator!=(const String& a, const String& b) { return !a.equals(b); }
  friend bool operator!=(const String& a, const char* b) { return !a.equals(b); }
  friend bool operator!=(const char* a, const String& b) { return !b.equals(a); }
  friend bool operator<(const String& a, const String& b) { return a.compareTo(b) < 0; }
  friend bool operator<(const String& a, const char* b) { return a.compareTo(b) < 0; }
  friend bool operator<(const char* a, const String& b) { return b.compareTo(a) > 0; }
  friend bool operator>(const String& a, const String& b) { return a.compareTo(b) > 0; }
  friend bool operator>(const String& a, const char* b) { return a.compareTo(b) > 0; }
  friend bool operator>(const char* a, const String& b) { return b.compareTo(a) < 0; }
  friend bool operator<=(const String& a, const String& b) { return a.compareTo(b) <= 0; }
  friend bool operator<=(const String& a, const char* b) { return a.compareTo(b) <= 0; }
  friend bool operator<=(const char* a, const String& b) { return b.compareTo(a) >= 0; }
  friend bool operator>=(const String& a, const String& b) { return a.compareTo(b) >= 0; }
  friend bool operator>=(const String& a, const char* b) { return a.compareTo(b) >= 0; }
  friend bool operator>=(const char* a, const String& b) { return b.compareTo(a) <= 0; }

  /// Beyond the end, reading gives '\0' and a write is lost.
  char charAt(unsigned int index) const { return (*this)[index]; }
  void setCharAt(unsigned int index, char c);
  char operator[](unsigned int index) const;
  char& operator[](unsigned int index);
  void getBytes(unsigned char* out, unsigned int size, unsigned int index = 0) const;
  void toCharArray(char* out, unsigned int size, unsigned int index = 0) const {
    getBytes(reinterpret_cast<unsigned char*>(out), size, index);
  }
  /// Null only when the String is invalid.
  const char* c_str() const { return buffer; }
  char* begin() { return buffer; }
  char* end() { return buffer + len; }
  const char* begin() const { return buffer; }
  const char* end() const { return buffer + len; }

  /// The position, or -1. The lastIndexOf() forms find the last match that begins at `from` or
  /// before.
  int indexOf(char c) const { return indexOf(c, 0); }
  int indexOf(char c, unsigned int from) const;
  int indexOf(const String& text) const { return indexOf(text, 0); }
  int indexOf(const String& text, unsigned int from) const;
  int lastIndexOf(char c) const { return lastIndexOf(c, len - 1); }
  int lastIndexOf(char c, unsigned int from) const;
  int lastIndexOf(const String& text) const { return lastIndexOf(text, len - text.len); }
  int lastIndexOf(const String& text, unsigned int from) const;
  /// The characters from `from` up to but not including `to`. The two are swapped if in the wrong
  /// order.
  String substring(unsigned int from) const { return substring(from, len); }
  String substring(unsigned int from, unsigned int to) const;

  void replace(char find, char replacement);
  /// Replaces every occurrence of `find`, from left to right.
  void replace(const String& find, const String& replacement);
  void remove(unsigned int index) { remove(index, ~0u); }
  void remove(unsigned int index, unsigned int count);
  void toLowerCase();
  void toUpperCase();
  void trim();

  /// The number at the beginning of the text; 0 if there is none.
  long toInt() const;
  float toFloat() const { return static_cast<float>(toDouble()); }
  double toDouble() const;

 protected:
  void invalidate();
  bool append(const char* text, size_t size);
  String& assign(const char* text, size_t size);

  char* buffer = nullptr;
  unsigned int capacity = 0;  // without the final '\0'
  unsigned int len = 0;
};

/// The result of `+`. Every type that can stand left of a `+` with a String converts to it.
class HOCKET_OWN_ARGUMENT_ StringSumHelper : public String {
 public:
  StringSumHelper(const String& text) : String(text) {}  // NOLINT(google-explicit-constructor)
  StringSumHelper(String&& text) noexcept                // NOLINT(google-explicit-constructor)
      : String(static_cast<String&&>(text)) {}
  StringSumHelper(const char* text) : String(text) {}  // NOLINT(google-explicit-constructor)
  StringSumHelper(const __FlashStringHelper* text)
      : String(text) {}                                 // NOLINT(google-explicit-constructor)
  StringSumHelper(char c) : String(c) {}                // NOLINT(google-explicit-constructor)
  StringSumHelper(unsigned char n) : String(n) {}       // NOLINT(google-explicit-constructor)
  StringSumHelper(int n) : String(n) {}                 // NOLINT(google-explicit-constructor)
  StringSumHelper(unsigned int n) : String(n) {}        // NOLINT(google-explicit-constructor)
  StringSumHelper(long n) : String(n) {}                // NOLINT(google-explicit-constructor)
  StringSumHelper(unsigned long n) : String(n) {}       // NOLINT(google-explicit-constructor)
  StringSumHelper(long long n) : String(n) {}           // NOLINT(google-explicit-constructor)
  StringSumHelper(unsigned long long n) : String(n) {}  // NOLINT(google-explicit-constructor)
  StringSumHelper(float n) : String(n) {}               // NOLINT(google-explicit-constructor)
  StringSumHelper(double n) : String(n) {}              // NOLINT(google-explicit-constructor)

  /// Appends. Without memory the whole sum becomes invalid.
  template <typename T>
  StringSumHelper plus(const T& right) && {
    if (!concat(right)) invalidate();
    return static_cast<StringSumHelper&&>(*this);
  }
};

namespace hocket {

/// Selects the + of a String with another type (without C++20's `requires`, which avr-gcc may not
/// know).
template <bool kYes>
struct IsText {};
template <>
struct IsText<true> {
  static String& left();
  template <typename Right>
  static Right right();
};

}  // namespace hocket

// The sum is returned by value: a reference to a temporary would not outlive the expression.
inline StringSumHelper operator+(StringSumHelper left, const String& right) {
  return static_cast<StringSumHelper&&>(left).plus(right);
}

template <typename Left, typename Right,
          typename = decltype(hocket::IsText<__is_base_of(String, Left)>::left().concat(
              hocket::IsText<!__is_base_of(String, Right)>::template right<Right>()))>
StringSumHelper operator+(Left left, Right right) {
  return StringSumHelper(static_cast<Left&&>(left)).plus(right);
}

namespace arduino {
using ::__FlashStringHelper;
using ::String;
using ::StringSumHelper;
}  // namespace arduino

#endif
