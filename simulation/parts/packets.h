// Framed packets on a serial line, as the instruments of an aircraft use them.
//
//   A5 │ type │ length n │ n bytes, little-endian │ CRC-16 of type, length and bytes, low byte first
//
// The CRC is that of the CCITT: x¹⁶ + x¹² + x⁵ + 1, from FFFF. It detects any one, two or three
// flipped bits, so a packet that the line corrupts so is never accepted.
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

/// Builds a payload. Numbers out of their field's range are clamped.
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

/// Packets from a device to the board. The line corrupts a share of them on purpose.
class PacketSender {
 public:
  /// Takes the key `broken`, and the port's line to the board.
  PacketSender(Section& section, SerialPort& port, uint64_t seed);

  /// Only counts the packet if the line is so far behind that the packet would be outdated.
  void send(Nanos now, PacketType type, const Payload& payload);
  void facts(Facts& facts) const;

 private:
  std::string broken(std::string packet);

  SerialPort& port_;
  uint64_t share_;  // millionths
  Random random_;
  uint64_t packets_ = 0, intact_ = 0, flipped_ = 0, cut_ = 0, noisy_ = 0, skipped_ = 0;
};

/// Finds complete packets of one type in what the board sends.
class PacketReader {
 public:
  PacketReader(PacketType type, size_t length) : type_(type), length_(length) {}

  /// The payload of the packet that this byte completes.
  std::optional<std::string> take(uint8_t byte);
  /// Packets with a wrong checksum, or another type or length.
  uint64_t refused() const { return refused_; }

 private:
  static constexpr size_t kHead = 3, kCheck = 2;
  PacketType type_;
  size_t length_;
  std::string waiting_;
  uint64_t refused_ = 0;
};

/// Numbers of a payload, by their offset.
uint16_t payload_u16(const std::string& payload, size_t at);
int16_t payload_i16(const std::string& payload, size_t at);

}  // namespace hocket::sim
