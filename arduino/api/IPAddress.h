// IPAddress: an IPv4 or IPv6 address.
//
// It holds the 16 bytes of an IPv6 address; an IPv4 address is in the last four. Network byte
// order.
#pragma once

#include <stdint.h>

#include "Printable.h"
#include "String.h"

// Classes of network libraries that write the bytes directly.
class EthernetClass;
class DhcpClass;
class DNSClient;

enum IPType { IPv4, IPv6 };

// On 64-bit boards `unsigned long` is wider than uint32_t, so it needs a constructor of its own.
#if __SIZEOF_LONG__ > 4
#define HOCKET_WIDE_LONG_
#endif

class IPAddress : public Printable {
 public:
  IPAddress() = default;
  IPAddress(IPType type) : type_(type) {}  // NOLINT(google-explicit-constructor)
  IPAddress(uint8_t o1, uint8_t o2, uint8_t o3, uint8_t o4);
  IPAddress(uint8_t o1, uint8_t o2, uint8_t o3, uint8_t o4, uint8_t o5, uint8_t o6, uint8_t o7,
            uint8_t o8, uint8_t o9, uint8_t o10, uint8_t o11, uint8_t o12, uint8_t o13, uint8_t o14,
            uint8_t o15, uint8_t o16);
  /// The four bytes in memory order.
  IPAddress(uint32_t address);      // NOLINT(google-explicit-constructor)
  IPAddress(const uint8_t* bytes);  // NOLINT(google-explicit-constructor)
#ifdef HOCKET_WIDE_LONG_
  // Without these, `0ul` would be ambiguous between a pointer and an address, and an int between
  // two numbers.
  IPAddress(unsigned long address)  // NOLINT(google-explicit-constructor)
      : IPAddress(static_cast<uint32_t>(address)) {}
  IPAddress(int address)  // NOLINT(google-explicit-constructor)
      : IPAddress(static_cast<uint32_t>(address)) {}
  IPAddress(long address)  // NOLINT(google-explicit-constructor)
      : IPAddress(static_cast<uint32_t>(address)) {}
  bool operator==(unsigned long address) const { return *this == static_cast<uint32_t>(address); }
  bool operator==(int address) const { return *this == static_cast<uint32_t>(address); }
  bool operator==(long address) const { return *this == static_cast<uint32_t>(address); }
  IPAddress& operator=(unsigned long address) { return *this = static_cast<uint32_t>(address); }
  IPAddress& operator=(int address) { return *this = static_cast<uint32_t>(address); }
  IPAddress& operator=(long address) { return *this = static_cast<uint32_t>(address); }
#endif
  IPAddress(IPType type, const uint8_t* bytes);
  IPAddress(const char* text) { fromString(text); }  // NOLINT(google-explicit-constructor)

  /// Parses "192.168.0.1" or "2001:db8::1". On false the address is unchanged.
  bool fromString(const char* text);
  bool fromString(const String& text) { return fromString(text.c_str()); }

  /// The four bytes in memory order; 0 for an IPv6 address.
  operator uint32_t() const;
  bool operator==(const IPAddress& other) const;
  bool operator==(const uint8_t* bytes) const;
  bool operator==(uint32_t address) const { return *this == IPAddress(address); }
  bool operator!=(const IPAddress& other) const { return !(*this == other); }
  uint8_t operator[](int index) const { return bytes_[first() + index]; }
  uint8_t& operator[](int index) { return bytes_[first() + index]; }
  IPAddress& operator=(const IPAddress&) = default;
  IPAddress(const IPAddress&) = default;
  IPAddress& operator=(const uint8_t* bytes) { return *this = IPAddress(bytes); }
  IPAddress& operator=(uint32_t address) { return *this = IPAddress(address); }
  IPAddress& operator=(const char* text) { return fromString(text), *this; }

  /// IPv6 in the short form of RFC 5952, `2001:db8::1`.
  size_t printTo(Print& p) const override;
  /// IPv6 with all its 32 digits.
  String toString() const;
  IPType type() const { return type_; }

 private:
  friend class Client;
  friend class Server;
  friend class UDP;
  friend ::EthernetClass;
  friend ::DhcpClass;
  friend ::DNSClient;

  static constexpr int kBytes = 16;
  static constexpr int kFirstOfFour = 12;

  int first() const { return type_ == IPv4 ? kFirstOfFour : 0; }
  uint8_t* raw_address() { return bytes_ + first(); }
  bool fromString4(const char* text);
  bool fromString6(const char* text);
  String shortened() const;

  uint8_t bytes_[kBytes] = {};
  IPType type_ = IPv4;
};

// A host's socket headers have a macro of this name.
#undef INADDR_NONE
extern const IPAddress IN6ADDR_ANY;
extern const IPAddress INADDR_NONE;

namespace arduino {
using ::IN6ADDR_ANY;
using ::INADDR_NONE;
using ::IPAddress;
using ::IPType;
using ::IPv4;
using ::IPv6;
}  // namespace arduino
