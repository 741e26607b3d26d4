// String: text that grows. See String.h.
#include "arduino/api/String.h"

#include "arduino/api/WCharacter.h"
#include "arduino/api/dtostrf.h"
#include "arduino/api/itoa.h"

namespace {

constexpr unsigned kMostDecimals = 10;
/// Sign, digits of the largest double (309, or 39 where double is a float), point, decimals, end.
constexpr size_t kFloatText = 1 + __DBL_MAX_10_EXP__ + 1 + 1 + kMostDecimals + 1;
/// Sign, one digit per bit, end. The buffer is on the stack, which is small on small boards.
template <typename Integer>
constexpr size_t kIntegerText = 1 + 8 * sizeof(Integer) + 1;

/// Capacities are one less than a multiple of this, so that a block with its '\0' has no remainder.
constexpr unsigned kStep = 16;

/// Copies upwards, so that a later part of the same text may be copied to an earlier place
/// (memmove() is larger code). Ends the copy with '\0'.
void copy(char* to, const char* from, size_t size) {
#ifdef __AVR__
  for (; size > 0; --size) *to++ = *from++;
  *to = '\0';
#else
  if (size > 0) memmove(to, from, size);
  to[size] = '\0';
#endif
}

const char* find(const char* where, size_t size, const char* what, size_t what_size) {
  for (; size >= what_size; ++where, --size) {
    if (memcmp(where, what, what_size) == 0) return where;
  }
  return nullptr;
}

int compare(const char* a, size_t a_size, const char* b, size_t b_size) {
  const size_t common = a_size < b_size ? a_size : b_size;
  size_t i = 0;
  while (i < common && a[i] == b[i]) ++i;
  const int left = i < a_size ? static_cast<unsigned char>(a[i]) : 0;
  const int right = i < b_size ? static_cast<unsigned char>(b[i]) : 0;
  return left - right;
}

}  // namespace

String::String(const char* text) {
  concat(text);
}
String::String(const char* text, unsigned int length) {
  if (text != nullptr) append(text, length);
}
String::String(const uint8_t* text, unsigned int length)
    : String(reinterpret_cast<const char*>(text), length) {}
String::String(const __FlashStringHelper* text) {
  *this = text;
}
String::String(const String& other) {
  concat(other);
}
String::String(String&& other) noexcept {
  *this = static_cast<String&&>(other);
}
String::String(char c) {
  append(&c, 1);
}

String::String(unsigned char n, unsigned char base) : String(static_cast<unsigned>(n), base) {}
String::String(int n, unsigned char base) {
  char text[kIntegerText<int>];
  concat(itoa(n, text, base));
}
String::String(unsigned int n, unsigned char base) {
  char text[kIntegerText<unsigned int>];
  concat(utoa(n, text, base));
}
String::String(long n, unsigned char base) {
  char text[kIntegerText<long>];
  concat(ltoa(n, text, base));
}
String::String(unsigned long n, unsigned char base) {
  char text[kIntegerText<unsigned long>];
  concat(ultoa(n, text, base));
}
String::String(long long n, unsigned char base) {
  char text[kIntegerText<long long>];
  concat(lltoa(n, text, base));
}
String::String(unsigned long long n, unsigned char base) {
  char text[kIntegerText<unsigned long long>];
  concat(ulltoa(n, text, base));
}
String::String(float n, unsigned char decimalPlaces)
    : String(static_cast<double>(n), decimalPlaces) {}
String::String(double n, unsigned char decimalPlaces) {
  if (decimalPlaces > kMostDecimals) decimalPlaces = kMostDecimals;
  char text[kFloatText];
  *this = dtostrf(n, static_cast<signed char>(decimalPlaces + 2), decimalPlaces, text);
}

String& String::operator=(const String& other) {
  return this == &other ? *this : assign(other.buffer, other.len);
}

String& String::operator=(String&& other) noexcept {
  if (this == &other) return *this;
  free(buffer);
  buffer = other.buffer;
  capacity = other.capacity;
  len = other.len;
  other.buffer = nullptr;
  other.capacity = other.len = 0;
  return *this;
}

String& String::operator=(const char* text) {
  return assign(text, text == nullptr ? 0 : strlen(text));
}

