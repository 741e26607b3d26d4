// IPAddress: parsing and printing addresses. See IPAddress.h.
#include "arduino/api/IPAddress.h"

#include "arduino/api/Print.h"
#include "arduino/api/WCharacter.h"

const IPAddress IN6ADDR_ANY(IPv6);
const IPAddress INADDR_NONE(0, 0, 0, 0);

namespace {

constexpr int kGroups = 8;

int hex_value(char c) {
  if (isDigit(c)) return c - '0';
  return isHexadecimalDigit(c) ? toLowerCase(c) - 'a' + 10 : -1;
}

/// Finds the longest run of zero groups. RFC 5952 shortens runs of two or more groups, the first of
/// equally long ones.
struct Run {
  int begin = -1;
  int size = 1;
};
Run longest_zeros(const uint16_t (&groups)[kGroups]) {
  Run best;
  for (int i = 0; i < kGroups; ++i) {
    int end = i;
    while (end < kGroups && groups[end] == 0) ++end;
    if (end - i > best.size) best = {i, end - i};
    if (end > i) i = end;
  }
  return best;
}

}  // namespace

IPAddress::IPAddress(uint8_t o1, uint8_t o2, uint8_t o3, uint8_t o4) {
  const uint8_t bytes[] = {o1, o2, o3, o4};
  memcpy(raw_address(), bytes, sizeof bytes);
}
IPAddress::IPAddress(uint32_t address) {
  memcpy(raw_address(), &address, sizeof address);
}
IPAddress::IPAddress(const uint8_t* bytes) : IPAddress(IPv4, bytes) {}
IPAddress::IPAddress(IPType type, const uint8_t* bytes) : type_(type) {
  memcpy(raw_address(), bytes, static_cast<size_t>(kBytes - first()));
}

bool IPAddress::fromString(const char* text) {
  return text != nullptr && (fromString4(text) || fromString6(text));
}

bool IPAddress::fromString4(const char* text) {
  uint8_t octets[4];
  for (int i = 0; i < 4; ++i) {
    unsigned value = 0;
    int digits = 0;
    for (; isDigit(*text); ++text, ++digits) {
      value = value * 10 + static_cast<unsigned>(*text - '0');
      if (value > 255) return false;
    }
    if (digits == 0 || *text != (i < 3 ? '.' : '\0')) return false;
    ++text;
    octets[i] = static_cast<uint8_t>(value);
  }
  *this = IPAddress(octets);
  return true;
}

bool IPAddress::fromString6(const char* text) {
  uint16_t groups[kGroups] = {};
  int count = 0;
  int gap = -1;  // where "::" stood
  if (text[0] == ':') {
    if (text[1] != ':') return false;
    gap = 0;
    text += 2;
  }
  while (*text != '\0') {
    unsigned value = 0;
    int digits = 0;
    for (; hex_value(*text) >= 0; ++text, ++digits) {
      if (digits == 4) return false;
      value = value * 16 + static_cast<unsigned>(hex_value(*text));
    }
    if (digits == 0 || count == kGroups) return false;
    groups[count++] = static_cast<uint16_t>(value);
    if (*text == '\0') break;
    if (*text++ != ':') return false;
    if (*text == ':') {
      if (gap >= 0) return false;
      gap = count;
      ++text;
    } else if (*text == '\0') {
      return false;
    }
  }
  // "::" stands for at least one group. Without it all eight must be present.
  if (gap < 0 ? count != kGroups : count == kGroups) return false;
  if (gap >= 0) {
    const int tail = count - gap;
    for (int i = 0; i < tail; ++i) {
      groups[kGroups - 1 - i] = groups[count - 1 - i];
      groups[count - 1 - i] = 0;
    }
  }
  *this = IPAddress(IPv6);
  for (int i = 0; i < kGroups; ++i) {
    bytes_[2 * i] = static_cast<uint8_t>(groups[i] >> 8);
    bytes_[2 * i + 1] = static_cast<uint8_t>(groups[i]);
  }
  return true;
}

IPAddress::operator uint32_t() const {
  uint32_t address = 0;
  if (type_ == IPv4) memcpy(&address, bytes_ + kFirstOfFour, sizeof address);
  return address;
}
bool IPAddress::operator==(const IPAddress& other) const {
  return type_ == other.type_ && memcmp(bytes_, other.bytes_, sizeof bytes_) == 0;
}
bool IPAddress::operator==(const uint8_t* bytes) const {
  return type_ == IPv4 && memcmp(bytes_ + kFirstOfFour, bytes, 4) == 0;
}

String IPAddress::toString() const {
  String text;
  if (type_ == IPv4) {
    for (int i = 0; i < 4; ++i) {
      if (i > 0) text += '.';
      text += (*this)[i];
    }
    return text;
  }
  for (int i = 0; i < kBytes; ++i) {
    if (i > 0 && i % 2 == 0) text += ':';
    text += String(bytes_[i] >> 4, HEX);
    text += String(bytes_[i] & 0xF, HEX);
  }
  return text;
}

size_t IPAddress::printTo(Print& p) const {
  return p.print(type_ == IPv4 ? toString() : shortened());
}

String IPAddress::shortened() const {
  String text;
  uint16_t groups[kGroups];
  for (int i = 0; i < kGroups; ++i) {
    groups[i] = static_cast<uint16_t>((bytes_[2 * i] << 8) | bytes_[2 * i + 1]);
  }
  const Run zeros = longest_zeros(groups);
  for (int i = 0; i < kGroups; ++i) {
    if (i == zeros.begin) {
      text += "::";
      i += zeros.size - 1;
      continue;
    }
    if (i > 0 && !text.endsWith(":")) text += ':';
    text += String(static_cast<unsigned int>(groups[i]), HEX);
  }
  return text;
}
