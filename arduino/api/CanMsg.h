// A frame of a CAN bus, as in ArduinoCore-API 1.5.
//
// The identifier is that of Linux's <linux/can.h>: bit 31 tells an extended one (29 bits) from a
// standard one (11 bits). CanStandardId() and CanExtendedId() make them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "Print.h"
#include "Printable.h"

class CanMsg : public Printable {
 public:
  static constexpr uint8_t MAX_DATA_LENGTH = 8;
  static constexpr uint32_t CAN_EFF_FLAG = 0x80000000;
  static constexpr uint32_t CAN_SFF_MASK = 0x000007FF;
  static constexpr uint32_t CAN_EFF_MASK = 0x1FFFFFFF;

  CanMsg() = default;
  /// Takes the first MAX_DATA_LENGTH bytes of a longer message. Without `bytes` the data are zero.
  CanMsg(uint32_t can_id, uint8_t length, const uint8_t* bytes)
      : id(can_id), data_length(length < MAX_DATA_LENGTH ? length : MAX_DATA_LENGTH) {
    for (uint8_t i = 0; bytes != nullptr && i < data_length; ++i) data[i] = bytes[i];
  }
  CanMsg(const CanMsg&) = default;
  CanMsg& operator=(const CanMsg&) = default;
  virtual ~CanMsg() = default;

  /// Prints `[020] (2) : BEEF`; an extended identifier has eight digits.
  size_t printTo(Print& p) const override {
    size_t n = p.print('[');
    for (int digit = isStandardId() ? 2 : 7; digit >= 0; --digit) {
      n += p.print(static_cast<uint8_t>(getExtendedId() >> (4 * digit) & 0xF), HEX);
    }
    n += p.print("] (");
    n += p.print(data_length);
    n += p.print(") : ");
    for (uint8_t i = 0; i < data_length; ++i) {
      n += p.print(static_cast<uint8_t>(data[i] >> 4), HEX);
      n += p.print(static_cast<uint8_t>(data[i] & 0xF), HEX);
    }
    return n;
  }

  uint32_t getStandardId() const { return id & CAN_SFF_MASK; }
  uint32_t getExtendedId() const { return id & CAN_EFF_MASK; }
  bool isStandardId() const { return (id & CAN_EFF_FLAG) == 0; }
  bool isExtendedId() const { return !isStandardId(); }

  uint32_t id = 0;
  uint8_t data_length = 0;
  uint8_t data[MAX_DATA_LENGTH] = {};
};

/// The identifier of a standard frame; bits above the lower 11 are dropped.
inline uint32_t CanStandardId(uint32_t id) {
  return id & CanMsg::CAN_SFF_MASK;
}
/// The identifier of an extended frame; bits above the lower 29 are dropped.
inline uint32_t CanExtendedId(uint32_t id) {
  return CanMsg::CAN_EFF_FLAG | (id & CanMsg::CAN_EFF_MASK);
}

namespace arduino {
using ::CanExtendedId;
using ::CanMsg;
using ::CanStandardId;
}  // namespace arduino
