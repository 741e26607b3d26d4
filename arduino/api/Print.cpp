// Print: numbers to characters. See Print.h.
#include "arduino/api/Print.h"

#include <math.h>
#include <string.h>

#ifdef __AVR__
extern "C" char* hocket_digits(char* end, uint32_t n, uint8_t base);
#endif

namespace {

/// Text shorter than this is sent together with its line end.
[[maybe_unused]] constexpr size_t kLine = 64;

#ifdef __AVR__
char* digits_before(char* end, unsigned long n, uint8_t base) {
  return hocket_digits(end, n, base);
}
#endif

/// Writes the digits of `n` backwards, ending before `end`; returns where they begin.
template <typename Unsigned>
char* digits_before(char* end, Unsigned n, uint8_t base) {
  do {
    const unsigned digit = static_cast<unsigned>(n % base);
    *--end = static_cast<char>(digit < 10 ? '0' + digit : 'A' + (digit - 10));
    n /= base;
  } while (n != 0);
  return end;
}

/// The bits that an Arduino with a 32-bit `long` would print for `n`.
unsigned long two_complement(long n) {
  const bool fits = static_cast<int32_t>(n) == n;
  return fits ? static_cast<uint32_t>(n) : static_cast<unsigned long>(n);
}

}  // namespace

size_t Print::write(const uint8_t* data, size_t size) {
  size_t done = 0;
  while (done < size && write(data[done]) != 0) ++done;
  return done;
}

size_t Print::write(const char* text) {
  return text == nullptr ? 0 : write(text, strlen(text));
}

size_t Print::write(const char* data, size_t size) {
  return write(reinterpret_cast<const uint8_t*>(data), size);
}

#ifndef HOCKET_WITHOUT_LOOPS

size_t Print::writeLine(const char* text, size_t size) {
  if (size + 2 > kLine) {
    const size_t done = write(text, size);
    return done + println();
  }
  char line[kLine];
  memcpy(line, text, size);
  line[size] = '\r';
  line[size + 1] = '\n';
  return write(line, size + 2);
}

size_t Print::printFloat(double n, int digits, End end) {
  // The largest value whose rounded integer part fits 32 bits in single precision.
  constexpr double kLimit = 4294967040.0;
  const char* word = nullptr;
  if (isnan(n)) {
    word = "nan";
  } else if (isinf(n)) {
    word = "inf";
  } else if (n > kLimit || n < -kLimit) {
    word = "ovf";
  }
  if (word != nullptr) return end == End::NewLine ? println(word) : print(word);

  if (digits < 0) digits = 2;
  const bool negative = n < 0.0;
  if (negative) n = -n;
  double half = 0.5;  // half of the last digit: 1.999 with two digits prints as 2.00
  for (int i = 0; i < digits; ++i) half /= 10.0;
  n += half;

  char text[kLine];
  const uint32_t whole = static_cast<uint32_t>(n);
  double rest = n - static_cast<double>(whole);
  char number[12];
  char* begin = digits_before(number + sizeof number, whole, DEC);
  if (negative) *--begin = '-';
  size_t used = static_cast<size_t>(number + sizeof number - begin);
  memcpy(text, begin, used);
  if (digits > 0) text[used++] = '.';

  size_t done = 0;
  for (; digits > 0; --digits) {
    if (used + 3 > kLine) {
      done += write(text, used);
      used = 0;
    }
    rest *= 10.0;
    const int digit = static_cast<int>(rest);
    text[used++] = static_cast<char>('0' + digit);
    rest -= digit;
  }
  if (end == End::NewLine) {
    text[used++] = '\r';
    text[used++] = '\n';
  }
  return done + write(text, used);
}

#else

// For sketches without loops, for which the Uno compiles this file a second time. No other loop can
// print in between, so the parts of a line are sent one by one.

[[gnu::noinline]] size_t Print::writeLine(const char* text, size_t size) {
  const size_t done = write(text, size);
  return done + println();
}

namespace {

/// Sends characters one by one and counts them.
class Line {
 public:
  explicit Line(Print& to) : to_(to) {}

  [[gnu::noinline]] void add(char c) { done_ += to_.write(static_cast<uint8_t>(c)); }
  size_t done() const { return done_; }

 private:
  Print& to_;
  size_t done_ = 0;
};

/// The text for a number that is not finite or too large; null: it has digits.
const char* word_for(double n) {
  // Floating-point numbers of one sign are ordered like their bits, and infinity comes before all
  // NaNs. With 32 bits, comparing bits is smaller code than isnan() and isinf().
  uint32_t magnitude;
  static_assert(sizeof n == sizeof magnitude, "a double has 32 bits on AVR");
  memcpy(&magnitude, &n, sizeof magnitude);
  magnitude &= 0x7fffffff;
  constexpr uint32_t kLargest = 0x4f7fffff;  // 4294967040, the limit of the version with loops
  constexpr uint32_t kInfinity = 0x7f800000;
  if (magnitude <= kLargest) return nullptr;
  return magnitude < kInfinity ? "ovf" : magnitude == kInfinity ? "inf" : "nan";
}

}  // namespace

