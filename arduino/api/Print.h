// Print: numbers, text and objects as characters on anything that can write a byte.
//
// A println() of anything but a Printable or a long text makes one write(). A serial port sends the
// bytes of one write together, so lines of different loops do not mix.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "Printable.h"
#include "String.h"

#define DEC 10
#define HEX 16
#define OCT 8
#define BIN 2

class Print {
 public:
  constexpr Print() = default;

  int getWriteError() { return write_error_; }
  void clearWriteError() { setWriteError(0); }

  virtual size_t write(uint8_t byte) = 0;
  virtual size_t write(const uint8_t* data, size_t size);
  size_t write(const char* text);
  size_t write(const char* data, size_t size);

  /// Bytes that write() takes without waiting; 0: not known.
  virtual int availableForWrite() { return 0; }
  /// Waits until all written bytes have been sent.
  virtual void flush() {}

  // Integers: digits 0-9, A-Z, so bases 2 to 36; a base of 0 writes the number as one byte, a base
  // of 1 counts as 10. A negative number has a sign in base 10, and is printed as 32-bit two's
  // complement in other bases (also where `long` is wider and the number fits 32 bits). Floating
  // point: `digits` digits after the point; "nan", "inf", and "ovf" beyond +-4294967040.
  size_t print(const __FlashStringHelper* text);
  size_t print(const String& text);
  size_t print(const char text[]);
  size_t print(char c);
  size_t print(unsigned char n, int base = DEC);
  size_t print(int n, int base = DEC);
  size_t print(unsigned int n, int base = DEC);
  size_t print(long n, int base = DEC);
  size_t print(unsigned long n, int base = DEC);
  size_t print(long long n, int base = DEC);
  size_t print(unsigned long long n, int base = DEC);
  size_t print(double n, int digits = 2);
  size_t print(const Printable& object);

  size_t println(const __FlashStringHelper* text);
  size_t println(const String& text);
  size_t println(const char text[]);
  size_t println(char c);
  size_t println(unsigned char n, int base = DEC);
  size_t println(int n, int base = DEC);
  size_t println(unsigned int n, int base = DEC);
  size_t println(long n, int base = DEC);
  size_t println(unsigned long n, int base = DEC);
  size_t println(long long n, int base = DEC);
  size_t println(unsigned long long n, int base = DEC);
  size_t println(double n, int digits = 2);
  size_t println(const Printable& object);
  size_t println();

 protected:
  void setWriteError(int error = 1) { write_error_ = error; }

 private:
  enum class End : bool { Open, NewLine };
  template <typename Unsigned>
  size_t printDigits(Unsigned magnitude, bool negative, int base, End end);
  template <typename Signed, typename Unsigned>
  size_t printSigned(Signed n, Unsigned two_complement, int base, End end);
  size_t printFloat(double n, int digits, End end);
  size_t writeLine(const char* text, size_t size);

  int write_error_ = 0;
};

namespace arduino {
using ::Print;
}  // namespace arduino
