// The kernel's requests: reads them from the pipe, and defines the form of each (protocol.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simulation/peer/protocol.h"

namespace hocket::world {

using Bytes = std::span<const uint8_t>;

/// The kernel has broken the protocol: a sentence that says how, without its subject.
struct ProtocolError {
  std::string text;
};

[[noreturn]] void refuse(const std::string& text);

/// The bytes of a protocol structure in the pipe.
template <class Structure>
void append_bytes(std::vector<uint8_t>& to, const Structure& value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// The form of an operation, and the class that handles it.
struct Rule {
  enum class Kind : uint8_t { Hello, Look, Pin, Serial, Bus, Report, Goodbye };
  Operation operation;
  const char* name;
  Kind kind;
  uint32_t unit = 0;  // bytes: the payload is a multiple of this; 0: there is none
  bool once = false;  // exactly one unit

  /// Throws ProtocolError for an unknown operation.
  static const Rule& of(const Request& request);
  bool fits(size_t payload) const;
  /// Whether the devices must be advanced to its instant.
  bool of_devices() const;
};

/// Splits a stream of bytes into requests.
class RequestReader {
 public:
  void add(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  /// The next complete request and its payload; false when more bytes are needed. Throws
  /// ProtocolError.
  bool next(Request& request, std::vector<uint8_t>& payload);
  /// The number of bytes of an incomplete request.
  size_t left() const { return bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace hocket::world
