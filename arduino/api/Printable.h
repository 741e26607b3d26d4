// The interface of a class whose objects print() and println() accept.
#pragma once

#include <stddef.h>

class Print;

class Printable {
 public:
  /// Writes the object's text to `p`; returns the number of bytes written.
  virtual size_t printTo(Print& p) const = 0;
};

namespace arduino {
using ::Printable;
}  // namespace arduino
