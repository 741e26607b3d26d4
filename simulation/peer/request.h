// What the kernel may send: requests as they come out of the pipe, and how each of them looks
// (protocol.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simulation/peer/protocol.h"

namespace hocket::world {

using Bytes = std::span<const uint8_t>;

/// The kernel sent what it must not: a sentence that says what, without its subject.
struct ProtocolError {
  std::string text;
};

[[noreturn]] void refuse(const std::string& text);

/// A structure of the protocol as the bytes that go through the pipe.
template <class Structure>
void append_bytes(std::vector<uint8_t>& to, const Structure& value) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// How an operation looks, and who answers it.
struct Rule {
  enum class Kind : uint8_t { Hello, Look, Pin, Serial, Bus, Report, Goodbye };
  Operation operation;
  const char* name;
  Kind kind;
  uint32_t unit = 0;  // the payload is a multiple of this, in bytes; 0: there is none
  bool once = false;  // exactly one unit

  /// Throws ProtocolError for an operation that there is not.
  static const Rule& of(const Request& request);
  bool fits(size_t payload) const;
  /// Whether it asks for the devices at its instant.
  bool of_devices() const;
};

/// Cuts a stream of bytes into requests.
class RequestReader {
 public:
  void add(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  /// The next whole request and its payload; false when more bytes are needed. Throws
  /// ProtocolError.
  bool next(Request& request, std::vector<uint8_t>& payload);
  /// Bytes of a request that is not complete.
  size_t left() const { return bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace hocket::world
