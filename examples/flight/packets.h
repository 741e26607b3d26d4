// Packets on a serial line, and how to find them in what arrives.
//
//   A5 | type | length n | n bytes, little-endian | CRC-16 of type, length and bytes, low byte first
//
// A line loses bytes, flips bits and adds noise. So a packet counts only when its sum is right, and
// when it is wrong the search goes on behind the byte that looked like a beginning: a broken packet
// never takes a whole one with it.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

const uint8_t PACKET_BEGINS = 0xa5;
const size_t PACKET_HEAD = 3, PACKET_SUM = 2, LONGEST_PAYLOAD = 22;

enum PacketType : uint8_t { ATTITUDE = 1, POSITION = 2, CONTROL = 3, FEEDBACK = 4, COMMAND = 5 };

// CRC-16 of the CCITT: x^16 + x^12 + x^5 + 1, from FFFF.
inline uint16_t packetSum(const uint8_t* bytes, size_t count) {
  uint16_t sum = 0xffff;
  for (size_t i = 0; i < count; i++) {
    uint8_t high = uint8_t(sum >> 8) ^ bytes[i];
    high ^= high >> 4;
    sum = uint16_t((sum << 8) ^ (high << 12) ^ (high << 5) ^ high);
  }
  return sum;
}

inline uint16_t field16(const uint8_t* payload, size_t at) {
  return uint16_t(payload[at] | payload[at + 1] << 8);
}
inline int16_t signed16(const uint8_t* payload, size_t at) {
  return int16_t(field16(payload, at));
}
inline uint32_t field32(const uint8_t* payload, size_t at) {
  return field16(payload, at) | uint32_t(field16(payload, at + 2)) << 16;
}
inline int32_t signed32(const uint8_t* payload, size_t at) {
  return int32_t(field32(payload, at));
}

// Puts a packet together, field by field.
class PacketWriter {
 public:
  explicit PacketWriter(PacketType type) : bytes_{PACKET_BEGINS, uint8_t(type)} {}
  void add(uint16_t value) {
    bytes_[size_++] = uint8_t(value);
    bytes_[size_++] = uint8_t(value >> 8);
  }
  // Length and sum; afterwards it can be sent.
  void close() {
    bytes_[2] = uint8_t(size_ - PACKET_HEAD);
    add(packetSum(bytes_ + 1, size_ - 1));
  }
  const uint8_t* bytes() const { return bytes_; }
  size_t size() const { return size_; }

 private:
  uint8_t bytes_[PACKET_HEAD + LONGEST_PAYLOAD + PACKET_SUM];
  size_t size_ = PACKET_HEAD;
};

// Finds the packets of one type and length among the bytes of a line, and keeps count. Each
// packet's first field is its number, so that those that did not come are known.
class PacketReader {
 public:
  PacketReader(PacketType type, size_t length) : type_(type), length_(length) {}

  // True when this byte completes a packet: payload() is it, until the next call.
  bool take(uint8_t byte) {
    drop(taken_);
    taken_ = 0;
    bytes_[size_++] = byte;
    while (size_ > 0) {
      if (!begins()) {
        drop(1);
      } else if (size_ < PACKET_HEAD + length_ + PACKET_SUM) {
        return false;
      } else if (packetSum(bytes_ + 1, PACKET_HEAD - 1 + length_) !=
                 field16(bytes_, PACKET_HEAD + length_)) {
        refused++;
        drop(1);
      } else {
        taken_ = PACKET_HEAD + length_ + PACKET_SUM;
        count();
        return true;
      }
    }
    return false;
  }
  const uint8_t* payload() const { return bytes_ + PACKET_HEAD; }

  unsigned long good = 0, missing = 0;
  unsigned long refused = 0;  // looked like a packet, and the sum was wrong

 private:
  // As far as there are bytes.
  bool begins() const {
    return bytes_[0] == PACKET_BEGINS && (size_ < 2 || bytes_[1] == type_) &&
           (size_ < 3 || bytes_[2] == length_);
  }
  void drop(size_t count) {
    size_ -= count;
    memmove(bytes_, bytes_ + count, size_);
  }
  void count() {
    uint16_t number = field16(payload(), 0);
    missing += uint16_t(number - next_);
    next_ = number + 1;
    good++;
  }

  const PacketType type_;
  const size_t length_;
  uint8_t bytes_[PACKET_HEAD + LONGEST_PAYLOAD + PACKET_SUM];
  size_t size_ = 0, taken_ = 0;
  uint16_t next_ = 0;
};
