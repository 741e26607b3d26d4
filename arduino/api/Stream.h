// Stream: reads text and numbers from any source that delivers bytes one by one.
//
// Each read waits for the next byte for at most the time of setTimeout() (1 s by default). The wait
// blocks only the calling loop.
// anew. While it waits it blocks only the calling loop.
#pragma once

#include "Print.h"
#include "serial_marks.h"

/// What parseInt() and parseFloat() may skip before the number.
enum LookaheadMode {
  SKIP_ALL,        // everything that cannot begin a number
  SKIP_NONE,       // nothing: the stream stays as it is unless a number comes next
  SKIP_WHITESPACE  // blanks, tabs, line feeds, carriage returns
};

namespace hocket {

/// The functions that a class derived from Stream overrides.
class ByteSource : public Print {
 public:
  virtual int available() = 0;
  /// The next byte or -1; peek() leaves it in the stream.
  virtual int read() = 0;
  virtual int peek() = 0;
};

}  // namespace hocket

class Stream : public hocket::ByteSource {
 public:
  constexpr Stream() = default;

  template <class = void>
  HOCKET_ALWAYS_INLINE_ int available() {
    return source().available();
  }
  template <class = void>
  HOCKET_ALWAYS_INLINE_ int read() {
    return source().read();
  }
  template <class = void>
  HOCKET_ALWAYS_INLINE_ int peek() {
    return source().peek();
  }

  void setTimeout(unsigned long milliseconds) { _timeout = milliseconds; }
  unsigned long getTimeout() { return _timeout; }

  /// Reads until `target` has been read. Returns false on a timeout, or if `terminator` came first.
  bool find(const char* target);
  bool find(const uint8_t* target) { return find(reinterpret_cast<const char*>(target)); }
  bool find(const char* target, size_t length);
  bool find(const uint8_t* target, size_t length) {
    return find(reinterpret_cast<const char*>(target), length);
  }
  bool find(char target) { return find(&target, 1); }
  bool findUntil(const char* target, const char* terminator);
  bool findUntil(const uint8_t* target, const char* terminator) {
    return findUntil(reinterpret_cast<const char*>(target), terminator);
  }
  bool findUntil(const char* target, size_t length, const char* terminator,
                 size_t terminatorLength);
  bool findUntil(const uint8_t* target, size_t length, const char* terminator,
                 size_t terminatorLength) {
    return findUntil(reinterpret_cast<const char*>(target), length, terminator, terminatorLength);
  }

  /// The next number; 0 when none comes. It ends at the first character that cannot belong to it,
  /// or on a timeout. `ignore` is skipped inside it (parseInt(SKIP_ALL, ',') reads 1,000 as 1000).
  long parseInt(LookaheadMode lookahead = SKIP_ALL, char ignore = '\x01');
  float parseFloat(LookaheadMode lookahead = SKIP_ALL, char ignore = '\x01');

  /// Reads up to `length` bytes and returns how many. The Until form stops at `terminator` and
  /// drops it.
  size_t readBytes(char* buffer, size_t length);
  size_t readBytes(uint8_t* buffer, size_t length) {
    return readBytes(reinterpret_cast<char*>(buffer), length);
  }
  size_t readBytesUntil(char terminator, char* buffer, size_t length);
  size_t readBytesUntil(char terminator, uint8_t* buffer, size_t length) {
    return readBytesUntil(terminator, reinterpret_cast<char*>(buffer), length);
  }
  String readString();
  String readStringUntil(char terminator);

 protected:
  struct MultiTarget {
    const char* str;
    size_t len;
    size_t index;  // number of characters of str that the newest bytes match; must start at 0
  };

  // For derived classes written before parseInt() had its modes.
  long parseInt(char ignore) { return parseInt(SKIP_ALL, ignore); }
  float parseFloat(char ignore) { return parseFloat(SKIP_ALL, ignore); }

  int timedRead();
  int timedPeek();
  int peekNextDigit(LookaheadMode lookahead, bool detectDecimal);
  /// Reads until one of the targets has been read. Returns its index, or -1 on a timeout.
  int findMulti(MultiTarget* targets, int count);

  /// Called when there is no byte. Waits for one until `instant_ns` of the system's clock at most,
  /// and may return early. A port that can sleep until a byte arrives does so; others poll every
  /// millisecond.
  virtual void waitForByte(uint64_t instant_ns);

  unsigned long _timeout = 1000;
  unsigned long _startMillis = 0;

 private:
  HOCKET_ALWAYS_INLINE_ hocket::ByteSource& source() {
    hocket::mark_serial_reads();
    return *this;
  }
  int timed(bool leaves);  // leaves: peek()
};

namespace arduino {
using ::LookaheadMode;
using ::SKIP_ALL;
using ::SKIP_NONE;
using ::SKIP_WHITESPACE;
using ::Stream;
}  // namespace arduino