/// `text` may be a part of this text. Then it fits, and the buffer is not reallocated.
String& String::assign(const char* text, size_t size) {
  if (text == nullptr || !reserve(static_cast<unsigned>(size))) {
    invalidate();
    return *this;
  }
  copy(buffer, text, size);
  len = static_cast<unsigned>(size);
  return *this;
}

String& String::operator=(const __FlashStringHelper* text) {
#ifdef __AVR__
  const char* source = reinterpret_cast<const char*>(text);
  const size_t size = text == nullptr ? 0 : strlen_P(source);
  if (text == nullptr || !reserve(static_cast<unsigned>(size))) {
    invalidate();
    return *this;
  }
  memcpy_P(buffer, source, size + 1);
  len = static_cast<unsigned>(size);
  return *this;
#else
  return *this = reinterpret_cast<const char*>(text);
#endif
}

void String::invalidate() {
  free(buffer);
  buffer = nullptr;
  capacity = len = 0;
}

bool String::reserve(unsigned int size) {
  if (buffer != nullptr && size <= capacity) return true;
  const unsigned wanted = size | (kStep - 1);
  if (wanted + 1u == 0) return false;
  char* const larger = static_cast<char*>(realloc(buffer, wanted + size_t{1}));
  if (larger == nullptr) return false;
  if (buffer == nullptr) larger[0] = '\0';
  buffer = larger;
  capacity = wanted;
  return true;
}

bool String::append(const char* text, size_t size) {
  // For `text += text` and parts of itself: the appended text moves with the buffer. (Without a
  // buffer the length is 0, and no text has the address 0.)
  const uintptr_t offset = reinterpret_cast<uintptr_t>(text) - reinterpret_cast<uintptr_t>(buffer);
  const bool own = offset <= len;
  const unsigned total = len + static_cast<unsigned>(size);
  if (total < size || !reserve(total)) return false;
  copy(buffer + len, own ? buffer + offset : text, size);
  len = total;
  return true;
}

bool String::concat(const String& text) {
  return text.buffer != nullptr && append(text.buffer, text.len);
}
bool String::concat(const char* text) {
  return text != nullptr && append(text, strlen(text));
}
bool String::concat(const char* text, unsigned int length) {
  return text != nullptr && append(text, length);
}
bool String::concat(const uint8_t* text, unsigned int length) {
  return concat(reinterpret_cast<const char*>(text), length);
}
bool String::concat(const __FlashStringHelper* text) {
#ifdef __AVR__
  return text != nullptr && concat(String(text));
#else
  return concat(reinterpret_cast<const char*>(text));
#endif
}
bool String::concat(char c) {
  return append(&c, 1);
}
bool String::concat(unsigned char n) {
  return concat(static_cast<unsigned>(n));
}
bool String::concat(int n) {
  char text[kIntegerText<int>];
  return concat(itoa(n, text, 10));
}
bool String::concat(unsigned int n) {
  char text[kIntegerText<unsigned int>];
  return concat(utoa(n, text, 10));
}
bool String::concat(long n) {
  char text[kIntegerText<long>];
  return concat(ltoa(n, text, 10));
}
bool String::concat(unsigned long n) {
  char text[kIntegerText<unsigned long>];
  return concat(ultoa(n, text, 10));
}
bool String::concat(long long n) {
  char text[kIntegerText<long long>];
  return concat(lltoa(n, text, 10));
}
bool String::concat(unsigned long long n) {
  char text[kIntegerText<unsigned long long>];
  return concat(ulltoa(n, text, 10));
}
bool String::concat(float n) {
  return concat(String(n));
}
bool String::concat(double n) {
  return concat(String(n));
}

int String::compareTo(const String& other) const {
  return compare(buffer, len, other.buffer, other.len);
}
int String::compareTo(const char* other) const {
  return compare(buffer, len, other, other == nullptr ? 0 : strlen(other));
}
bool String::equals(const String& other) const {
  return len == other.len && compareTo(other) == 0;
}
bool String::equals(const char* other) const {
  return len == (other == nullptr ? 0 : strlen(other)) && compareTo(other) == 0;
}
bool String::equalsIgnoreCase(const String& other) const {
  if (len != other.len) return false;
  for (unsigned i = 0; i < len; ++i) {
    if (::toLowerCase(buffer[i]) != ::toLowerCase(other.buffer[i])) return false;
  }
  return true;
}
bool String::startsWith(const String& prefix) const {
  return startsWith(prefix, 0);
}
bool String::startsWith(const String& prefix, unsigned int offset) const {
  if (buffer == nullptr || prefix.buffer == nullptr) return false;
  if (prefix.len > len || offset > len - prefix.len) return false;
  return memcmp(buffer + offset, prefix.buffer, prefix.len) == 0;
}
bool String::endsWith(const String& suffix) const {
  return suffix.len <= len && startsWith(suffix, len - suffix.len);
}

