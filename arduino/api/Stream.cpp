// Stream: reading text and numbers byte by byte. See Stream.h.
#include "arduino/api/Stream.h"

#include "arduino/api/Common.h"
#include "arduino/runtime/system.h"

namespace {

bool is_digit(int c) {
  return c >= '0' && c <= '9';
}

int next_of(hocket::ByteSource& from, bool leaves) {
  return leaves ? from.peek() : from.read();
}

/// The length of the longest prefix of `target` with which its first `matched` characters, followed
/// by `c`, end. (How much stays matched after a byte that does not continue the match.)
size_t matched_after(const char* target, size_t matched, char c) {
  for (size_t size = matched; size > 0; --size) {
    const size_t skipped = matched + 1 - size;
    if (target[size - 1] == c && memcmp(target, target + skipped, size - 1) == 0) return size;
  }
  return 0;
}

}  // namespace

#ifdef HOCKET_WITHOUT_LOOPS

// In a sketch without loops nothing else needs the processor, so nothing sleeps. A sleep would link
// a 64-bit clock for this alone.
void Stream::waitForByte(uint64_t) {}

int Stream::timed(bool leaves) {
  hocket::ByteSource& from = source();
  _startMillis = millis();
  int c;
  do c = next_of(from, leaves);
  while (c < 0 && millis() - _startMillis < _timeout);
  return c;
}

#else

namespace {
constexpr uint64_t kMillisecond = 1000000;
}

void Stream::waitForByte(uint64_t instant_ns) {
  const uint64_t soon = hocket::sys::now_ns() + kMillisecond;
  hocket::sys::sleep_until_ns(soon < instant_ns ? soon : instant_ns);
}

int Stream::timed(bool leaves) {
  hocket::ByteSource& from = source();
  int c = next_of(from, leaves);
  if (c >= 0) return c;
  _startMillis = millis();
  const uint64_t until =
      hocket::sys::now_ns() + static_cast<uint64_t>(static_cast<uint32_t>(_timeout)) * kMillisecond;
  while (c < 0 && hocket::sys::now_ns() < until) {
    waitForByte(until);
    c = next_of(from, leaves);
  }
  return c;
}

#endif

int Stream::timedRead() {
  return timed(false);
}
int Stream::timedPeek() {
  return timed(true);
}

int Stream::peekNextDigit(LookaheadMode lookahead, bool detectDecimal) {
  for (;;) {
    const int c = timedPeek();
    if (c < 0 || c == '-' || is_digit(c) || (detectDecimal && c == '.')) return c;
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (lookahead == SKIP_NONE || (lookahead == SKIP_WHITESPACE && !blank)) return -1;
    read();
  }
}

long Stream::parseInt(LookaheadMode lookahead, char ignore) {
  int c = peekNextDigit(lookahead, false);
  if (c < 0) return 0;
  const int skipped = static_cast<unsigned char>(ignore);
  bool negative = false;
  unsigned long value = 0;  // wraps like an Arduino's long, without undefined behaviour
  do {
    if (c == '-') {
      negative = true;
    } else if (c != skipped) {
      value = value * 10 + static_cast<unsigned long>(c - '0');
    }
    read();
    c = timedPeek();
  } while (is_digit(c) || c == skipped);
  return static_cast<long>(negative ? 0 - value : value);
}

// The digits are read as a whole number, which has as many as a double on each board: cheaper than
// a floating-point number on 8 bits, and rounded once.
float Stream::parseFloat(LookaheadMode lookahead, char ignore) {
  constexpr unsigned long kFull = (~0UL - 9) / 10;  // room for one more digit
  int c = peekNextDigit(lookahead, true);
  if (c < 0) return 0;
  const int skipped = static_cast<unsigned char>(ignore);
  bool negative = false;
  bool fraction = false;
  unsigned long value = 0;
  double scale = 1;
  do {
    if (c == '-') {
      negative = true;
    } else if (c == '.') {
      fraction = true;
    } else if (c != skipped) {
      if (value <= kFull) {
        value = value * 10 + static_cast<unsigned long>(c - '0');
        if (fraction) scale *= 10;
      } else if (!fraction) {
        scale /= 10;
      }
    }
    read();
    c = timedPeek();
  } while (is_digit(c) || (c == '.' && !fraction) || c == skipped);
  const double magnitude = static_cast<double>(value) / scale;
  return static_cast<float>(negative ? -magnitude : magnitude);
}

size_t Stream::readBytes(char* buffer, size_t length) {
  size_t count = 0;
  while (count < length) {
    const int c = timedRead();
    if (c < 0) break;
    buffer[count++] = static_cast<char>(c);
  }
  return count;
}

size_t Stream::readBytesUntil(char terminator, char* buffer, size_t length) {
  size_t count = 0;
  while (count < length) {
    const int c = timedRead();
    if (c < 0 || static_cast<char>(c) == terminator) break;
    buffer[count++] = static_cast<char>(c);
  }
  return count;
}

String Stream::readString() {
  String text;
  for (int c = timedRead(); c >= 0; c = timedRead()) text += static_cast<char>(c);
  return text;
}

String Stream::readStringUntil(char terminator) {
  String text;
  for (int c = timedRead(); c >= 0 && static_cast<char>(c) != terminator; c = timedRead()) {
    text += static_cast<char>(c);
  }
  return text;
}

bool Stream::find(const char* target) {
  return find(target, strlen(target));
}
bool Stream::find(const char* target, size_t length) {
  return findUntil(target, length, nullptr, 0);
}
bool Stream::findUntil(const char* target, const char* terminator) {
  return findUntil(target, strlen(target), terminator,
                   terminator == nullptr ? 0 : strlen(terminator));
}
bool Stream::findUntil(const char* target, size_t length, const char* terminator,
                       size_t terminatorLength) {
  MultiTarget targets[] = {{target, length, 0}, {terminator, terminatorLength, 0}};
  return findMulti(targets, terminator == nullptr ? 1 : 2) == 0;
}

int Stream::findMulti(MultiTarget* targets, int count) {
  for (int i = 0; i < count; ++i) {
    if (targets[i].len == 0) return i;
  }
  for (;;) {
    const int c = timedRead();
    if (c < 0) return -1;
    for (int i = 0; i < count; ++i) {
      MultiTarget& t = targets[i];
      const char byte = static_cast<char>(c);
      t.index = t.str[t.index] == byte ? t.index + 1 : matched_after(t.str, t.index, byte);
      if (t.index == t.len) return i;
    }
  }
}
