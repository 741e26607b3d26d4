// Framed packets on a serial line, as the instruments of an aircraft speak them.
//
//   A5 │ type │ length n │ n bytes, little-endian │ CRC-16 of type, length and bytes, low byte first
//
// The CRC is that of the CCITT: x¹⁶ + x¹² + x⁵ + 1, from FFFF. It finds every one, two or three
// flipped bits, so a packet that a line flips is never taken for a whole one.
#pragma once

#include <optional>
#include <string>

#include "simulation/devices/facts.h"
#include "simulation/devices/random.h"
#include "simulation/devices/serial_port.h"
#include "simulation/parts/section.h"

namespace hocket::sim {

inline constexpr uint8_t kPacketSync = 0xa5;

enum class PacketType : uint8_t {
  Attitude = 1,
  Position = 2,
  Control = 3,
  Feedback = 4,
  Command = 5
};

uint16_t packet_check(const std::string& bytes);

/// Puts a payload together; numbers out of their field's range become its ends.
class Payload {
 public:
  Payload& u16(uint64_t value) { return bytes(value > 0xffff ? 0xffff : value, 2); }
  Payload& u32(uint64_t value) { return bytes(value > 0xffffffff ? 0xffffffff : value, 4); }
  /// The nearest whole number.
  Payload& i16(double value) { return bytes(static_cast<uint64_t>(rounded(value, 0x7fff)), 2); }
  Payload& i32(double value) { return bytes(static_cast<uint64_t>(rounded(value, 0x7fffffff)), 4); }
  const std::string& str() const { return text_; }

 private:
  static int64_t rounded(double value, int64_t highest);
  Payload& bytes(uint64_t value, unsigned count);
  std::string text_;
};

/// What a device sends to the board; the line breaks a share of it on purpose.
class PacketSender {
 public:
  /// Takes the key `broken`, and the port's line to the board.
  PacketSender(Section& section, SerialPort& port, uint64_t seed);

  /// Nothing but a count when the line is so far behind that the packet would be old.
  void send(Nanos now, PacketType type, const Payload& payload);
  void facts(Facts& facts) const;

 private:
  std::string broken(std::string packet);

  SerialPort& port_;
  uint64_t share_;  // millionths
  Random random_;
  uint64_t packets_ = 0, intact_ = 0, flipped_ = 0, cut_ = 0, noisy_ = 0, skipped_ = 0;
};

/// Finds whole packets of one type in what the board sends.
class PacketReader {
 public:
  PacketReader(PacketType type, size_t length) : type_(type), length_(length) {}

  /// The payload of the packet that this byte has completed.
  std::optional<std::string> take(uint8_t byte);
  /// What looked like a packet and had the wrong sum, or another type or length.
  uint64_t refused() const { return refused_; }

 private:
  static constexpr size_t kHead = 3, kCheck = 2;
  PacketType type_;
  size_t length_;
  std::string waiting_;
  uint64_t refused_ = 0;
};

/// Numbers of a payload, by their place.
uint16_t payload_u16(const std::string& payload, size_t at);
int16_t payload_i16(const std::string& payload, size_t at);

}  // namespace hocket::sim