void String::setCharAt(unsigned int index, char c) {
  if (index < len) buffer[index] = c;
}
char String::operator[](unsigned int index) const {
  return index < len ? buffer[index] : '\0';
}
char& String::operator[](unsigned int index) {
  static char lost;
  if (index < len) return buffer[index];
  lost = '\0';
  return lost;
}
void String::getBytes(unsigned char* out, unsigned int size, unsigned int index) const {
  if (size == 0 || out == nullptr) return;
  unsigned count = index < len ? len - index : 0;
  if (count > size - 1) count = size - 1;
  if (count > 0) memcpy(out, buffer + index, count);
  out[count] = '\0';
}

int String::indexOf(char c, unsigned int from) const {
  if (from >= len) return -1;
  const void* found = memchr(buffer + from, c, len - from);
  return found == nullptr ? -1 : static_cast<int>(static_cast<const char*>(found) - buffer);
}
int String::indexOf(const String& text, unsigned int from) const {
  if (from >= len || text.buffer == nullptr) return -1;
  const char* found = find(buffer + from, len - from, text.buffer, text.len);
  return found == nullptr ? -1 : static_cast<int>(found - buffer);
}
int String::lastIndexOf(char c, unsigned int from) const {
  if (from >= len) return -1;
  int at = static_cast<int>(from);
  while (at >= 0 && buffer[at] != c) --at;
  return at;
}
int String::lastIndexOf(const String& text, unsigned int from) const {
  if (text.len == 0 || text.len > len) return -1;
  const unsigned last = len - text.len;
  int at = static_cast<int>(from < last ? from : last);
  while (at >= 0 && memcmp(buffer + at, text.buffer, text.len) != 0) --at;
  return at;
}
String String::substring(unsigned int from, unsigned int to) const {
  if (from > to) {
    const unsigned swapped = from;
    from = to;
    to = swapped;
  }
  if (from >= len) return String();
  return String(buffer + from, (to < len ? to : len) - from);
}

void String::replace(char find, char replacement) {
  for (unsigned i = 0; i < len; ++i) {
    if (buffer[i] == find) buffer[i] = replacement;
  }
}

void String::replace(const String& what, const String& replacement) {
  if (len == 0 || what.len == 0 || what.len > len) return;
  const char* const stop = buffer + len;
  unsigned places = 0;
  for (const char* at = buffer;
       (at = find(at, static_cast<size_t>(stop - at), what.buffer, what.len)) != nullptr;
       at += what.len) {
    ++places;
  }
  if (places == 0) return;
  String result;
  if (!result.reserve(len - places * what.len + places * replacement.len)) return;
  const char* done = buffer;
  while (places-- > 0) {
    const char* at = find(done, static_cast<size_t>(stop - done), what.buffer, what.len);
    result.append(done, static_cast<size_t>(at - done));
    if (replacement.len > 0) result.append(replacement.buffer, replacement.len);
    done = at + what.len;
  }
  result.append(done, static_cast<size_t>(stop - done));
  *this = static_cast<String&&>(result);
}

void String::remove(unsigned int index, unsigned int count) {
  if (index >= len) return;
  if (count > len - index) count = len - index;
  memmove(buffer + index, buffer + index + count, len - index - count + 1u);
  len -= count;
}
void String::toLowerCase() {
  for (unsigned i = 0; i < len; ++i) buffer[i] = static_cast<char>(::toLowerCase(buffer[i]));
}
void String::toUpperCase() {
  for (unsigned i = 0; i < len; ++i) buffer[i] = static_cast<char>(::toUpperCase(buffer[i]));
}
void String::trim() {
  unsigned first = 0;
  while (first < len && isSpace(buffer[first])) ++first;
  unsigned last = len;
  while (last > first && isSpace(buffer[last - 1])) --last;
  remove(last);
  remove(0, first);
}

long String::toInt() const {
  return buffer == nullptr ? 0 : atol(buffer);
}
double String::toDouble() const {
  return buffer == nullptr ? 0 : atof(buffer);
}