size_t Print::printFloat(double n, int digits, End end) {
  const char* word = word_for(n);
  Line line(*this);
  if (word != nullptr) {
    do line.add(*word++);
    while (*word != '\0');
  } else {
    if (digits < 0) digits = 2;
    const bool negative = n < 0.0;
    n = fabs(n);
    double half = 0.5;  // half of the last digit: 1.999 with two digits prints as 2.00
    for (int i = 0; i < digits; ++i) half /= 10.0;
    n += half;

    const uint32_t whole = static_cast<uint32_t>(n);
    double rest = n - static_cast<double>(whole);
    char number[12];
    char* const stop = number + sizeof number;
    char* begin = digits_before(stop, whole, DEC);
    if (negative) *--begin = '-';
    while (begin != stop) line.add(*begin++);
    if (digits > 0) line.add('.');
    for (; digits > 0; --digits) {
      rest *= 10.0;
      const int digit = static_cast<int>(rest);
      line.add(static_cast<char>('0' + digit));
      rest -= digit;
    }
  }
  if (end == End::NewLine) {
    line.add('\r');
    line.add('\n');
  }
  return line.done();
}

#endif

// Never in line: a function that prints now and then would have this buffer in its own frame.
template <typename Unsigned>
[[gnu::noinline]] size_t Print::printDigits(Unsigned magnitude, bool negative, int base, End end) {
  // On Arduino the base is a byte. A base that names no number system counts as 10.
  auto radix = static_cast<uint8_t>(base);
  if (radix < 2) radix = DEC;
  char text[8 * sizeof(Unsigned) + 3];
  char* const stop = text + sizeof text - 2;
  char* begin = stop;
  if (base == 0) {
    *--begin = static_cast<char>(magnitude);
  } else {
    begin = digits_before(stop, magnitude, radix);
    if (negative) *--begin = '-';
  }
  size_t size = static_cast<size_t>(stop - begin);
  if (end == End::NewLine) {
    stop[0] = '\r';
    stop[1] = '\n';
    size += 2;
  }
  return write(begin, size);
}

template <typename Signed, typename Unsigned>
size_t Print::printSigned(Signed n, Unsigned bits, int base, End end) {
  const bool negative = base == DEC && n < 0;
  if (base == DEC)
    bits = negative ? Unsigned{0} - static_cast<Unsigned>(n) : static_cast<Unsigned>(n);
  return printDigits(bits, negative, base, end);
}

size_t Print::print(const __FlashStringHelper* text) {
#ifdef __AVR__
  const char* p = reinterpret_cast<const char*>(text);
  size_t done = 0;
  while (const uint8_t c = pgm_read_byte(p++)) {
    if (write(c) == 0) break;
    ++done;
  }
  return done;
#else
  return write(reinterpret_cast<const char*>(text));
#endif
}

size_t Print::print(const String& text) {
  return write(text.c_str(), text.length());
}
size_t Print::print(const char text[]) {
  return write(text);
}
size_t Print::print(char c) {
  return write(static_cast<uint8_t>(c));
}
size_t Print::print(const Printable& object) {
  return object.printTo(*this);
}

size_t Print::print(unsigned char n, int base) {
  return print(static_cast<unsigned long>(n), base);
}
size_t Print::print(int n, int base) {
  return print(static_cast<long>(n), base);
}
size_t Print::print(unsigned int n, int base) {
  return print(static_cast<unsigned long>(n), base);
}
size_t Print::print(long n, int base) {
  return printSigned(n, two_complement(n), base, End::Open);
}
size_t Print::print(unsigned long n, int base) {
  return printDigits(n, false, base, End::Open);
}
size_t Print::print(long long n, int base) {
  return printSigned(n, static_cast<unsigned long long>(n), base, End::Open);
}
size_t Print::print(unsigned long long n, int base) {
  return printDigits(n, false, base, End::Open);
}
size_t Print::print(double n, int digits) {
  return printFloat(n, digits, End::Open);
}

size_t Print::println() {
  return write("\r\n", 2);
}
size_t Print::println(const __FlashStringHelper* text) {
#ifdef __AVR__
  const size_t done = print(text);
  return done + println();
#else
  return println(reinterpret_cast<const char*>(text));
#endif
}
size_t Print::println(const String& text) {
  return writeLine(text.c_str(), text.length());
}
size_t Print::println(const char text[]) {
#ifdef HOCKET_WITHOUT_LOOPS
  const size_t done = print(text);
  return done + println();
#else
  return text == nullptr ? println() : writeLine(text, strlen(text));
#endif
}
size_t Print::println(char c) {
  return writeLine(&c, 1);
}
size_t Print::println(const Printable& object) {
  const size_t done = print(object);
  return done + println();
}

size_t Print::println(unsigned char n, int base) {
  return println(static_cast<unsigned long>(n), base);
}
size_t Print::println(int n, int base) {
  return println(static_cast<long>(n), base);
}
size_t Print::println(unsigned int n, int base) {
  return println(static_cast<unsigned long>(n), base);
}
size_t Print::println(long n, int base) {
  return printSigned(n, two_complement(n), base, End::NewLine);
}
size_t Print::println(unsigned long n, int base) {
  return printDigits(n, false, base, End::NewLine);
}
size_t Print::println(long long n, int base) {
  return printSigned(n, static_cast<unsigned long long>(n), base, End::NewLine);
}
size_t Print::println(unsigned long long n, int base) {
  return printDigits(n, false, base, End::NewLine);
}
size_t Print::println(double n, int digits) {
  return printFloat(n, digits, End::NewLine);
}
